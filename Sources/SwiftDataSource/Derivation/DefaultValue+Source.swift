import StoreDataModel

extension DefaultValue {
  /// The default that an initial value gives. It is not hashed, but a migration depends on whether there is one;
  /// anything but a literal is represented by some value of the property's type.
  init?(_ value: SourceExpression?, of type: AttributeType, typeText: String) {
    guard let value else { return nil }
    switch value.kind {
    case .null: return nil
    case .integer(let number?):
      switch type {
      case .double, .float: self = .real(Double(number))
      case .decimal: self = .decimal(String(number))
      case .undefined, .integer16, .integer32, .integer64, .string, .boolean, .date, .binary, .uuid, .uri,
        .transformable, .objectID, .composite, .unknown:
        self = .integer(number)
      }
    case .real(let number?): self = type == .decimal ? .decimal(String(number)) : .real(number)
    case .string(let text): self = .string(text)
    case .boolean(let flag): self = .boolean(flag)
    case .cast(let inner, _): self.init(inner, of: type, typeText: typeText)
    case .integer, .real, .name, .member, .call, .array, .dictionary, .keyPath, .type, .sum, .arithmetic, .fallback,
      .forced, .closure,
      .alternatives, .choice, .interpolation, .other:
      self = .object(className: typeText)
    }
  }
}
