import Foundation
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

/// Archives and backups with bytes changed, cut out, doubled and cut off: whatever comes out, nothing is written but private
/// files, and what is not said to be damaged is as it was.
@Suite struct MutatedArchiveTests {
  private static func inner() throws -> ZipMaker {
    var inner = ZipMaker()
    try inner.add("x/Inner.sqlite", database(500), .init(isStreamed: true))
    try inner.add("x/Inner.sqlite-wal", log, .init(method: 0))
    return inner
  }

  private static func original(_ kind: Int) throws -> [UInt8] {
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
    tar.add("inner.zip", try inner().archive())
    var zip = ZipMaker()
    try zip.add("/abs/Notes.sqlite", database(900), .init(isWide: true, time: 5))
    try zip.add("/abs/Notes.sqlite-wal", log)
    try zip.add("inner.tar.gz", gzip(tar.archive))
    try zip.add("inner.zip", try inner().archive(), .init(method: 0))
    switch kind {
    case 0: return zip.archive(isWide: true)
    case 1: return zip.archive()
    case 2: return tar.archive
    default: return try gzip(tar.archive)
    }
  }

  /// What files of archives that have checksums hold.
  private static let wholes: Set<[UInt8]> = [
    database(500), database(800), database(900), log, database(500) + [UInt8](repeating: 0, count: 4484),
  ]

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
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
  }

  @Test(arguments: LongRuns.seeds(48, whole: 1600)) func nothingIsWrittenButPrivateFiles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try Self.original(Int(seed % 4))
    Self.mutate(&bytes, &random)
    let name = seed % 4 < 2 ? "a.zip" : "a.tar"
    do {
      let place = try TriedPlace(bytes, named: name)
      let others = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
      #expect(Set(others) == [name, "private"])
      for set in place.sets where set.isDatabase {
        let file = try EvidenceFile(set.files[0].path)
        #expect(file.size <= set.size)
      }
      // A tar alone has no checksum of what it holds.
      if place.leftOut.isEmpty, seed % 4 != 2 {
        for file in place.sets.flatMap(\.files) {
          let file = try EvidenceFile(file.path)
          let bytes = try file.read(at: 0, count: Int(file.size))
          #expect(Self.wholes.contains(bytes), "seed \(seed): \(place.lines)")
        }
      }
    } catch is ArchiveError {
      // It says what is wrong.
    } catch is NoArchive {
      // It is no archive any more.
    }
  }

  /// Whatever the lists of a backup say, its databases are found, and nothing is left out in silence.
  @Test(arguments: LongRuns.seeds(12, whole: 400)) func noListHidesADatabase(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var backup = try BackupMaker()
    let path = "Library/Application Support/Notes.sqlite"
    for domain in ["AppDomain-com.example.notes", "HomeDomain"] {
      try backup.add(domain, path, database())
      try backup.add(domain, path + "-wal", log)
      try backup.add(domain, "Library/Application Support/.Notes_SUPPORT/_EXTERNAL_DATA/0A1B", [1])
    }
    for number in 0..<40 { try backup.add("HomeDomain", "Library/\(number).plist", nil) }
    let list = seed % 2 == 0 ? "Manifest.db" : "Manifest.mbdb"
    if seed % 2 == 0 { try backup.list() } else { try backup.oldList() }
    for name in [list, "Info.plist", "Manifest.plist"] {
      var bytes = try contents(of: backup.root + "/" + name)
      Self.mutate(&bytes, &random)
      try backup.write(bytes, to: name)
    }
    let place = try TriedPlace(path: backup.root, in: backup.folder)
    #expect(place.sets.filter(\.isDatabase).count >= 2, "seed \(seed): \(place.lines)")
  }
}
