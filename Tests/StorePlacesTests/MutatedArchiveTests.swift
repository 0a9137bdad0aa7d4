import Foundation
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

/// Archives with bytes changed, cut out, doubled and cut off: whatever comes out, nothing is written but private files, and
/// what comes out of a zip has its checksum.
@Suite struct MutatedArchiveTests {
  private static func original(_ kind: Int) throws -> [UInt8] {
    var inner = ZipMaker()
    try inner.add("x/Inner.sqlite", database(500), .init(isStreamed: true))
    try inner.add("x/Inner.sqlite-wal", log, .init(method: 0))
    var tar = TarMaker()
    tar.add("././@LongLink", Array((String(repeating: "n/", count: 80) + "Notes.sqlite\0").utf8), type: "L")
    tar.add("n", database(800))
    tar.addRecords([("path", "../pax.sqlite"), ("size", "816"), ("mtime", "1")])
    tar.add("p", database(800))
    tar.addRecords([
      ("GNU.sparse.major", "1"), ("GNU.sparse.name", "s.sqlite"), ("GNU.sparse.realsize", "5000"),
    ])
    let map = Array("1\n0\n516\n".utf8)
    tar.add("s", map + [UInt8](repeating: 0, count: 512 - map.count) + database(500))
    tar.add("inner.zip", inner.archive())
    var zip = ZipMaker()
    try zip.add("/abs/Notes.sqlite", database(900), .init(isWide: true, time: 5))
    try zip.add("/abs/Notes.sqlite-wal", log)
    try zip.add("inner.tar.gz", gzip(tar.archive))
    try zip.add("inner.zip", inner.archive(), .init(method: 0))
    switch kind {
    case 0: return zip.archive(isWide: true)
    case 1: return zip.archive()
    case 2: return tar.archive
    default: return try gzip(tar.archive)
    }
  }

  @Test(arguments: LongRuns.seeds(40, whole: 2000)) func nothingIsWrittenButPrivateFiles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try Self.original(Int(seed % 4))
    for _ in 0...Int.random(in: 0...6, using: &random) where bytes.count > 600 {
      let place = Int.random(in: 0..<bytes.count - 20, using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0 ... .max, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 8))
      case 3: bytes.removeSubrange(place..<place + Int.random(in: 1...20, using: &random))
      case 4: bytes.insert(contentsOf: bytes[place..<place + 20], at: Int.random(in: 0..<bytes.count, using: &random))
      default: bytes.removeLast(Int.random(in: 1...200, using: &random))
      }
    }
    let name = seed % 4 < 2 ? "a.zip" : "a.tar"
    do {
      let place = try TriedPlace(bytes, named: name)
      let others = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
      #expect(Set(others) == [name, "private"])
      for set in place.sets where set.isDatabase {
        let file = try EvidenceFile(set.files[0].path)
        #expect(file.size <= set.size)
      }
    } catch is ArchiveError {
      // It says what is wrong.
    } catch is NoArchive {
      // It is no archive any more.
    }
  }
}
