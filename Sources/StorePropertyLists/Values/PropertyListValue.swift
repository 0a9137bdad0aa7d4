/// A property list as a value: a tree that can be constructed, compared and written.
///
/// Equality is Swift's: two reals that are not numbers differ, and strings that Unicode calls equivalent are equal.
package indirect enum PropertyListValue: Equatable, Sendable {
  /// The binary format's null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A whole number above `Int64.max`; readers use this case only for those.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Text.
  case string(String)
  /// A keyed archive's reference to another of its objects.
  case uid(UInt64)
  /// An ordered list.
  case array([PropertyListValue])
  /// A set, in the order of its file.
  case set([PropertyListValue])
  /// Values under string keys.
  case dictionary([String: PropertyListValue])
}
