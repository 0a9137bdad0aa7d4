import SQLitePages
import StoreSQLite

/// A row that was found, before it is known whether it is gone. There may be millions, so what can be computed is not kept.
struct Candidate: Sendable {
  /// The template that it fits.
  var template: Int32
  /// The candidate found before with the same hash; -1 for none.
  var before: Int32
  var key: Int64?
  /// Whether what the first value is stays open.
  var isFirstValueUnknown: Bool
  /// Whether it was in a cell of a page, not in free space.
  var isInCell: Bool
  /// Whether all overflow pages are there.
  var isWhole: Bool
  /// Whether its cell ends in the number of an overflow page.
  var hasOverflow: Bool
  /// The part of its header that is left.
  var head: Head
  /// Bytes of the cell before those of the record.
  var recordOffset: UInt8
  /// The type of the first value, where it was lost.
  var firstType: UInt8
  /// The number of values.
  var valueCount: UInt16
  /// Bytes of the record that were overwritten; 0 and 0 for none.
  var lostFrom: UInt16
  var lostEnd: UInt16
  /// Of types and bytes of all values but the first, on its own page.
  var localHash: UInt64
  var place: RecoveredRow.Place
  /// The commit of the log whose pages have it in a cell; -1 elsewhere.
  var commit: Int32
  /// What became of the pages that have it; where one of several was saved, that.
  var fate = FrameFate.saved
  /// Whether a cell of a page that nothing leads to has it, and which so may be live.
  var isOnLostPage = false
  var furtherCopies: Int32 = 0
  /// The overflow pages of that place, and other copies.
  var otherPlaces: [RecoveredRow.Place]

  /// Whether bytes of it were overwritten.
  var isDamaged: Bool { lostEnd > 0 }

  /// Whether the value of a field of its record is lost: its type, or some of its bytes.
  func isLost(_ column: Int, field: Record.Field) -> Bool {
    if column == 0, isFirstValueUnknown { return true }
    guard isDamaged, let size = field.type.size else { return false }
    return field.offset < Int(lostEnd) && field.offset + size > Int(lostFrom)
  }

  /// The parts of a record's header that can be left.
  enum Head: UInt8, Sendable {
    /// All of it.
    case whole
    /// The types without the header's length.
    case lengthLost
    /// The types but the first, which had to be found again.
    case typeLost
  }

  /// The most copies of one row that are listed.
  static let listedCopies = 4
}

/// FNV-1a with 64 bits.
package struct ByteHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The same eight bytes at a time: faster, and with another result.
  mutating func addWords(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: index, as: Int64.self))
      index += 8
    }
    while index < bytes.count {
      value = (value ^ UInt64(bytes[index])) &* 0x100_0000_01b3
      index += 1
    }
  }

  mutating func add(_ number: Int64) {
    value = (value ^ UInt64(bitPattern: number)) &* 0x100_0000_01b3
    value ^= value >> 29
  }

  /// The hash of a record's values but the first, whose type may be lost: of its types, and of the bytes up to `end`. Of an
  /// only value it is the hash of that.
  static func body(_ record: Record, in bytes: UnsafeRawBufferPointer, at start: Int, upTo end: Int)
    -> UInt64
  {
    var hash = ByteHash()
    let fields = record.fields.dropFirst(record.count > 1 ? 1 : 0)
    for field in fields { hash.add(field.type.code) }
    let first = fields.first.map { start + $0.offset } ?? end
    if first < end, end <= bytes.count { hash.addWords(UnsafeRawBufferPointer(rebasing: bytes[first..<end])) }
    return hash.value
  }

  /// The hash of some bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = ByteHash()
    hash.add(bytes)
    return hash.value
  }

  /// The check of bytes that reports carry.
  package static func checksum(_ bytes: UnsafeRawBufferPointer) -> String {
    hexadecimal(of(bytes))
  }

  /// Sixteen digits.
  static func hexadecimal(_ hash: UInt64) -> String {
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
