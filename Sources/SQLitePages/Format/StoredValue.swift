import StoreSQLite

/// A value of a row, as it lies in the row's page; valid until the next row is read.
public struct StoredValue {
  /// How it is stored.
  public let kind: ValueKind
  /// An integer, or the bits of a real.
  @usableFromInline let bits: Int64
  /// The bytes of a text or a blob.
  package let bytes: UnsafeRawBufferPointer

  /// NULL.
  package static var null: StoredValue { StoredValue(kind: .null, bits: 0) }

  private init(kind: ValueKind, bits: Int64) {
    (self.kind, self.bits) = (kind, bits)
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// An integer.
  @inline(__always)
  package init(_ value: Int64) { self.init(kind: .integer, bits: value) }

  /// A real; NaN is NULL to SQLite.
  @inline(__always)
  package init(_ value: Double) {
    self.init(kind: value.isNaN ? .null : .real, bits: Int64(bitPattern: value.bitPattern))
  }

  /// A text or a blob.
  @inline(__always)
  package init(_ kind: ValueKind, _ bytes: UnsafeRawBufferPointer) { (self.kind, self.bytes, bits) = (kind, bytes, 0) }

  // What is asked of every row is compiled into those who ask: `@inlinable`.
  /// The value as an integer, converted as SQLite converts it; 0 for NULL.
  @inlinable @inline(__always)
  public var int64: Int64 { kind == .integer ? bits : converted }

  @usableFromInline var converted: Int64 {
    switch kind {
    case .integer: bits
    case .null: 0
    case .real: Int64(saturating: Double(bitPattern: UInt64(bitPattern: bits)))
    case .text, .blob: Int64(leadingDigitsOf: bytes)
    }
  }

  /// The number of an integer or a real; 0 for other kinds.
  @inlinable public var double: Double {
    switch kind {
    case .integer: Double(bits)
    case .real: Double(bitPattern: UInt64(bitPattern: bits))
    case .null, .text, .blob: 0
    }
  }
}

extension Int64 {
  /// "Casting a floating point value to an INTEGER" leaves out the fraction and gives "the integer closest" to one that is
  /// too large. https://www.sqlite.org/lang_expr.html#castexpr
  fileprivate init(saturating value: Double) {
    self = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
  }

  /// "the longest possible prefix of the value that can be interpreted as an integer number is extracted from the TEXT value
  /// and the remainder ignored. Any leading spaces in the TEXT value [...] are ignored"; a number that is too large becomes
  /// the closest one.
  fileprivate init(leadingDigitsOf bytes: UnsafeRawBufferPointer) {
    var rest = bytes.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    var sum: Int64 = 0
    for byte in rest {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (tens, isOver) = sum.multipliedReportingOverflow(by: 10)
      let (next, isBeyond) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      guard !isOver, !isBeyond else {
        self = isNegative ? .min : .max
        return
      }
      sum = next
    }
    self = sum
  }
}
