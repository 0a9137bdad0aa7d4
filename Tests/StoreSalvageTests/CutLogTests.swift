import Foundation
import StoreCoreData
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSalvage

/// Of a log counts what SQLite reads of it: whole commits. A transaction without its end was never in the store.
@Suite struct CutLogTests {
  private static let tables = ["ZTAG", "ZNOTE", "Z_PRIMARYKEY"]

  /// A store, its log of two commits, and the length of the log after the first.
  private struct Logged {
    let main: [UInt8]
    let log: [UInt8]
    let firstCommit: Int

    init(in folder: TemporaryFolder) throws {
      let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
      let connection = try Connection(writing: path, create: false)
      defer { connection.close() }
      try connection.execute("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
      try connection.execute(
        """
        BEGIN;
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)
          WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
          SELECT i, (SELECT Z_ENT FROM ZTAG), 1, 'first ' || i || hex(zeroblob(40)) FROM n;
        UPDATE Z_PRIMARYKEY SET Z_MAX = 400 WHERE Z_NAME = 'Tag';
        COMMIT;
        """)
      firstCommit = try contents(of: path + "-wal").count
      try connection.execute(
        """
        BEGIN;
        UPDATE ZTAG SET ZNAME = 'second ' || Z_PK; UPDATE ZNOTE SET ZTITLE = 'second';
        UPDATE Z_METADATA SET Z_UUID = lower(Z_UUID); UPDATE Z_METADATA SET Z_UUID = upper(Z_UUID);
        COMMIT;
        """)
      (main, log) = try (contents(of: path), contents(of: path + "-wal"))
    }
  }

  private static func rows(_ path: String) throws -> [[[SQLiteValue]]] {
    // SQLite itself, which recovers the log.
    let connection = try Connection(writing: path, create: false)
    defer { connection.close() }
    return try tables.map { table in
      let statement = try connection.prepare("SELECT * FROM \(table) ORDER BY 1")
      var rows: [[SQLiteValue]] = []
      while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
      return rows
    }
  }

  @Test(arguments: [false, true]) func aTransactionWithoutItsEndIsLeftOutAndSaid(hasHeader: Bool) throws {
    let made = try TemporaryFolder()
    let logged = try Logged(in: made)
    let frame = 4096 + 24
    try #require(logged.log.count > logged.firstCommit + 3 * frame)
    let cuts = [
      logged.log.count - 500, logged.log.count - 4096, logged.log.count - frame, logged.firstCommit + frame + 10,
      logged.firstCommit + 1, logged.firstCommit, logged.firstCommit - 1, 32 + 2 * frame, logged.log.count,
    ]
    for cut in cuts {
      let folder = try TemporaryFolder()
      let log = Array(logged.log[..<cut])
      let truth = try folder.write(logged.main, to: "Truth.sqlite")
      _ = try folder.write(log, to: "Truth.sqlite-wal")
      let wanted = try Self.rows(truth)
      let main = hasHeader ? logged.main : [UInt8](repeating: 0, count: 100) + logged.main[100...]
      let path = try folder.write(main, to: "Notes.sqlite")
      _ = try folder.write(log, to: "Notes.sqlite-wal")
      let result = try salvage(
        PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite"))), SalvageOptions())
      #expect(try Self.rows(folder("Saved.sqlite")) == wanted, "cut at \(cut)")
      // A log that ends behind a commit, or within none, has nothing that is left out.
      let isWhole = cut == logged.log.count || cut == logged.firstCommit
      #expect(result.isWhole == isWhole, "cut at \(cut): \(result.notes)")
      #expect(
        result.notes.contains { $0.contains("not read, as SQLite does") || $0.contains("incomplete frame") } != isWhole)
      #expect(
        result.reading.clauses.contains { $0.contains("what was saved last may be missing") } != isWhole,
        "cut at \(cut)")
    }
  }

  /// Pages of another store's log would give rows of both.
  @Test func anotherStoresLogIsNotRead() throws {
    let (folder, other) = try (TemporaryFolder(), TemporaryFolder())
    let logged = try Logged(in: other)
    var main = logged.main
    // Its UUID, as text of the metadata.
    let uuid = Array("5C0FFEE0-0000-4000-8000-00000000CAFE".utf8)
    let place = try #require(main.firstRange(of: uuid))
    main[place.lowerBound] = UInt8(ascii: "6")
    let path = try folder.write(main, to: "Notes.sqlite")
    let wanted = try Self.rows(path)
    _ = try folder.write(logged.log, to: "Notes.sqlite-wal")
    let result = try salvage(PosixPath(path), to: OutputTarget(PosixPath(folder("Saved.sqlite"))), SalvageOptions())
    #expect(try Self.rows(folder("Saved.sqlite")) == wanted)
    #expect(result.reading.log == .foreign)
    #expect(result.reading.clauses.contains { $0.contains("was not read, since it does not fit") })
  }
}
