extension XcodeModelReader {
  /// The default in the attribute's own type; nil where there is none, or none that is a value of the type, which is
  /// listed as unknown. Defaults are not hashed.
  mutating func defaultValue(of type: AttributeType, _ fields: XcodeFields) -> DefaultValue? {
    if type == .date, let text = fields.text("defaultDateTimeInterval") {
      return used(Double(text).map(DefaultValue.date), "defaultDateTimeInterval", text, fields)
    }
    guard let text = fields.element["defaultValueString"] else { return nil }
    // An empty string is a default of a string; elsewhere it is a field that was cleared.
    if text.isEmpty && type != .string { return nil }
    return used(Self.value(text, of: type), "defaultValueString", text, fields)
  }

  private mutating func used(
    _ value: DefaultValue?, _ attribute: String, _ text: String, _ fields: XcodeFields
  ) -> DefaultValue? {
    if value == nil { note(.value(attribute: attribute, text), at: fields) }
    return value
  }

  private static func value(_ text: String, of type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16, .integer32, .integer64: integer(text).map(DefaultValue.integer)
    case .double, .float: finite(text).map(DefaultValue.real)
    case .decimal: finite(text).map { _ in .decimal(text) }
    case .boolean: XcodeFields.truth(text).map(DefaultValue.boolean)
    case .string: .string(text)
    case .uuid: uuid(text).map(DefaultValue.uuid)
    case .uri: .uri(text)
    default: nil
    }
  }

  /// "7", and "7.0" as Xcode leaves it when a type was changed.
  private static func integer(_ text: String) -> Int64? {
    Int64(text) ?? finite(text).flatMap(Int64.init(exactly:))
  }

  private static func finite(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// 32 hex digits in groups of 8, 4, 4, 4 and 12.
  private static func uuid(_ text: String) -> [UInt8]? {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    let digits = groups.joined().compactMap(\.hexDigitValue)
    guard groups.map(\.count) == [8, 4, 4, 4, 12], digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Bounds of whole numbers become the predicates that archives have for them (`SELF >= 1`, 28 attributes); a minimum
  /// comes first, as none of those has both. Everything else stays text.
  mutating func readValidation(of fields: XcodeFields, into attribute: inout Attribute) {
    var texts = ValidationTexts(
      minimum: fields.text("minValueString") ?? fields.text("minDateTimeInterval"),
      maximum: fields.text("maxValueString") ?? fields.text("maxDateTimeInterval"),
      pattern: fields.text("regularExpressionString"))
    if [.integer16, .integer32, .integer64].contains(attribute.type) {
      if let minimum = texts.minimum.flatMap(Self.integer) {
        attribute.validationPredicates.append(Self.bound(.greaterThanOrEqual, minimum))
        texts.minimum = nil
      }
      if let maximum = texts.maximum.flatMap(Self.integer) {
        attribute.validationPredicates.append(Self.bound(.lessThanOrEqual, maximum))
        texts.maximum = nil
      }
    }
    attribute.validationTexts = texts == ValidationTexts() ? nil : texts
  }

  private static func bound(_ operator: Predicate.Operator, _ value: Int64) -> Predicate {
    .comparison(Predicate.Comparison(.evaluatedObject, `operator`, .constant(.integer(value))))
  }
}

extension Predicate {
  /// A predicate in Xcode's spelling. Only the two constants are understood.
  init(xcodeText text: String) {
    self =
      switch text {
      case "TRUEPREDICATE": .constant(true)
      case "FALSEPREDICATE": .constant(false)
      default: .text(text)
      }
  }
}
