import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

@Suite struct TarArchiveTests {
  private let long = String(repeating: "folder/", count: 60) + "Notes.sqlite"

  @Test(arguments: [false, true]) func namesOfEveryKindAreRead(isPacked: Bool) throws {
    var tar = TarMaker()
    tar.add("/private/a.sqlite", database())
    tar.add("././@LongLink", Array((long + "\0").utf8), type: "L")
    tar.add(Array(long.utf8.prefix(100)), database(seed: 1))
    tar.addRecords([("path", "pax/\(long)"), ("mtime", "1700000000.5")])
    tar.add("short", database(seed: 2))
    tar.add(Array("wide.sqlite".utf8), database(seed: 3), isWide: true)
    tar.add(Array("half.sqlite".utf8), database(seed: 4)) { block in
      for (position, byte) in "prefix".utf8.enumerated() { block[345 + position] = byte }
    }
    tar.add("folder.sqlite/", [], type: "5")
    tar.add("link.sqlite", [], type: "2")
    let place = try TriedPlace(isPacked ? gzip(tar.archive) : tar.archive, named: "a.tar")
    #expect(
      place.lines == [
        long, "pax/\(long)", "prefix/half.sqlite", "/private/a.sqlite", "wide.sqlite",
        "link.sqlite: link: a link, which is not followed",
      ])
    for (name, seed) in [(long, 1), ("pax/\(long)", 2), ("wide.sqlite", 3), ("prefix/half.sqlite", 4)] {
      #expect(try place.bytes(name) == database(seed: UInt8(seed)), "\(name)")
    }
  }

  @Test func aGzipFileMayBeSeveralJoined() throws {
    var tar = TarMaker()
    tar.add("a.sqlite", database(200_000))
    let bytes = tar.archive
    let joined = try gzip(Array(bytes[..<70_000])) + gzip(Array(bytes[70_000...]))
    #expect(try TriedPlace(joined, named: "a.tgz").bytes("a.sqlite") == database(200_000))
  }

  /// Of a cut archive the beginning of a store is evidence, and is read as one that is cut.
  @Test(arguments: [false, true]) func keepsTheBeginningOfAStore(isPacked: Bool) throws {
    var tar = TarMaker()
    var noise = SeededGenerator(seed: 1)
    let content = database() + (0..<200_000).map { _ in UInt8.random(in: 0 ... .max, using: &noise) }
    for name in ["a.sqlite", "b.sqlite", "c.sqlite"] { tar.add(name, content) }
    let bytes = isPacked ? try gzip(tar.archive) : tar.archive
    let place = try TriedPlace(Array(bytes[..<(bytes.count / 2)]), named: "a.tar")
    #expect(place.sets.map(\.size) == [Int64(content.count), Int64(content.count)])
    let cut = try place.bytes("b.sqlite")
    #expect(cut.count < content.count && content.starts(with: cut))
    #expect(
      place.lines.contains(": whole: the archive ends early or is damaged; what comes later in it is missing"))
  }

  @Test func sparseFilesAreWholeAgain() throws {
    let (first, second) = (database(1000 - 16), [UInt8](repeating: 3, count: 512))
    let whole = first + [UInt8](repeating: 0, count: 9000) + second
    var tar = TarMaker()
    // GNU's old kind: parts in the header.
    tar.add(Array("old.sqlite".utf8), first + second, type: "S") { block in
      func put(_ value: Int, at offset: Int) {
        for (position, byte) in octal(value).utf8.enumerated() { block[offset + position] = byte }
      }
      put(0, at: 386)
      put(first.count, at: 398)
      put(first.count + 9000, at: 410)
      put(second.count, at: 422)
      put(whole.count, at: 483)
      for position in 0..<6 { block[257 + position] = Array("ustar ".utf8)[position] }
      block[263] = UInt8(ascii: " ")
      block[264] = 0
    }
    // pax 1.0: parts at the beginning of the data.
    tar.addRecords([
      ("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0"), ("GNU.sparse.name", "new.sqlite"),
      ("GNU.sparse.realsize", "\(whole.count)"),
    ])
    let map = Array("2\n0\n\(first.count)\n\(first.count + 9000)\n\(second.count)\n".utf8)
    tar.add("GNUSparseFile.0/new.sqlite", map + [UInt8](repeating: 0, count: 512 - map.count) + first + second)
    // pax 0.1: parts in the header.
    tar.addRecords([
      ("GNU.sparse.map", "0,\(first.count),\(first.count + 9000),\(second.count)"),
      ("GNU.sparse.name", "middle.sqlite"), ("GNU.sparse.size", "\(whole.count)"),
    ])
    tar.add("GNUSparseFile.0/middle.sqlite", first + second)
    tar.add("after.sqlite", database())
    let place = try TriedPlace(tar.archive, named: "a.tar")
    #expect(place.lines == ["after.sqlite", "middle.sqlite", "new.sqlite", "old.sqlite"])
    for name in ["old.sqlite", "new.sqlite", "middle.sqlite"] { #expect(try place.bytes(name) == whole, "\(name)") }
    #expect(try place.bytes("after.sqlite") == database())
  }

  private func octal(_ value: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: 11 - text.count) + text
  }

  @Test func partsThatMakeNoSenseAreSaid() throws {
    var tar = TarMaker()
    for map in ["0,5000,100,200", "0", "9,9,9,9,9", "0,99999999999999999999"] {
      tar.addRecords([("GNU.sparse.map", map), ("GNU.sparse.name", "x.sqlite"), ("GNU.sparse.size", "6000")])
      tar.add("y", database(1000))
    }
    let place = try TriedPlace(tar.archive, named: "a.tar")
    #expect(place.sets.isEmpty)
    #expect(place.leftOut.count == 4 && place.leftOut.allSatisfy { $0.reason.hasPrefix("it is a sparse file") })
  }
}
