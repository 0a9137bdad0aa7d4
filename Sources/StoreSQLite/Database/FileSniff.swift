import StoreText

/// The kind of a file, guessed from its first bytes.
package enum FileSniff: Equatable, Sendable {
  /// No bytes at all.
  case empty
  /// Begins with `SQLite format 3`.
  case sqlite
  /// A write-ahead log, the side file of a database.
  case writeAheadLog
  /// A rollback journal, the side file of a database.
  case rollbackJournal
  /// A WAL index, the side file of a database.
  case sharedMemory
  /// Begins with `bplist`: a property list, a keyed archive or a compiled model.
  case binaryPropertyList
  /// XML whose document is a property list.
  case xmlPropertyList
  /// XML whose document is a Core Data store.
  case xmlStore
  /// Any other XML.
  case xml
  /// Begins with `1f 8b`.
  case gzip
  /// Begins with `PK`.
  case zip
  /// Readable text.
  case text
  /// Nothing but zeros, as far as was read.
  case zeros
  /// None of these; all byte values are about equally frequent, as in random, compressed or encrypted data.
  case random
  /// None of these.
  case unknown

  /// How many of a file's first bytes are looked at.
  package static let usefulBytes = 4096

  /// Guesses from the first bytes of a file; up to 4096 are used, and more make the answer surer.
  package init(_ bytes: [UInt8]) {
    let head = bytes.prefix(Self.usefulBytes)
    self =
      Self.byMagic(head) ?? Self.asText(head) ?? Self.byFrequency(head)
  }

  private static func byMagic(_ head: ArraySlice<UInt8>) -> FileSniff? {
    if head.isEmpty { return .empty }
    return magics.first { head.starts(with: $0.bytes) }?.kind
  }

  private static let magics: [(bytes: [UInt8], kind: FileSniff)] = [
    (DatabaseHeader.magic, .sqlite),
    (bytes(of: WALHeader.magic), .writeAheadLog),
    (bytes(of: WALHeader.magic | 1), .writeAheadLog),
    (bytes(of: JournalHeader.magic), .rollbackJournal),
    // The WAL index begins with its version, 3007000, in the byte order of the machine, and four bytes of padding.
    ([0x18, 0xe2, 0x2d, 0x00, 0, 0, 0, 0], .sharedMemory),
    ([0x00, 0x2d, 0xe2, 0x18, 0, 0, 0, 0], .sharedMemory),
    (Array("bplist".utf8), .binaryPropertyList),
    ([0x1f, 0x8b], .gzip),
    ([0x50, 0x4b, 0x03, 0x04], .zip),
    ([0x50, 0x4b, 0x05, 0x06], .zip),
  ]

  private static func bytes(of magic: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: magic.bigEndian) { Array($0) }
  }

  /// Text if it has no control characters; XML if it starts like XML.
  private static func asText(_ head: ArraySlice<UInt8>) -> FileSniff? {
    let spaces: Set<UInt8> = [0x09, 0x0a, 0x0c, 0x0d]
    guard head.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || spaces.contains($0) }), isNearlyUTF8(head) else { return nil }
    let text = String(decoding: head, as: UTF8.self).lowercased()
    let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
    guard
      start.hasPrefix("<?xml") || start.hasPrefix("<!doctype") || start.hasPrefix("<plist")
        || start.hasPrefix("<database")
    else { return .text }
    // The first of these tags is the root: a store's metadata are a property list within it.
    let kinds: [(tags: [String], kind: FileSniff)] = [
      (["<plist", "<!doctype plist"], .xmlPropertyList), (["<database", "<!doctype database"], .xmlStore),
    ]
    let firsts = kinds.compactMap { tags, kind in
      tags.compactMap { text.firstRange(of: $0)?.lowerBound }.min().map { (place: $0, kind: kind) }
    }
    return firsts.min { $0.place < $1.place }?.kind ?? .xml
  }

  /// UTF-8, except for a character cut off at the end.
  private static func isNearlyUTF8(_ head: ArraySlice<UInt8>) -> Bool {
    (0...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  private static func byFrequency(_ head: ArraySlice<UInt8>) -> FileSniff {
    if head.allSatisfy({ $0 == 0 }) { return .zeros }
    // For random bytes the sum of squared counts is about n + n²/256. In structured data some values are much more
    // frequent. Fewer than 512 bytes are not enough to tell.
    guard head.count >= 512 else { return .unknown }
    var counts = [Int](repeating: 0, count: 256)
    for byte in head { counts[Int(byte)] += 1 }
    let squares = counts.reduce(0) { $0 + $1 * $1 }
    let expected = head.count + head.count * head.count / 256
    return squares < expected + expected / 4 ? .random : .unknown
  }
}
