import StoreDigests

/// Values as Xcode's XML spells them, both ways.
enum XcodeText {
  /// "7", and "7.0" as Xcode leaves it when a type was changed.
  static func integer(_ text: String) -> Int64? {
    Int64(text) ?? finite(text).flatMap(Int64.init(exactly:))
  }

  /// The same, and "YES" or "NO": an `Integer 32` with `NO` has the default 0 in the compiled model.
  private static func integerDefault(_ text: String) -> Int64? {
    integer(text) ?? XcodeFields.truth(text).map { $0 ? 1 : 0 }
  }

  static func finite(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// The default that a text stands for; nil where it is no value of the type.
  static func value(_ text: String, of type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16, .integer32, .integer64: integerDefault(text).map(DefaultValue.integer)
    case .double, .float: finite(text).map(DefaultValue.real)
    case .decimal: finite(text).map { _ in .decimal(text) }
    case .boolean: XcodeFields.truth(text).map(DefaultValue.boolean)
    case .string: .string(text)
    case .date: finite(text).map(DefaultValue.date)
    case .uuid: uuid(text).map(DefaultValue.uuid)
    case .uri: .uri(text)
    default: nil
    }
  }

  /// The text of a default; nil where no text would be read back as that value of the type.
  static func text(of value: DefaultValue, _ type: AttributeType) -> String? {
    let text: String? =
      switch value {
      case .boolean(let value): value ? "YES" : "NO"
      case .integer(let value): String(value)
      case .real(let value), .date(let value): String(value)
      case .string(let text), .decimal(let text), .uri(let text): text
      case .uuid(let bytes): self.text(ofUUID: bytes)
      case .data, .object: nil
      }
    guard let text, !text.isEmpty || type == .string, self.value(text, of: type) == value else { return nil }
    return text
  }

  /// 32 hex digits in groups of 8, 4, 4, 4 and 12.
  private static func uuid(_ text: String) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = groups.joined().compactMap(\.hexDigitValue)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func text(ofUUID bytes: [UInt8]) -> String {
    bytes.enumerated().map { ([4, 6, 8, 10].contains($0) ? "-" : "") + hexadecimal([$1]) }.joined().uppercased()
  }
}
