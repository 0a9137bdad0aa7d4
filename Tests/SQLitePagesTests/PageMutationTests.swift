import Foundation
import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// Damaged pages give values or faults, and always an end.
@Suite struct PageMutationTests {
  /// The limit is for a walk that does not end.
  @Test(.timeLimit(.minutes(10))) func damagedPagesGiveValuesOrFaults() throws {
    let samples = try (0..<6 as Range<UInt64>).map { seed in
      let sample = try GeneratedDatabase(seed: seed * 7 + 1)
      let log = FileManager.default.contents(atPath: sample.path + "-wal").map(Array.init)
      return (main: try contents(of: sample.path), log: log)
    }
    var faults = 0
    for seed in LongRuns.seeds(300, whole: 10_000) {
      var random = SeededGenerator(seed: seed)
      let sample = samples[Int(seed) % samples.count]
      let main = injured(sample.main, &random)
      let log = sample.log.map { seed % 3 == 0 ? injured($0, &random) : $0 }
      guard
        let files = try? PageFiles(
          main: MemoryBytes(main), wal: log.map { MemoryBytes($0) }, journal: MemoryBytes(injured(main, &random)))
      else { continue }
      faults += try readAll(files, "seed \(seed)")
    }
    #expect(faults > 100)
  }

  /// Reads everything there is; the number of faults. No page is entered twice, so a walk gives at most as many entries as
  /// all pages have room for.
  private func readAll(_ files: PageFiles, _ label: Comment) throws -> Int {
    let view = PageView(files)
    let schema = try PageSchema(view)
    var faults = schema.faults.count + (try Freelist(view)).faults.count
    var record = Record()
    for entry in schema.entries.prefix(50) {
      _ = entry.sql.flatMap { TableDefinition(sql: $0) }
      var walk = BTreeWalk(view, root: entry.root)
      var entries = 0
      try walk.run { row in
        entries += 1
        guard record.read(row.payload) else { return true }
        for column in 0..<record.count {
          _ = record.value(column, in: row.payload, encoding: files.header.textEncoding)
        }
        return true
      }
      #expect(entries <= Int(view.pageCount) * files.geometry.usableSize / 2, label)
      #expect(walk.faults.count <= Int(view.pageCount) * files.geometry.usableSize / 2, label)
      _ = try view.find(rowID: 7, root: entry.root)
      faults += walk.faults.count
    }
    for page in 1...min(max(1, view.pageCount), 400) {
      _ = try view.pointerMapEntry(page)
      guard let bytes = try view.page(page) else { continue }
      bytes.withUnsafeBytes { bytes in
        guard let header = BTreePage(bytes, isFirst: page == 1, usableSize: files.geometry.usableSize) else { return }
        let anatomy = PageAnatomy(bytes, header: header, geometry: files.geometry)
        for range in anatomy.unclaimed + anatomy.freeblocks { #expect(range.upperBound <= files.geometry.usableSize) }
      }
    }
    return faults
  }

  /// Changes some bytes, mostly of headers of pages, and sometimes cuts off the end.
  private func injured(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...24, using: &random) where !bytes.isEmpty {
      let page = Int.random(in: 0..<max(1, bytes.count / 512), using: &random) * 512
      let offset =
        Bool.random(using: &random)
        ? page + Int.random(in: 0..<16, using: &random) : Int.random(in: 24..<max(25, bytes.count), using: &random)
      guard offset >= 24, offset < bytes.count else { continue }
      bytes[offset] =
        [0, 1, 2, 5, 10, 13, 0x7f, 0x80, 0xff, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
    }
    if Int.random(in: 0..<5, using: &random) == 0 { bytes.removeLast(.random(in: 0...bytes.count / 2, using: &random)) }
    return bytes
  }
}
