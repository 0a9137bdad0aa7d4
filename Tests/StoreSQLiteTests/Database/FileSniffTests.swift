import StoreSQLite
import TestSupport
import Testing

@Suite struct FileSniffTests {
  @Test(arguments: [
    ([], FileSniff.empty),
    (Array("SQLite format 3\0".utf8), .sqlite),
    ([0x37, 0x7f, 0x06, 0x82, 0, 0x2d], .writeAheadLog),
    ([0x37, 0x7f, 0x06, 0x83, 0, 0x2d], .writeAheadLog),
    ([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7], .rollbackJournal),
    ([0x18, 0xe2, 0x2d, 0x00, 0, 0, 0, 0, 1], .sharedMemory),
    (Array("bplist00".utf8), .binaryPropertyList),
    ([0x1f, 0x8b, 8], .gzip),
    (Array("PK\u{3}\u{4}".utf8), .zip),
    (
      Array(#"<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" ""><plist>"#.utf8),
      .xmlPropertyList
    ),
    (
      Array(#"<?xml version="1.0"?>\#n<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#.utf8),
      .xmlStore
    ),
    (Array("<?xml version='1.0'?>\n<database><databaseInfo>".utf8), .xmlStore),
    (Array("\u{feff}<?xml version='1.0'?><model>".utf8), .xml),
    (Array("import SwiftData\n// Größe".utf8), .text),
    ([UInt8](repeating: 0, count: 4096), .zeros),
    ([1, 2, 3], .unknown),
    ([UInt8](repeating: 0x90, count: 4096), .unknown),
  ])
  func tellsWhatAFileIs(bytes: [UInt8], kind: FileSniff) {
    #expect(FileSniff(bytes) == kind)
  }

  @Test func tellsRandomBytes() {
    for seed in 1...50 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(FileSniff(bytes) == .random, "seed \(seed)")
      #expect(FileSniff(bytes.map { $0 & 0xf7 }) == .unknown, "seed \(seed)")
    }
  }

  @Test func textMayBeCutWithinACharacter() {
    for length in 1...12 { #expect(FileSniff(Array(Array("aé€😀é€".utf8).prefix(length))) == .text) }
  }

  @Test func readsOnlyTheBeginning() throws {
    #expect(
      FileSniff(Array("text".utf8) + [UInt8](repeating: 32, count: 5000) + [0, 1, 2]) == .text)
  }
}
