import Foundation
import StoreSQLite
import TestSupport
import Testing

/// NIST's CFTT assertions for SQLite tools, by their numbers, for any SQLite file; SQLite itself, asked by PRAGMA, is the
/// oracle. CA-01, CA-02, CA-12, CA-13 and AO-05 to AO-07 are in `RecoverCommandTests`.
@Suite struct RecoverAssertionTests {
  /// Tables of all kinds; some rows are in the log only, and some were deleted.
  private func database(
    in folder: TemporaryFolder, pageSize: Int = 4096, encoding: String = "UTF-8", journal: String = "WAL"
  ) throws -> String {
    let workshop = try TemporaryFolder()
    let origin = workshop("places.db")
    let writer = try Connection(writing: origin, create: true)
    try writer.execute(
      """
      PRAGMA page_size=\(pageSize); PRAGMA encoding='\(encoding)'; PRAGMA journal_mode=\(journal);
      PRAGMA secure_delete=0; PRAGMA wal_autocheckpoint=0;
      CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT NOT NULL, "odd name" VARCHAR(20) DEFAULT 'x', lat REAL);
      CREATE TABLE word (word TEXT PRIMARY KEY, uses INT) WITHOUT ROWID;
      CREATE TABLE link (a INT, b INT, note, PRIMARY KEY (b, a));
      CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, day DATE);
      CREATE TABLE empty (x BLOB);
      CREATE INDEX byName ON place (name);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO place SELECT i, 'place ' || i, 'odd', i / 3.0 FROM n;
      INSERT INTO word SELECT name, id FROM place; INSERT INTO link SELECT id, id % 7, 'note' FROM place;
      INSERT INTO counted (day) VALUES ('2024-01-01'), ('2024-01-02');
      PRAGMA wal_checkpoint(TRUNCATE);
      INSERT INTO counted (day) VALUES ('2024-01-03');
      DELETE FROM place WHERE id IN (7, 299);
      """)
    let target = folder("places.db")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: origin + suffix) {
      try FileManager.default.copyItem(atPath: origin + suffix, toPath: target + suffix)
    }
    return target
  }

  private func described(_ path: String) throws -> JSONTree {
    let document = try JSONTree(Program.run(["recover", path, "--any-sqlite", "--format", "json"]).output)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/recovery.json"), encoding: .utf8))
    #expect(schema.violations(in: document).isEmpty)
    return try #require(document["database"])
  }

  private func table(_ described: JSONTree, _ name: String) throws -> JSONTree {
    try #require(described["tables"]?.list?.first { $0["name"] == .string(name) })
  }

  /// The rows of a query, each as text with bars.
  private func sqlite(_ path: String, _ query: String) throws -> [String] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let statement = try connection.prepare("SELECT group_concat(x, '|') FROM (\(query)) GROUP BY n ORDER BY n")
    var rows: [String] = []
    while try statement.step() { rows.append(statement.string(0) ?? "") }
    return rows
  }

  private func number(_ path: String, _ query: String) throws -> Int64 {
    let statement = try Connection(reading: DatabaseFiles(path: path)).prepare(query)
    return try statement.step() ? statement.int64(0) : -1
  }

  @Test(arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]) func ca03ca06PageSizeAndNumberOfPages(
    _ size: Int
  ) throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder, pageSize: size)
    let described = try described(path)
    #expect(described["pageSize"] == .integer(Int64(size)))
    #expect(try described["pages"] == .integer(number(path, "PRAGMA page_count")))
  }

  @Test(arguments: [("WAL", Int64(2)), ("DELETE", 1)]) func ca04ca05JournalModeForReadingAndWriting(
    _ journal: String, _ version: Int64
  ) throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder, journal: journal)
    let described = try described(path)
    #expect(described["readVersion"] == .integer(version) && described["writeVersion"] == .integer(version))
    // "File format write version" and "read version": offsets 18 and 19.
    var bytes = try contents(of: path)
    guard journal == "DELETE" else { return }
    bytes[18] = 2
    let other = try folder.write(bytes, to: "other.db")
    #expect(try self.described(other)["writeVersion"] == .integer(2))
    #expect(try Program.run(["recover", other, "--any-sqlite"]).output.contains("read version 1, write version 2"))
  }

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"]) func ca07Encoding(_ encoding: String) throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder, encoding: encoding)
    #expect(try described(path)["encoding"] == .string(encoding))
    let rows = try Program.run(["recover", path, "--any-sqlite", "--format", "jsonl"]).output
    #expect(rows.contains("\"place 7\"") && rows.contains("\"place 299\""))
  }

  @Test func ca08TablesAndAO01TheirSQL() throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let tables = try #require(try described(path)["tables"]?.list)
    let expected = try sqlite(
      path, "SELECT rowid AS n, name || '|' || sql AS x FROM sqlite_master WHERE type = 'table'")
    #expect(tables.map { "\($0["name"]?.string ?? "")|\($0["sql"]?.string ?? "")" } == expected)
    #expect(tables.count == 6)
  }

  @Test(arguments: ["place", "word", "link", "counted", "empty"]) func ca09ColumnsWithAO02TypesAndAO03Keys(
    _ name: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let columns = try #require(try table(try described(path), name)["columns"]?.list)
    let information = try Connection(reading: DatabaseFiles(path: path)).prepare("PRAGMA table_info(\(name))")
    var expected: [String] = []
    while try information.step() {
      expected.append("\(information.string(1) ?? "")|\(information.string(2) ?? "")|\(information.int64(5))")
    }
    #expect(!expected.isEmpty)
    #expect(
      columns.map {
        "\($0["name"]?.string ?? "")|\($0["type"]?.string ?? "")|\($0["primaryKey"]?.wholeNumber ?? 0)"
      } == expected)
  }

  @Test(arguments: ["place", "word", "link", "counted", "empty", "sqlite_sequence"]) func ca10RowCounts(
    _ name: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = try database(in: folder)
    let rows = try table(try described(path), name)["rows"]
    #expect(try rows == .integer(number(path, "SELECT count(*) FROM \(name)")))
  }

  /// The content of rows that are there, rows of the log included: each value as SQLite has it.
  @Test func ca11RowContent() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let lines = try Program.run(["rows", store, "Note", "--format", "jsonl", "--date-format", "stored"]).output
      .split(separator: "\n")
    let connection = try Connection(reading: DatabaseFiles(path: store))
    let rows = try connection.prepare(
      "SELECT Z_PK, ZTITLE, ZBODY, ZCREATEDAT, ZISPINNED, ZFOLDER FROM ZNOTE ORDER BY Z_PK")
    var count = 0
    while try rows.step() {
      let object = try JSONTree(String(try #require(lines.indices.contains(count) ? lines[count] : nil)))
      #expect(object["_key"] == .integer(rows.int64(0)))
      #expect(object["title"]?.string == rows.string(1) && object["body"]?.string == rows.string(2))
      let created = object["createdAt"]
      #expect(created == .number(rows.double(3)) || created?.wholeNumber.map(Double.init) == rows.double(3))
      #expect(object["isPinned"] == .bool(rows.int64(4) == 1) && object["folder"] == .integer(rows.int64(5)))
      count += 1
    }
    #expect(count == 14 && lines.count == 14)
  }

  /// Why an element was recovered: it was deleted, or it was modified.
  @Test func ao04ao05DeletedOrModified() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let rows = try Program.run(["recover", store, "--entity", "Note", "--grade", "proved", "--format", "jsonl"]).output
      .split(separator: "\n").map { try JSONTree(String($0)) }
    #expect(
      rows.map { "\($0["key"]?.wholeNumber ?? 0) \($0["kind"]?.string ?? "")" }
        == ["1 earlier-version", "2 deleted", "4 deleted", "5 deleted"])
  }

  /// The order in which transactions of the log were written: what each changed, as the store is after each.
  @Test func ao08OrderOfTransactionsInTheLog() throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let document = try JSONTree(Program.run(["inspect", store, "--commits", "--format", "json"]).output)
    #expect(document["commits"]?.list?.compactMap { $0["number"]?.wholeNumber } == [0, 1, 2, 3, 4])
    let gone = try (0...4).map { commit in
      let keys = try Program.run(
        ["rows", store, "Note", "--as-of", "\(commit)", "--format", "csv", "--columns", "_key", "--key", "2,4,5"]
      ).output.split(separator: "\r\n").dropFirst().map { String($0) }
      return ["2", "4", "5"].filter { !keys.contains($0) }
    }
    #expect(gone == [[], [], ["2"], ["2", "4"], ["2", "4", "5"]])
  }
}
