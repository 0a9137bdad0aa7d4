/// A value of an object, as a predicate sees it.
package enum PredicateValue: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// Double and Float.
  case real(Double)
  /// A decimal number in digits, with or without fraction and exponent: "-12.5", "1e-7".
  case decimal(String)
  case text(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// 16 bytes.
  case uuid([UInt8])
  /// As text.
  case uri(String)
  /// An object, by its key; which table the key belongs to is known from the path.
  case object(key: Int64)
  /// One value for each object of a to-many relationship; no collections in it.
  case collection([PredicateValue])
  /// There is a value, but it could not be read. The comparison is then ``Match/unknown``, never false.
  case unknown
}
