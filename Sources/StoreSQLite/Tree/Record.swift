/// A row as it is stored: types of the columns, then their values.
///
/// https://www.sqlite.org/fileformat2.html#record_format
package struct Record {
  private let bytes: ArraySlice<UInt8>

  /// A record of these bytes, perhaps without its end.
  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The value of a column, counted from 0; nil if the record has no such column, or the value is not all there.
  package subscript(column: Int) -> SQLiteValue? {
    bytes.withUnsafeBytes { bytes in
      var position = 0
      guard let header = bytes.varint(at: &position), header >= 0, header <= bytes.count else { return nil }
      var content = Int(header)
      for index in 0...column {
        guard position < Int(header), let type = bytes.varint(at: &position), let size = Self.size(of: type) else {
          return nil
        }
        if index == column { return Self.value(type, bytes, at: content, size: size) }
        let (sum, isTooLarge) = content.addingReportingOverflow(size)
        guard !isTooLarge else { return nil }
        content = sum
      }
      return nil
    }
  }

  /// The whole number in a column.
  package func integer(_ column: Int) -> Int64? {
    if case .integer(let value)? = self[column] { value } else { nil }
  }

  /// The number in a column.
  package func number(_ column: Int) -> Double? {
    switch self[column] {
    case .integer(let value)?: Double(value)
    case .real(let value)?: value
    default: nil
    }
  }

  /// The text in a column, where text is UTF-8.
  package func text(_ column: Int) -> String? {
    if case .text(let bytes)? = self[column] { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// Where the types of a record's columns are, without the NULLs at its end, and where its content begins; nil if not all
  /// types are there.
  static func types(in bytes: UnsafeRawBufferPointer) -> (types: Range<Int>, content: Int)? {
    var position = 0
    guard let header = bytes.varint(at: &position), header >= position, header <= bytes.count else { return nil }
    var end = Int(header)
    // The last byte of a longer number may be zero too.
    while end > position, bytes[end - 1] == 0, end - 1 == position || bytes[end - 2] < 0x80 { end -= 1 }
    return (position..<end, Int(header))
  }

  private static func size(of type: Int64) -> Int? {
    switch type {
    case 0, 8, 9: 0
    case 1: 1
    case 2: 2
    case 3: 3
    case 4: 4
    case 5: 6
    case 6, 7: 8
    case 12...: Int(clamping: (type - 12) / 2)
    default: nil
    }
  }

  private static func value(
    _ type: Int64, _ bytes: UnsafeRawBufferPointer, at offset: Int, size: Int
  ) -> SQLiteValue? {
    guard offset >= 0, offset <= bytes.count, size <= bytes.count - offset else { return nil }
    let content = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size])
    switch type {
    case 0: return .null
    case 8, 9: return .integer(type - 8)
    case 1...6:
      let negative = content[0] & 0x80 != 0
      return .integer(content.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) })
    case 7: return content.bigEndian(UInt64.self, at: 0).map { .real(Double(bitPattern: $0)) }
    case _ where type % 2 == 0: return .blob(Array(content))
    default: return .text(Array(content))
    }
  }
}
