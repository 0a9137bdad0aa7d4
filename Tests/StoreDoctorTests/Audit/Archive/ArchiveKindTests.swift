import TestSupport
import Testing

@testable import StoreDoctor

@Suite struct ArchiveKindTests {
  static let heads: [String: [UInt8]] = [
    "zip": [0x50, 0x4b, 3, 4], "empty zip": [0x50, 0x4b, 5, 6], "gzip": [0x1f, 0x8b, 8],
    "tar": tarHeader("Notes.sqlite", size: 5), "text": Array("hello".utf8), "empty": [],
    "cut tar": Array(tarHeader("Notes.sqlite", size: 5).prefix(511)),
    "tar with a wrong checksum": tarHeader("Notes.sqlite", size: 5).map { $0 == 0x4e ? 0x4f : $0 },
  ]

  @Test(arguments: [
    ("a.zip", "zip", true), ("a.ZIP", "empty zip", true), ("a.zip", "gzip", false), ("a.docx", "zip", false),
    ("a.ipa", "zip", false), (".zip", "zip", false), ("a.tar.gz", "gzip", true), ("a.tgz", "gzip", true),
    ("a.gz", "gzip", false), ("a.tar", "tar", true), ("a.tar", "cut tar", false), ("a.zip", "text", false),
    ("a.tar", "tar with a wrong checksum", false), ("a.tar", "gzip", false), ("a.tar", "empty", false),
    (nil, "zip", true), (nil, "gzip", true), (nil, "tar", true), (nil, "text", false), (nil, "empty", false),
  ])
  func tellsByContentAndName(name: String?, head: String, expected: Bool) throws {
    #expect(isArchive(name: name.map { Array($0.utf8) }, head: try #require(Self.heads[head])) == expected)
  }
}
