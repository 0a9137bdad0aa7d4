import StoreSQLite
import Testing

/// Random damage (by seed) gives a result or an error, never a crash, a hang or endless memory.
@Suite struct MutationTests {
  /// Changes one to eight bytes, mostly within the first `dense` bytes, and sometimes cuts off the end.
  private func injure(_ bytes: [UInt8], dense: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
      let range = Bool.random(using: &generator) ? min(dense, bytes.count) : bytes.count
      let interesting: [UInt8] = [0, 1, 0x7f, 0x80, 0xff, .random(in: 0...255, using: &generator)]
      bytes[.random(in: 0..<range, using: &generator)] = interesting.randomElement(using: &generator) ?? 0
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      bytes.removeLast(.random(in: 0...bytes.count, using: &generator))
    }
    return bytes
  }

  @Test func headers() throws {
    let good = try Array(WALSample("CREATE TABLE t(b)").main.prefix(100))
    for seed in 0..<3000 as Range<UInt64> {
      var generator = SeededGenerator(state: seed)
      let bytes = injure(good, dense: 100, &generator)
      _ = try? DatabaseHeader(bytes)
      _ = FileSniff(bytes)
    }
  }

  @Test func logs() throws {
    let good = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);").wal
    for seed in 0..<600 as Range<UInt64> {
      var generator = SeededGenerator(state: seed)
      var file = WALFile(injure(good, dense: 64, &generator) + good.suffix(32))
      // Every other one has right checksums, so that the code behind them is reached.
      if seed % 2 == 0 { file.seal(bigEndian: seed % 4 == 0) }
      let wal = try WAL(scanning: MemoryBytes(file.bytes))
      #expect(wal.committedFrames <= wal.validFrames && wal.validFrames <= wal.frames, "seed \(seed)")
      for page in wal.pages.pages { #expect(try wal.page(page) != nil, "seed \(seed)") }
    }
  }

  @Test func journals() throws {
    let sample = try HotJournalSample(synchronous: "FULL", transaction: "UPDATE t SET b = 0 WHERE a < 60")
    let good = try sample.folder.bytes("a.sqlite-journal")
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(state: seed)
      let journal = try RollbackJournal(scanning: MemoryBytes(injure(good, dense: 28, &generator)))
      #expect(journal.pages.count <= journal.records, "seed \(seed)")
      for page in journal.pages.pages { #expect(try journal.page(page)?.count == journal.pageSize, "seed \(seed)") }
    }
  }

  @Test func databases() throws {
    let sample = try WALSample(
      "CREATE TABLE t(b); CREATE INDEX i ON t(b); INSERT INTO t VALUES (1), ('x'), (zeroblob(3000));")
    let wal = try sample.wal
    try sample.execute("PRAGMA wal_checkpoint")
    let main = try sample.main
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(state: seed)
      let bytes = MemoryBytes(injure(main, dense: 120, &generator))
      let log = MemoryBytes(seed % 2 == 0 ? wal : injure(wal, dense: 64, &generator))
      readEverything(bytes, seed % 3 == 0 ? nil : log)
    }
  }

  private func readEverything(_ main: MemoryBytes, _ wal: MemoryBytes?) {
    guard let connection = try? Connection(reading: main, wal: wal, policy: .init(deadline: .seconds(2))) else {
      return
    }
    for table in (try? connection.schema()) ?? [] where table.isOrdinaryTable {
      _ = try? connection.columns(of: table.name)
      _ = try? connection.indexes(of: table.name)
      _ = try? column("SELECT * FROM \(quotedIdentifier(table.name))", on: connection)
    }
    _ = try? column("PRAGMA integrity_check", on: connection)
  }
}
