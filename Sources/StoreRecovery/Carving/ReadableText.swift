import SQLitePages
import StoreSQLite

extension DatabaseHeader.TextEncoding {
  /// Whether bytes are a text in this encoding, without the control characters that no text has.
  ///
  /// - Parameter isWhole: false where the text goes on elsewhere, and may be cut within a character.
  func isReadable(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
    if bytes.isEmpty { return true }
    switch self {
    case .utf16LittleEndian, .utf16BigEndian:
      if isWhole, bytes.count % 2 != 0 { return false }
      let units = TextUnits(bytes, isBigEndian: self == .utf16BigEndian)
      if units.contains(where: { $0 < 9 || ($0 > 13 && $0 < 27) }) { return false }
      return !isWhole || String(validating: units, as: UTF16.self) != nil
    default:
      let end = isWhole ? bytes.count : max(0, bytes.count - 3)
      let part = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      guard let isASCII = Self.isPrintable(part) else { return false }
      return isASCII || !isWhole || String(validating: part, as: UTF8.self) != nil
    }
  }

  /// Whether a text in UTF-8 is one in ASCII; nil where it has control characters that no text has. Eight bytes at a time, since
  /// most of what is searched is text.
  private static func isPrintable(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var isASCII = true
    var place = 0
    while place < bytes.count {
      if place + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        if (word | (word &- ones &* 0x20)) & tops == 0 {
          place += 8
          continue
        }
      }
      let byte = bytes[place]
      if byte < 9 || (byte > 13 && byte < 27) { return nil }
      if byte >= 0x80 { isASCII = false }
      place += 1
    }
    return isASCII
  }

  /// Whether every text of a record that goes on behind its first `local` bytes is one.
  func areReadable(_ record: Record, in payload: UnsafeRawBufferPointer, beyond local: Int) -> Bool {
    record.fields.allSatisfy { field in
      guard field.type.kind == .text, let size = field.type.size, size > 0, field.offset + size > local else {
        return true
      }
      guard field.offset >= 0, size <= payload.count, field.offset <= payload.count - size else { return false }
      return isReadable(
        UnsafeRawBufferPointer(rebasing: payload[field.offset..<field.offset + size]), isWhole: true)
    }
  }
}
