extension XcodeModelReader {
  /// The default value in the attribute's type; nil if there is none. A text that is no value of the type is listed as
  /// unknown and kept as unreadable. Defaults are not hashed.
  mutating func defaultValue(of type: AttributeType, _ fields: XcodeFields) -> DefaultValue? {
    let names = type == .date ? ["defaultDateTimeInterval", "defaultValueString"] : ["defaultValueString"]
    guard let name = names.first(where: { fields.element[$0] != nil }), let text = fields.element[name] else {
      return nil
    }
    let value = XcodeText.defaultValue(text, of: type)
    if value.isUnreadable { note(.value(attribute: name, text), at: fields) }
    return value
  }

  /// Converts bounds and pattern to the predicates that archives have for them, as far as these are known.
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
  /// A predicate in Xcode's spelling. Only the two constants are parsed.
  init(xcodeText text: String) {
    self =
      switch text {
      case "TRUEPREDICATE": .constant(true)
      case "FALSEPREDICATE": .constant(false)
      default: .text(text)
      }
  }
}
