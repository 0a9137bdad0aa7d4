import StoreSQLite
import TestSupport
import Testing

/// Random damage to files, from seeds, always gives a result or an error, never a trap, a hang or endless memory.
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
    var accepted = 0
    for seed in 0..<3000 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = injure(good, dense: 100, &generator)
      let isDatabase = (try? DatabaseHeader(bytes)) != nil
      #expect(isDatabase == isHeader(bytes), "seed \(seed)")
      #expect((FileSniff(bytes) == .sqlite) == bytes.starts(with: "SQLite format 3\0".utf8), "seed \(seed)")
      if isDatabase { accepted += 1 }
    }
    #expect(accepted > 300)
  }

  /// What https://www.sqlite.org/fileformat2.html, section 1.3, asks of a header.
  private func isHeader(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 100, bytes.starts(with: "SQLite format 3\0".utf8) else { return false }
    let sizes = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [0, 1]] as [[UInt8]]
    // Of pages of 512 bytes, the smallest, 480 have to remain.
    return sizes.contains(Array(bytes[16..<18])) && (bytes[16] != 2 || bytes[20] <= 32) && bytes[21] == 64
      && bytes[22] == 32 && bytes[23] == 32
  }

  @Test func logs() throws {
    let good = try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);").wal
    for seed in 0..<600 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
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
      var generator = SeededGenerator(seed: seed)
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
    var read = 0
    for seed in 0..<400 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = MemoryBytes(injure(main, dense: 120, &generator))
      let log = MemoryBytes(seed % 2 == 0 ? wal : injure(wal, dense: 64, &generator))
      if readsTheRows(bytes, seed % 3 == 0 ? nil : log) { read += 1 }
    }
    // Most damage is in parts that hold no rows.
    #expect(read > 100)
  }

  /// Reads everything, and returns whether there were three rows.
  private func readsTheRows(_ main: MemoryBytes, _ wal: MemoryBytes?) -> Bool {
    guard let connection = try? Connection(reading: main, wal: wal, policy: .init(deadline: .seconds(2))) else {
      return false
    }
    var rows = 0
    for table in (try? connection.schema()) ?? [] where table.isOrdinaryTable {
      _ = try? connection.columns(of: table.name)
      _ = try? connection.indexes(of: table.name)
      rows += (try? column("SELECT * FROM \(quotedIdentifier(table.name))", on: connection))?.count ?? 0
    }
    _ = try? column("PRAGMA integrity_check", on: connection)
    return rows == 3
  }
}
