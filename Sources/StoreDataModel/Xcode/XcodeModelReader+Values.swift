extension XcodeModelReader {
  /// The default in the attribute's own type; nil where there is none, or none that is a value of the type, which is
  /// listed as unknown. Defaults are not hashed.
  mutating func defaultValue(of type: AttributeType, _ fields: XcodeFields) -> DefaultValue? {
    if type == .date, let text = fields.text("defaultDateTimeInterval") {
      return used(XcodeText.value(text, of: type), "defaultDateTimeInterval", text, fields)
    }
    guard let text = fields.element["defaultValueString"] else { return nil }
    // An empty string is a default of a string; elsewhere it is a field that was cleared.
    if text.isEmpty && type != .string { return nil }
    let value = type == .date ? nil : XcodeText.value(text, of: type)
    return used(value, "defaultValueString", text, fields)
  }

  private mutating func used(
    _ value: DefaultValue?, _ attribute: String, _ text: String, _ fields: XcodeFields
  ) -> DefaultValue? {
    if value == nil { note(.value(attribute: attribute, text), at: fields) }
    return value
  }

  /// Bounds and pattern become the predicates that archives have for them, as far as that is known.
  func readValidation(of fields: XcodeFields, into attribute: inout Attribute) {
    let texts = ValidationTexts(
      minimum: fields.text("minValueString") ?? fields.text("minDateTimeInterval"),
      maximum: fields.text("maxValueString") ?? fields.text("maxDateTimeInterval"),
      pattern: fields.text("regularExpressionString"))
    (attribute.validationPredicates, attribute.validationTexts) = ValidationBounds.predicates(
      of: texts, type: attribute.type)
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
