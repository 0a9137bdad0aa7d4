@testable import StoreAudit
@testable import StorePlaces
import TestSupport
import Testing

@Suite struct TarReaderTests {
  /// Everything that is read: a line for each entry, then how it ended.
  private func read(_ tar: [UInt8], parts: Int = .max) -> [String] {
    var rest = tar[...]
    var reader = TarReader {
      let part = Array(rest.prefix(parts))
      rest.removeFirst(part.count)
      return part
    }
    var lines: [String] = []
    do {
      while let entry = try reader.next() {
        lines.append("\(entry.kind) \(shown(entry.name)) \(entry.size)")
        var content = try reader.readHead(3)
        while case let part = try reader.read(), !part.isEmpty { content += part }
        #expect(content.count == entry.size)
        lines.append(shown(Array(content.prefix(20))))
      }
      return lines + ["end"]
    } catch {
      let names = [
        "the tar archive ends early": "endsEarly", "the tar archive has no header where one has to be": "noHeader",
      ]
      return lines + [names["\(error)"] ?? "\(error)"]
    }
  }

  private static let sample =
    tarEntry("a.sqlite", Array("first".utf8)) + tarEntry("folder", type: "5")
    + tarEntry("././@LongLink", Array((String(repeating: "n", count: 600) + "\0").utf8), type: "L")
    + tarEntry(String(repeating: "n", count: 100), [UInt8](repeating: 0x78, count: 512))
    + tarEntry("././@LongLink", Array("target\0".utf8), type: "K") + tarEntry("soft", type: "2")
    + tarEntry("old", Array("v7".utf8), type: "\0") + tarEnd

  @Test(arguments: [1, 7, 511, 512, 513, .max]) func readsEntriesInPartsOfAnySize(parts: Int) {
    #expect(
      read(Self.sample, parts: parts) == [
        "file a.sqlite 5", "first", "other folder 0", "", "file \(String(repeating: "n", count: 600)) 512",
        String(repeating: "x", count: 20), "link soft 0", "", "file old 2", "v7", "end",
      ])
  }

  @Test func readsSizesInAnyNotation() {
    func size(_ field: [UInt8]) -> Int64? {
      TarHeader(tarHeader("a", size: 0) { $0.replaceSubrange(124..<124 + field.count, with: field) })?.contentSize
    }
    #expect(size(Array("00000000017".utf8)) == 15)
    #expect(size(Array("       17 \0".utf8)) == 15)
    #expect(size(Array("777777777777".utf8)) == 68_719_476_735)
    #expect(size([0x80, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 1]) == 68_719_476_737)
    #expect(size([0x80, 0, 0, 0, 0x7f] + [UInt8](repeating: 0xff, count: 7)) == .max)
    #expect(size([0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(size([UInt8](repeating: 0xff, count: 12)) == nil)
    #expect(size(Array("00000000018".utf8)) == nil)
    #expect(size(Array("-0000000017".utf8)) == nil)
  }

  @Test func joinsThePrefixOfUstar() {
    let header = tarHeader("name", size: 0) {
      $0.replaceSubrange(257..<265, with: Array("ustar\u{0}00".utf8))
      $0.replaceSubrange(345..<351, with: Array("folder".utf8))
    }
    #expect(TarHeader(header).map { shown($0.name) } == "folder/name")
  }

  @Test func saysHowItEnded() {
    #expect(read([]) == ["endsEarly"])
    #expect(read(tarEntry("a", Array("text".utf8))) == ["file a 4", "text", "endsEarly"])
    #expect(read(Array(tarEntry("a", Array("text".utf8)).prefix(514))) == ["file a 4", "endsEarly"])
    #expect(read(Array("no tar ".utf8) + tarEnd) == ["noHeader"])
    #expect(read(tarHeader("a", size: 8_589_934_591)) == ["file a 8589934591", "endsEarly"])
  }

  /// A damaged tar gives entries or a failure, and the same ones whatever the sizes of the parts in which it is read.
  @Test(arguments: LongRuns.seeds(300, whole: 30_000)) func survivesInjuries(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tar = Self.sample
    for _ in 0...Int.random(in: 0...3, using: &random) { injure(&tar, &random) }
    let whole = read(tar)
    #expect(read(tar, parts: Int.random(in: 1...2000, using: &random)) == whole, "seed \(seed)")
    #expect(["end", "endsEarly", "noHeader"].contains(whole.last), "seed \(seed)")
  }

  private func injure(_ tar: inout [UInt8], _ random: inout SeededGenerator) {
    let block = Int.random(in: 0..<tar.count / 512, using: &random) * 512
    switch Int.random(in: 0..<4, using: &random) {
    case 0: tar[Int.random(in: 0..<tar.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    case 1: tar.removeLast(Int.random(in: 0..<512, using: &random))
    case 2: tar[block..<block + 512].shuffle(using: &random)
    // A header that is right but for one field.
    default:
      let field = [0, 124, 135, 156, 157, 257, 345].randomElement(using: &random) ?? 0
      tar[block + field] = [0, 0x20, 0x30, 0x37, 0x4c, 0x80, 0xff].randomElement(using: &random) ?? 0
      seal(&tar, block)
    }
    if tar.count < 512 { tar = Self.sample }
  }

  private func seal(_ tar: inout [UInt8], _ block: Int) {
    tar.replaceSubrange(block + 148..<block + 156, with: Array("        ".utf8))
    let sum = String(tar[block..<block + 512].reduce(0) { $0 + Int($1) }, radix: 8)
    tar.replaceSubrange(block + 148..<block + 148 + sum.utf8.count, with: Array(sum.utf8))
  }
}
