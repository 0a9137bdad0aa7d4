/// Where the values of one record lie: header first, then all values in order.
///
///     header length | type | type | ... | value | value | ...
///
/// One of these is used for many records, so that reading a row allocates nothing.
/// https://www.sqlite.org/fileformat2.html#record_format
package struct Record: Sendable {
  /// The values, in order.
  package private(set) var fields: [Field] = []
  /// The bytes of the header.
  package private(set) var headerSize = 0
  /// The bytes of header and values, as the header tells.
  package private(set) var size = 0

  /// One value.
  package struct Field: Equatable, Sendable {
    /// Its type.
    package let type: SerialType
    /// Its offset from the start of the record.
    package fileprivate(set) var offset: Int
  }

  /// The most columns that SQLite can be built to allow, "32767".
  package static let maximumColumns = 32_767

  /// An empty record.
  package init() {}

  /// The number of values.
  package var count: Int { fields.count }

  /// Reads the header at `start`; false where the bytes are no header. The values may reach beyond `bytes`.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Bool {
    guard let header = Varint(bytes, at: start), header.value >= header.length,
      let headerSize = Int(exactly: header.value), headerSize <= bytes.count - start
    else { return false }
    return readTypes(bytes, from: start + header.length, to: start + headerSize, headerSize: headerSize)
  }

  private mutating func readTypes(
    _ bytes: UnsafeRawBufferPointer, from first: Int, to end: Int, headerSize: Int
  ) -> Bool {
    fields.removeAll(keepingCapacity: true)
    self.headerSize = headerSize
    size = headerSize
    var position = first
    while position < end {
      guard fields.count < Self.maximumColumns, let type = Varint(bytes, at: position),
        position + type.length <= end, append(SerialType(type.value))
      else { return false }
      position += type.length
    }
    return true
  }

  /// Reads `count` types from `first` on, as they follow a header whose length is lost, after `lost` given ones; where
  /// they end, nil where the bytes are no types. Offsets then count from `first`.
  package mutating func readTypes(
    _ bytes: UnsafeRawBufferPointer, from first: Int, count: Int, after lost: SerialType? = nil
  ) -> Int? {
    fields.removeAll(keepingCapacity: true)
    size = 0
    if let lost, !append(lost) { return nil }
    var position = first
    for _ in 0..<count {
      guard let type = Varint(bytes, at: position), append(SerialType(type.value)) else { return nil }
      position += type.length
    }
    headerSize = position - first
    for index in fields.indices { fields[index].offset += headerSize }
    size += headerSize
    return position
  }

  private mutating func append(_ type: SerialType) -> Bool {
    guard let length = type.size else { return false }
    let (sum, overflow) = size.addingReportingOverflow(length)
    guard !overflow, sum <= Int(Int32.max) else { return false }
    fields.append(Field(type: type, offset: size))
    size = sum
    return true
  }

  /// The value in `column` of the record that starts at `start`; nil where the record has no such column or the bytes
  /// end before the value does.
  package func value(_ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0) -> PageValue? {
    guard fields.indices.contains(column), let length = fields[column].type.size else { return nil }
    // NULL, 0 and 1 are in the type alone.
    if length == 0 { return Self.value(fields[column].type, UnsafeRawBufferPointer(start: nil, count: 0)) }
    let first = start + fields[column].offset
    guard first >= 0, length <= bytes.count, first <= bytes.count - length else { return nil }
    return Self.value(fields[column].type, UnsafeRawBufferPointer(rebasing: bytes[first..<first + length]))
  }

  /// The bytes of the text or blob in `column`; nil for values of other kinds, and where `bytes` end before.
  package func bytes(_ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0) -> UnsafeRawBufferPointer? {
    guard fields.indices.contains(column), fields[column].type.code >= 12, let length = fields[column].type.size
    else { return nil }
    let first = start + fields[column].offset
    guard first >= 0, length <= bytes.count, first <= bytes.count - length else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[first..<first + length])
  }

  /// The integer in `column`; nil for values of other kinds.
  package func integer(_ column: Int, in bytes: UnsafeRawBufferPointer, at start: Int = 0) -> Int64? {
    guard fields.indices.contains(column) else { return nil }
    return fields[column].type.integer(in: bytes, at: start + fields[column].offset)
  }

  private static func value(_ type: SerialType, _ bytes: UnsafeRawBufferPointer) -> PageValue {
    switch type.code {
    case 1...6: return .integer(signed(bytes))
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: signed(bytes))))
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...: return type.kind == .blob ? .blob(Array(bytes)) : .text(Array(bytes))
    default: return .null
    }
  }

  /// "big-endian twos-complement"
  fileprivate static func signed(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var sum: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
    for byte in bytes { sum = sum << 8 | Int64(byte) }
    return sum
  }
}

extension SerialType {
  /// The integer of this type at `start`; nil for a type of another kind, and where the bytes end before.
  package func integer(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int64? {
    guard kind == .integer, let size, start >= 0, size <= bytes.count, start <= bytes.count - size || size == 0 else {
      return nil
    }
    switch code {
    case 8: return 0
    case 9: return 1
    default: return Record.signed(UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
    }
  }
}
