import StoreSQLite
import TestSupport
import Testing

@Suite struct CheckpointedFileTests {
  private static let rows =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
    + "INSERT INTO t(b) SELECT printf('%0200d', i) FROM n;"

  @Test(arguments: [
    "UPDATE t SET b = 'changed' WHERE a % 50 = 0",
    // Longer than the main file, and with pages that were written and then freed.
    rows + "DELETE FROM t WHERE a > 700",
    // Shorter.
    "DELETE FROM t WHERE a > 100; VACUUM",
  ]) func isWhatEmptyingTheWALLeaves(_ change: String) throws {
    let sample = try WALSample(
      "CREATE TABLE t(a INTEGER PRIMARY KEY, b); \(Self.rows) PRAGMA wal_checkpoint(TRUNCATE);")
    try sample.execute(change)
    let (main, wal) = try (MemoryBytes(sample.main), WAL(scanning: MemoryBytes(sample.wal)))
    let file = try #require(CheckpointedFile(main: main, wal: wal))
    // Pieces that end within pages.
    let pieces = try stride(from: 0, to: file.size, by: 1000).map { try file.read(at: $0, count: 1000) }
    #expect(try file.read(at: file.size, count: 1) == [])

    try sample.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try expectSameBytes(pieces.joined(), as: sample.main)
  }

  @Test func aLogWithoutACommitChangesNothing() throws {
    let sample = try WALSample("CREATE TABLE t(a)")
    #expect(try CheckpointedFile(main: MemoryBytes(sample.main), wal: WAL(scanning: MemoryBytes([]))) == nil)
  }
}
