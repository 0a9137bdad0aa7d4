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

/// One value, copied out of a page.
package enum PageValue: Hashable, Sendable {
  /// NULL, also for the reserved types 10 and 11.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating point number.
  case real(Double)
  /// The bytes of text, in the database's encoding.
  case text([UInt8])
  /// Bytes.
  case blob([UInt8])
}
