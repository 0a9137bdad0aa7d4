import StoreSQLite

/// The type of one value in a record.
///
///     0 NULL      1..6 integer of 1, 2, 3, 4, 6, 8 bytes     7 real     8 the integer 0     9 the integer 1
///     10, 11 reserved      N >= 12 and even: blob of (N-12)/2 bytes      N >= 13 and odd: text of (N-13)/2 bytes
///
/// https://www.sqlite.org/fileformat2.html#record_format
package struct SerialType: Equatable, Sendable {
  /// The number as stored.
  package let code: Int64

  /// The type with that number; a negative one is no type.
  @inline(__always)
  package init(_ code: Int64) { self.code = code }

  /// The bytes of a value of this type; nil where the number is no type.
  @inline(__always)
  package var size: Int? {
    switch code {
    case 0, 8, 9, 10, 11: 0
    case 1, 2, 3, 4: Int(code)
    case 5: 6
    case 6, 7: 8
    case 12...: Int(exactly: (code - 12) / 2)
    default: nil
    }
  }

  /// The storage class.
  package var kind: StorageClass {
    switch code {
    case 1...6, 8, 9: .integer
    case 7: .real
    case 12...: code % 2 == 0 ? .blob : .text
    default: .null
    }
  }

  /// The type of a text or a blob of `size` bytes.
  package init(_ kind: StorageClass, size: Int) { code = 12 + 2 * Int64(size) + (kind == .text ? 1 : 0) }

  /// Whether the value is a text or a blob.
  var isTextOrBlob: Bool { code >= 12 }
}

extension SerialType {
  /// The bytes of a value of this type at `start`; nil where the number is no type, and where `bytes` end before the value
  /// does.
  func content(in bytes: UnsafeRawBufferPointer, at start: Int) -> UnsafeRawBufferPointer? {
    guard let size else { return nil }
    // NULL, 0 and 1 are in the type alone.
    if size == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + size])
  }

  /// The integer of this type at `start`; nil for a type of another kind, and where the bytes end before.
  package func integer(in bytes: UnsafeRawBufferPointer, at start: Int) -> Int64? {
    switch code {
    case 1...6: content(in: bytes, at: start).map(Self.signed)
    case 8: 0
    case 9: 1
    default: nil
    }
  }

  /// The value of this type at `start`; nil where the number is no type, and where the bytes end before. Types 10 and 11,
  /// which are reserved, are NULL.
  package func value(
    in bytes: UnsafeRawBufferPointer, at start: Int, encoding: DatabaseHeader.TextEncoding
  ) -> SQLiteValue? {
    guard let content = content(in: bytes, at: start) else { return nil }
    return switch code {
    case 1...6: .integer(Self.signed(content))
    case 7: .real(Double(bitPattern: UInt64(bitPattern: Self.signed(content))))
    case 8: .integer(0)
    case 9: .integer(1)
    case 12...: kind == .blob ? .blob(Array(content)) : .text(encoding.utf8(content))
    default: .null
    }
  }

  /// "big-endian twos-complement"
  private static func signed(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    var sum: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
    for byte in bytes { sum = sum << 8 | Int64(byte) }
    return sum
  }
}

/// What kind of value a column holds in one row.
package enum StorageClass: UInt8, Sendable, CaseIterable {
  /// NULL.
  case null = 1
  /// An integer of up to 8 bytes.
  case integer = 2
  /// A 64-bit floating point number.
  case real = 4
  /// Text in the database's encoding.
  case text = 8
  /// Bytes.
  case blob = 16
}
