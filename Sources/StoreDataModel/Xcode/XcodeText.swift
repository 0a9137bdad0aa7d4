import StoreText

/// Converts values to and from their spelling in Xcode's XML.
///
/// | type | spellings |
/// | --- | --- |
/// | whole numbers | `7`, `7.0`, `YES`, `NO` |
/// | other numbers | `0`, `0.0`, `-1.5`, `1e3` |
/// | Boolean | `YES`, `NO`, `1`, `0`, `true`, `false` |
/// | date | seconds since 2001 (`defaultDateTimeInterval`), or `2014-02-28 13:30:00 +0100` |
/// | string, URI | any text; for a string also the empty one |
/// | UUID | 32 hex digits in groups |
enum XcodeText {
  /// "7", or "7.0", which Xcode leaves when a type was changed.
  static func integer(_ text: String) -> Int64? {
    Int64(text) ?? finite(text).flatMap(Int64.init(exactly:))
  }

  /// The same, or "YES" or "NO": an `Integer 32` with `NO` has the default 0 in the compiled model. Nil if the type
  /// cannot hold the number.
  private static func integerDefault(_ text: String, of type: AttributeType) -> Int64? {
    guard let value = integer(text) ?? XcodeFields.truth(text).map({ $0 ? 1 : 0 }) else { return nil }
    return switch type {
    case .integer16: Int16(exactly: value).map(Int64.init)
    case .integer32: Int32(exactly: value).map(Int64.init)
    case .undefined, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite, .unknown:
      value
    }
  }

  /// A number in decimal digits; not "0x10", "inf" and "nan", which Swift also accepts.
  static func finite(_ text: String) -> Double? {
    DecimalDigits(text) == nil ? nil : Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The default value for a text in any spelling; unreadable if it is no value of the type.
  static func defaultValue(_ text: String, of type: AttributeType) -> DefaultValue {
    value(text, of: type) ?? .unreadable(text)
  }

  private static func value(_ text: String, of type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16, .integer32, .integer64: integerDefault(text, of: type).map(DefaultValue.integer)
    case .double, .float: finite(text).map(DefaultValue.real)
    case .decimal: DecimalDigits(text).flatMap { $0.fitsDecimal ? .decimal($0.shortest) : nil }
    case .boolean: XcodeFields.truth(text).map(DefaultValue.boolean)
    case .string: .string(text)
    case .date: (finite(text) ?? XcodeDate.seconds(text)).map(DefaultValue.date)
    case .uuid: UUIDText.bytes(text).map(DefaultValue.uuid)
    case .uri: text.isEmpty ? nil : .uri(text)
    case .undefined, .binary, .transformable, .objectID, .composite, .unknown: nil
    }
  }

  /// The text of a default; nil if no text is read back as that value of the type.
  static func text(of value: DefaultValue, _ type: AttributeType) -> String? {
    let text: String? =
      switch value {
      case .boolean(let value): value ? "YES" : "NO"
      case .integer(let value): String(value)
      case .real(let value), .date(let value): String(value)
      case .string(let text), .decimal(let text), .uri(let text): text
      case .uuid(let bytes): UUIDText.text(bytes)
      case .unreadable(let text): text
      case .data, .object: nil
      }
    guard let text, defaultValue(text, of: type) == value else { return nil }
    return text
  }
}
