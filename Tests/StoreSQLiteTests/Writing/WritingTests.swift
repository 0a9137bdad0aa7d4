import TestSupport
import CStoreSQLite
import Testing

@testable import StoreSQLite

/// A database with a join table, a table with triggers of its own, and an R-tree maintained by triggers, as in Core
/// Data's.
private let derived = """
  CREATE TABLE ZPAGE (Z_PK INTEGER PRIMARY KEY, ZBOOK INTEGER, ZLAT FLOAT);
  CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, ZPAGES INTEGER);
  INSERT INTO ZBOOK VALUES (1, 0);
  CREATE TRIGGER Z_DA_ZPAGE_INSERT AFTER INSERT ON ZPAGE BEGIN
    UPDATE ZBOOK SET ZPAGES = ZPAGES + 1 WHERE Z_PK = NEW.ZBOOK;
    SELECT NSCoreDataTriggerUpdateAffectedObjectValue('ZBOOK', 1, NEW.ZBOOK, 'pages', 1);
  END;
  CREATE VIRTUAL TABLE Z_RT_Page_lat USING rtree (Z_PK, ZLAT_MIN, ZLAT_MAX);
  CREATE TRIGGER Z_RT_Page_lat_INSERT AFTER INSERT ON ZPAGE BEGIN
    INSERT INTO Z_RT_Page_lat VALUES (NEW.Z_PK, NEW.ZLAT, NEW.ZLAT);
  END;
  """

@Suite struct WritingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func store(_ sql: String, mode: String = "WAL") throws -> PosixPath {
    let made = try Connection(writing: folder.file("a.sqlite"), create: true)
    try made.execute("PRAGMA journal_mode=\(mode);" + sql)
    made.close()
    return PosixPath(folder.file("a.sqlite"))
  }

  @Test func writesOnlyWhereAStepMay() throws {
    let path = try store("CREATE TABLE a (x INTEGER PRIMARY KEY); CREATE TABLE b (x INTEGER PRIMARY KEY);")
    let connection = try Connection(changing: path, locking: .shared)
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO a VALUES (1)") }
    try connection.allowingWrites(to: ["A"]) { try connection.execute("INSERT INTO a VALUES (1)") }
    for sql in [
      "INSERT INTO b VALUES (1)", "DELETE FROM sqlite_master", "DROP TABLE b", "CREATE INDEX i ON b (x)",
      "ATTACH '\(folder.file("b.sqlite"))' AS c", "VACUUM INTO '\(folder.file("b.sqlite"))'", "PRAGMA journal_mode=OFF",
      "PRAGMA writable_schema=ON", "SELECT load_extension('x')", "COMMIT",
      "CREATE VIRTUAL TABLE v USING rtree(a, b, c)",
      "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END", "SELECT \"none\" FROM a",
    ] {
      #expect(throws: SQLiteError.self, "\(sql)") {
        try connection.allowingWrites(to: ["a"]) { try connection.execute(sql) }
      }
    }
    try connection.allowingIndexChanges { try connection.execute("CREATE UNIQUE INDEX i ON b (x); REINDEX i") }
    #expect(try integers("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b)", on: connection) == [1, 0])
    #expect(folder.names().contains("b.sqlite") == false)
  }

  @Test func neverCreatesAStore() {
    #expect(throws: SQLiteError.self) {
      try Connection(changing: PosixPath(folder.file("none.sqlite")), locking: .exclusive)
    }
    #expect(folder.names() == [])
  }

  @Test(arguments: ["WAL", "DELETE"]) func triggersKeepDerivedValuesAndTreesRight(mode: String) throws {
    let path = try store(derived, mode: mode)
    let connection = try Connection(changing: path, locking: .exclusive)
    try connection.allowingWrites(to: ["ZPAGE"]) {
      try connection.execute("INSERT INTO ZPAGE VALUES (7, 1, 52.5)")
    }
    #expect(connection.writtenTables == ["zpage", "zbook", "z_rt_page_lat"])
    #expect(
      try integers("SELECT ZPAGES, (SELECT count(*) FROM Z_RT_Page_lat WHERE ZLAT_MIN > 52) FROM ZBOOK", on: connection)
        == [1, 1])
    #expect(throws: SQLiteError.self) {
      try connection.allowingWrites(to: ["Z_RT_Page_lat_node"]) {
        try connection.execute("DELETE FROM Z_RT_Page_lat_node")
      }
    }
  }

  @Test func exclusiveMeansNobodyElseEvenIdle() throws {
    let path = try store("CREATE TABLE a (x INTEGER PRIMARY KEY);")
    let idle = try Connection(writing: path.description, create: false)
    _ = try integers("SELECT count(*) FROM a", on: idle)
    #expect { try Connection(changing: path, locking: .exclusive) } throws: { ($0 as? SQLiteError)?.isBusy == true }
    idle.close()
    let connection = try Connection(changing: path, locking: .exclusive)
    let late = try Connection(writing: path.description, create: false)
    #expect { try integers("SELECT count(*) FROM a", on: late) } throws: { ($0 as? SQLiteError)?.isBusy == true }
    withExtendedLifetime(connection) {}
  }

  @Test func leavesTheMainFileAloneUntilTheCheckpoint() throws {
    let path = try store("CREATE TABLE a (x INTEGER PRIMARY KEY);")
    let before = try folder.bytes("a.sqlite")
    do {
      let connection = try Connection(changing: path, locking: .exclusive)
      try connection.transaction {
        try connection.allowingWrites(to: ["a"]) {
          try connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) INSERT INTO a SELECT i FROM n"
          )
        }
      }
      try expectSameBytes(folder.bytes("a.sqlite"), as: before)
      #expect(folder.names() == ["a.sqlite", "a.sqlite-wal"])
    }
    let connection = try Connection(changing: path, locking: .exclusive)
    try connection.checkpoint()
    try connection.removesWALOnClose()
    connection.close()
    #expect(folder.names() == ["a.sqlite"])
    #expect(try integers("SELECT count(*) FROM a", on: reading(folder)) == [99999])
  }

  @Test func keepsDeletedContent() throws {
    let path = try store("CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT); INSERT INTO a VALUES (1, 'remember-me');")
    let connection = try Connection(changing: path, locking: .exclusive)
    try connection.allowingWrites(to: ["a"]) { try connection.execute("DELETE FROM a") }
    try connection.checkpoint()
    #expect(String(decoding: try folder.bytes("a.sqlite"), as: UTF8.self).contains("remember-me"))
  }

  @Test func copiesCommittedFramesAndKeepsTheJournalMode() throws {
    let sample = try WALSample("CREATE TABLE t(a INTEGER PRIMARY KEY, b, c); INSERT INTO t VALUES (1, 5, 'abc')")
    let source = try sample.copy()
    try folder.write([], to: "copy.sqlite")
    var progress: [Connection.CopyProgress] = []
    do {
      let target = try Connection(changing: PosixPath(folder.file("copy.sqlite")), locking: .exclusive)
      try reading(source).copy(to: target, pagesPerStep: 1) { progress.append($0) }
      try target.checkpoint()
      try target.removesWALOnClose()
    }
    #expect(folder.names() == ["copy.sqlite"])
    #expect(try folder.bytes("copy.sqlite")[18] == 2)
    #expect(progress.last == .init(copiedPages: 2, totalPages: 2))
    #expect(try sums(Connection(reading: DatabaseFiles(path: folder.file("copy.sqlite")))) == [1, 5, 3])
  }

  @Test func scratchIsPrivate() throws {
    let scratch = try Connection.scratch()
    try scratch.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE INDEX i ON t(a)")
    #expect(try integers("SELECT a FROM t", on: scratch) == [1])
    #expect(throws: SQLiteError.self) { try scratch.execute("ATTACH '\(folder.file("b"))' AS b") }
    #expect(folder.names() == [])
  }

  @Test func failsWhenTold() throws {
    let path = try store("CREATE TABLE a (x INTEGER PRIMARY KEY);")
    var failures = 0
    for n in 1... {
      let vfs = try FaultVFS(failing: n, of: [.write, .sync, .lock], with: SQLITE_IOERR)
      do {
        let connection = try Connection(changing: path, locking: .exclusive, vfs: vfs.name)
        try connection.transaction {
          try connection.allowingWrites(to: ["a"]) { try connection.execute("INSERT INTO a DEFAULT VALUES") }
        }
      } catch {
        failures += 1
      }
      if !vfs.hasFired { break }
    }
    #expect(failures >= 3)
    // A commit whose sync failed may be there all the same.
    let rows = try integers("SELECT count(*) FROM a", on: reading(folder))[0]
    #expect((1...1 + Int64(failures)).contains(rows))
  }
}
