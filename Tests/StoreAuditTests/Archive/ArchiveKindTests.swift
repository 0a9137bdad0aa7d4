@testable import StoreAudit
@testable import StorePlaces
import TestSupport
import Testing

@Suite struct ArchiveKindTests {
  static let heads: [String: [UInt8]] = [
    "zip": [0x50, 0x4b, 3, 4], "empty zip": [0x50, 0x4b, 5, 6], "gzip": [0x1f, 0x8b, 8],
    "tar": tarHeader("Notes.sqlite", size: 5), "text": Array("hello".utf8), "empty": [],
    "cut tar": Array(tarHeader("Notes.sqlite", size: 5).prefix(511)),
    "tar with a wrong checksum": tarHeader("Notes.sqlite", size: 5).map { $0 == 0x4e ? 0x4f : $0 },
  ]

  @Test(arguments: [
    ("a.zip", "zip", true), ("a.ZIP", "empty zip", true), ("a.zip", "gzip", false), ("a.docx", "zip", false),
    ("a.ipa", "zip", true), (".zip", "zip", false), ("a.tar.gz", "gzip", true), ("a.tgz", "gzip", true),
    ("a.gz", "gzip", false), ("a.tar", "tar", true), ("a.tar", "cut tar", false), ("a.zip", "text", false),
    ("a.tar", "tar with a wrong checksum", false), ("a.tar", "gzip", false), ("a.tar", "empty", false),
    (nil, "zip", true), (nil, "gzip", true), (nil, "tar", true), (nil, "text", false), (nil, "empty", false),
  ])
  func tellsByContentAndName(name: String?, head: String, expected: Bool) throws {
    #expect(isArchive(name: name.map { Array($0.utf8) }, head: try #require(Self.heads[head])) == expected)
  }

  /// libarchive reads lists of files in mtree's format as archives, and would take the content of entries from this
  /// machine's files. A list must not count as a tar, even with a checksum in the right place.
  @Test(arguments: [
    ("#mtree\n./x.sqlite type=file contents=/etc/passwd\n", "!"), ("#mtree\n./x.sqlite contents=/etc/passwd\n", "0"),
    ("x.sqlite", "!"), (String(repeating: "x", count: 100) + "mode", "0"),
  ])
  func aListIsNoTar(text: String, type: Character) {
    let head = tarHeader("", size: 0, type: type) { $0.replaceSubrange(0..<text.utf8.count, with: Array(text.utf8)) }
    #expect(ArchiveKind(head: head) == nil)
  }

  /// libarchive does not accept such a checksum of a tar, even a right one, and takes the block for an mtree list.
  @Test(arguments: [true, false]) func aChecksumInAnotherNotationIsNone(isBase256: Bool) {
    let entry = Array("a type=file contents=/etc/passwd\n".utf8)
    var head = tarHeader("", size: 0) { $0.replaceSubrange(0..<entry.count * 3, with: entry + entry + entry) }
    #expect(ArchiveKind(head: head) == .tar)
    if isBase256 {
      let sum = head.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
      head.replaceSubrange(148..<156, with: [0x80, 0, 0, 0, 0, 0, UInt8(sum >> 8), UInt8(sum & 0xff)])
    } else {
      head[155] = UInt8(ascii: "x")
    }
    #expect(TarHeader(head) != nil, "the sum is right")
    #expect(ArchiveKind(head: head) == nil)
  }

  /// Programs write numbers in different ways, and may leave them empty.
  @Test(arguments: ["", "        ", "0000000\u{0}", "     0 \u{0}", "00000000"], ["ustar\u{0}00", "ustar  \u{0}"])
  func tarsOfAnyProgramAreTar(number: String, magic: String) {
    for type: Character in ["\0", "0", "5", "7", "L", "x", "g", "S"] {
      let head = tarHeader("x.sqlite", size: 5, type: type) { block in
        for start in [100, 108, 116, 329, 337] {
          block.replaceSubrange(start..<start + number.utf8.count, with: Array(number.utf8))
        }
        block.replaceSubrange(257..<265, with: Array(magic.utf8))
      }
      #expect(ArchiveKind(head: head) == .tar)
    }
  }

  @Test func ustarAndItsNumbersAreTar() {
    let head = tarHeader("x.sqlite", size: 5) { block in
      block.replaceSubrange(257..<265, with: Array("ustar\u{0}00".utf8))
      block.replaceSubrange(100..<108, with: Array("0000644\u{0}".utf8))
      block.replaceSubrange(108..<116, with: Array("  1750 \u{0}".utf8))
      block.replaceSubrange(136..<148, with: [0xFF] + Array(repeating: 0xFE, count: 11))
    }
    #expect(ArchiveKind(head: head) == .tar)
  }
}
