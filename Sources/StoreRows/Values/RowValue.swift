/// One value of an object, by the model's type.
///
/// Bytes are in SQLite's memory or in that of a loaded column, valid until the next row; nothing is copied for a value.
package enum RowValue {
  /// The object's entity has no such property, or the store no column for it.
  case absent
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A decimal number; the store keeps a floating-point number or an integer.
  case decimal(Double)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// The bytes of a text, as UTF-8; they may be invalid.
  case text(UnsafeRawBufferPointer)
  /// A URI as text.
  case uri(UnsafeRawBufferPointer)
  /// 16 bytes.
  case uuid(UnsafeRawBufferPointer)
  /// Bytes whose content is at hand.
  case data(UnsafeRawBufferPointer)
  /// Bytes of which only the number is known, because nobody asked for them.
  case dataLength(Int64)
  /// A transformable value: what its transformer wrote, a keyed archive as a rule.
  case transformed(UnsafeRawBufferPointer)
  /// Bytes that were written to a file of that name, and their number.
  case written(file: String, length: Int64)
  /// An external file that does not exist or cannot be read, by its name.
  case missingFile(UnsafeRawBufferPointer)
  /// The key of the object a to-one relationship leads to.
  case key(Int64)
  /// The keys of the objects a to-many relationship leads to, in their order.
  case keys(Slice<UnsafeBufferPointer<Int64>>)
  /// The name of the object's entity.
  case entity(String)
}
