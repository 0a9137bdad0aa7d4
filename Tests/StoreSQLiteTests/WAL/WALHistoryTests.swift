import StoreSQLite
import TestSupport
import Testing

@Suite struct WALHistoryTests {
  @Test func namesThePageThatACheckpointOverwrote() throws {
    let sample = try WALSample("CREATE TABLE t(b); CREATE TABLE u(b); PRAGMA wal_checkpoint(TRUNCATE);")
    try sample.execute("INSERT INTO t VALUES (1); INSERT INTO u VALUES (2);")
    func refusals() throws -> [WALHistory.Refusal?] {
      try WALHistory(of: MemoryBytes(sample.wal), over: MemoryBytes(sample.main)).commits.map(\.refusal)
    }
    #expect(try refusals() == [nil, nil, nil])
    // Commit 1 has page 2, with t; its page 3, with u, was in the main file alone.
    try sample.execute("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try refusals() == [.overwritten(page: 2, by: 1), .overwritten(page: 3, by: 2), nil])
  }

  @Test func refusesWhereADamagedFrameWasCheckpointed() throws {
    let sample = try WALSample(
      "CREATE TABLE t(b); CREATE TABLE u(b); INSERT INTO t VALUES (1); INSERT INTO u VALUES (2);")
    try sample.execute("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (3); INSERT INTO u VALUES (4);")
    try sample.execute("PRAGMA wal_checkpoint(PASSIVE)")
    // The last frame, with page 3, is damaged after the checkpoint; the main file still has what it held.
    var wal = try sample.wal
    wal[wal.count - 1025] ^= 1
    let history = try WALHistory(of: MemoryBytes(wal), over: MemoryBytes(sample.main))
    #expect(history.commits.map(\.refusal) == [.overwritten(page: 2, by: 1), .overwritten(page: 3, by: nil)])
  }
}
