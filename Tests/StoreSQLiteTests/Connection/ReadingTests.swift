import CStoreSQLite
import StorePlatform
import StoreSQLite
import Testing

@Suite struct ReadingTests {
  @Test func readsTheWALFromAReadOnlyFolderAndLeavesNoTrace() throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1), (2), (3);").copy()
    chmod(folder.file("a.sqlite"), 0o444)
    chmod(folder.file("a.sqlite-wal"), 0o444)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    let before = try folder.state()

    let files = try DatabaseFiles(path: folder.file("a.sqlite"))
    let connection = try Connection(reading: files)
    #expect(try column("SELECT b FROM t", on: connection) == ["1", "2", "3"])
    #expect(try column("PRAGMA quick_check", on: connection) == ["ok"])
    connection.close()

    #expect(files.changedFile() == nil)
    #expect(folder.names() == ["a.sqlite", "a.sqlite-wal"])
    #expect(try folder.state() == before)
  }

  @Test func readsADatabaseThatIsAllInTheWAL() throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);", pageSize: 4096).copy()
    #expect(try folder.bytes("a.sqlite").count == 4096)
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
    #expect(try reading(folder).readsWAL)
  }

  @Test func hidesTheWALWhenAsked() throws {
    let sample = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);")
    try sample.execute("PRAGMA wal_checkpoint; INSERT INTO t VALUES (2);")
    let folder = try sample.copy()
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1", "2"])
    #expect(try column("SELECT b FROM t", on: reading(folder, .init(useWAL: false))) == ["1"])
  }

  @Test func readsTheMainFileAloneWhenTheWALIsMissing() throws {
    let sample = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);")
    try sample.execute("PRAGMA wal_checkpoint;")
    let folder = try sample.copy()
    folder.remove("a.sqlite-wal")
    let connection = try reading(folder)
    #expect(try column("SELECT b FROM t", on: connection) == ["1"])
    #expect(!connection.readsWAL)
    #expect(folder.names() == ["a.sqlite"])
  }

  @Test func readsAnEmptyWAL() throws {
    let sample = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);")
    try sample.execute("PRAGMA wal_checkpoint;")
    let folder = try sample.copy { $0 = [] }
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  /// The salts do not tell whose a WAL is: SQLite accepts that of another database.
  @Test func mixesInAnotherDatabasesWALAsSQLiteDoes() throws {
    let sample = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES ('mine');")
    try sample.execute("PRAGMA wal_checkpoint;")
    let other = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES ('theirs');")
    let foreign = try other.wal
    let folder = try sample.copy { $0 = foreign }
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["theirs"])
    #expect(try column("SELECT b FROM t", on: reading(folder, .init(useWAL: false))) == ["mine"])
    if hasShell { #expect(shell(folder, "SELECT b FROM t") == "theirs") }
  }

  @Test func readsALogWithManyFrames() throws {
    // More frames than one block of the WAL index can hold (4062).
    let sample = try WALSample(
      """
      CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        INSERT INTO t SELECT i, zeroblob(480) FROM n;
      UPDATE t SET b = zeroblob(490);
      """, pageSize: 512)
    let folder = try sample.copy()
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.committedFrames > 2 * 4096)
    #expect(wal.tail == WALTail())
    let connection = try reading(folder)
    #expect(try integers("SELECT count(*), sum(length(b)) FROM t", on: connection) == [9000, 9000 * 490])
    #expect(try column("PRAGMA integrity_check", on: connection) == ["ok"])
  }

  @Test func readsLargePages() throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (zeroblob(200000));", pageSize: 65536).copy()
    #expect(try integers("SELECT length(b) FROM t", on: reading(folder)) == [200_000])
    #expect(try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal"))).header.get().pageSize == 65536)
  }

  @Test func readsThroughALinkWithTheSideFilesOfItsTarget() throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);").copy()
    let elsewhere = try TemporaryFolder()
    symlink(folder.file("a.sqlite"), elsewhere.file("link.sqlite"))
    try elsewhere.write([1, 2, 3], to: "link.sqlite-wal")
    let files = try DatabaseFiles(path: elsewhere.file("link.sqlite"))
    #expect(files.resolvedPath.hasSuffix("a.sqlite"))
    #expect(files.wal != nil)
    #expect(files.sideFilesBesideLink == [elsewhere.file("link.sqlite-wal")])
    #expect(try column("SELECT b FROM t", on: Connection(reading: files)) == ["1"])
  }

  @Test func refusesAWALThatCannotBeOpenedUnlessItIsNotWanted() throws {
    let sample = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);")
    try sample.execute("PRAGMA wal_checkpoint;")
    let folder = try sample.copy()
    folder.remove("a.sqlite-wal")
    mkdir(folder.file("a.sqlite-wal"), 0o755)
    let files = try DatabaseFiles(path: folder.file("a.sqlite"))
    #expect(files.problems.map(\.kind) == [.notRegularFile(kind: "directory")])
    let error = #expect(throws: SQLiteError.self) { try Connection(reading: files) }
    #expect(error?.message.contains("not a regular file but a directory") == true)
    #expect(try column("SELECT b FROM t", on: Connection(reading: files, policy: .init(useWAL: false))) == ["1"])
  }

  @Test func refusesWhatIsNoDatabase() throws {
    for bytes in [Array("bplist00".utf8), [UInt8](repeating: 7, count: 5000)] {
      let error = #expect(throws: SQLiteError.self) {
        let connection = try Connection(reading: MemoryBytes(bytes, name: "model.mom"))
        _ = try connection.schema()
      }
      #expect(error?.primaryCode == SQLITE_NOTADB)
      #expect(error?.path == "model.mom")
    }
  }

  @Test func manyConnectionsReadTheSameFiles() async throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1), (2);").copy()
    let path = folder.file("a.sqlite")
    try await withThrowingTaskGroup(of: [String?].self) { group in
      for _ in 0..<8 {
        group.addTask { try column("SELECT b FROM t", on: Connection(reading: DatabaseFiles(path: path))) }
      }
      for try await rows in group { #expect(rows == ["1", "2"]) }
    }
  }

  @Test func statementsOutliveTheirConnectionsOwner() throws {
    let folder = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1), (2);").copy()
    let rows = try reading(folder).prepare("SELECT b FROM t")
    #expect(try rows.step())
    let connection = try reading(folder)
    let others = try connection.prepare("SELECT b FROM t")
    connection.close()
    #expect(try others.step())
    #expect(throws: SQLiteError.self) { try connection.prepare("SELECT 1") }
  }
}
