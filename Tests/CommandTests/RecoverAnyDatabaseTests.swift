import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `recover --any-sqlite`, by the built program: what is no row is none, and what a broken tree does not show is not deleted.
@Suite struct RecoverAnyDatabaseTests {
  /// Objects and links, with indexes that hold the links' numbers, and values in overflow pages; nothing was ever deleted.
  private func sound(in folder: TemporaryFolder, usesWAL: Bool = false) throws -> String {
    let path = folder("places.db")
    let writer = try Connection(creating: PosixPath(path))
    try writer.execute(
      """
      PRAGMA page_size=4096; PRAGMA secure_delete=0;
      PRAGMA journal_mode=\(usesWAL ? "WAL" : "DELETE");
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, body TEXT);
      CREATE TABLE tag (place INTEGER, tag INTEGER, PRIMARY KEY (place, tag));
      CREATE INDEX byTag ON tag (tag, place);
      CREATE TABLE cache (content BLOB);
      INSERT INTO cache VALUES (zeroblob(9000));
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO place SELECT i, 'Place ' || i, CASE i % 40 WHEN 0 THEN replace(hex(zeroblob(4000)), '00', 'word ') END
      FROM n;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      INSERT INTO tag SELECT abs(i * 7919) % 2000 + 1, i % 31 FROM n;
      """)
    writer.close()
    return path
  }

  private func rows(_ path: String, _ more: [String] = []) throws -> [[String: Any]] {
    try Program.run(["recover", path, "--any-sqlite", "--format", "jsonl"] + more).output.split(separator: "\n")
      .compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  @Test func aSoundDatabaseHasNoDeletedRows() throws {
    #expect(try rows(sound(in: TemporaryFolder())).isEmpty)
  }

  /// Every page whose first byte says that it is an interior page, but the root of the schema, is gone: no leaf is reached.
  @Test func rowsOfABrokenTreeAreUnreachable() throws {
    let folder = try TemporaryFolder()
    var bytes = try contents(of: sound(in: folder))
    for page in stride(from: 4096, to: bytes.count, by: 4096) where bytes[page] == 5 || bytes[page] == 2 {
      bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
    }
    let broken = try folder.write(bytes, to: "broken.db")
    let found = try rows(broken)
    #expect(found.count > 7_000 && found.allSatisfy { $0["kind"] as? String == "unreachable" })
    let text = try Program.run(["recover", broken, "--any-sqlite", "--summary"]).output
    #expect(text.hasPrefix("0 deleted\n  0 earlier versions") && text.contains("a table is damaged"), "\(text)")
  }

  /// Without the schema no table is known: that nothing was found says nothing.
  @Test func aSchemaThatCannotBeReadIsSaid() throws {
    let folder = try TemporaryFolder()
    var bytes = try contents(of: sound(in: folder))
    bytes.replaceSubrange(100..<4096, with: repeatElement(0, count: 3996))
    let broken = try folder.write(bytes, to: "broken.db")
    let text = try Program.run(["recover", broken, "--any-sqlite"]).output
    #expect(text.contains("the schema is damaged"), "\(text)")
    let document = try JSONTree(Program.run(["recover", broken, "--any-sqlite", "--format", "json"]).output)
    #expect(document["reading"]?["sound"]?.string == "no")
  }

  /// The log of another database is not mixed in, and that none is there is said.
  @Test func theLogIsHeldAgainstTheDatabase() throws {
    let folder = try TemporaryFolder()
    let path = try sound(in: folder, usesWAL: true)
    let text = try Program.run(["recover", path, "--any-sqlite"]).output
    #expect(text.contains("WAL mode, no -wal beside it"), "\(text)")
    let other = try Connection(creating: PosixPath(folder("other.db")))
    try other.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; CREATE TABLE other (x);
      INSERT INTO other VALUES (randomblob(100)), (1); DELETE FROM other;
      """)
    try FileManager.default.copyItem(atPath: folder("other.db-wal"), toPath: path + "-wal")
    let foreign = try Program.run(["recover", path, "--any-sqlite"]).output
    #expect(foreign.contains("does not fit") && foreign.hasPrefix("0 deleted"), "\(foreign)")
    other.close()
  }

  @Test func whatIsNoDatabaseIsNamed() throws {
    let folder = try TemporaryFolder()
    var bytes = try contents(of: sound(in: folder))
    bytes.replaceSubrange(0..<100, with: repeatElement(7, count: 100))
    let outcome = try Program.run(["recover", folder.write(bytes, to: "x.db"), "--any-sqlite"])
    #expect(
      outcome.status == 2 && outcome.errors.contains("its header is lost; 'storedoctor salvage' writes"), "\(outcome)")
  }

  /// Rows of a table that was dropped, and whose statement is wiped, fit nothing that is known.
  @Test func rowsOfFreedPagesThatFitNoTableAreCounted() throws {
    let folder = try TemporaryFolder()
    let path = try sound(in: folder)
    let writer = try Connection(writing: path, create: false)
    try writer.execute(
      """
      PRAGMA secure_delete=0; CREATE TABLE other (a TEXT, b REAL, c TEXT, d TEXT, e TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO other SELECT 'other ' || i, i / 7.0, 'c', 'd', 'some words of one row' FROM n;
      PRAGMA secure_delete=FAST; DROP TABLE other;
      """)
    writer.close()
    let outcome = try Program.run(["recover", path, "--any-sqlite"])
    let line = try #require(outcome.output.split(separator: "\n").first { $0.contains("on freed pages fit no table") })
    let count = try #require(line.split(separator: " ").first.flatMap { Int($0) })
    #expect(line.contains("are left out") && count > 200 && count <= 400, "\(line)")
    let other = try TemporaryFolder()
    #expect(try !Program.run(["recover", sound(in: other), "--any-sqlite"]).output.contains("on freed pages"))
  }
}
