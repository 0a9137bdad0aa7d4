/// Converts between the bounds and patterns of Xcode's XML and the predicates of archives.
///
/// | type | minimum | maximum | pattern |
/// | --- | --- | --- | --- |
/// | whole numbers | `SELF >= 1` (28 attributes of real archives) | `SELF <= 8` | |
/// | other numbers | the same, by analogy | | |
/// | date | the same with a date, by analogy | | |
/// | string | `length >= 3`, by analogy | `length <= 50` | `SELF MATCHES "[a-z]+"` |
///
/// Anything else stays text. Minimum, maximum and pattern come in this order; no archive seen has more than one of
/// them. None of this is hashed.
enum ValidationBounds {
  private typealias Side = WritableKeyPath<ValidationTexts, String?> & Sendable
  private static let sides: [(Side, Predicate.Operator)] = [
    (\.minimum, .greaterThanOrEqual), (\.maximum, .lessThanOrEqual), (\.pattern, .matches),
  ]

  /// The predicates for the texts, and the texts for which there is none.
  static func predicates(
    of texts: ValidationTexts, type: AttributeType
  ) -> (predicates: [Predicate], rest: ValidationTexts?) {
    var rest = texts
    var predicates: [Predicate] = []
    for (side, kind) in sides {
      guard let text = texts[keyPath: side], let constant = constant(text, kind: kind, type: type) else { continue }
      predicates.append(.comparison(Predicate.Comparison(subject(kind, type: type), kind, .constant(constant))))
      rest[keyPath: side] = nil
    }
    return (predicates, rest == ValidationTexts() ? nil : rest)
  }

  /// The texts for the predicates, added to `rest`, and the predicates for which there is no text.
  static func texts(
    for predicates: [Predicate], beside rest: ValidationTexts?, type: AttributeType
  ) -> (texts: ValidationTexts, unsaid: [Predicate]) {
    var texts = rest ?? ValidationTexts()
    var unsaid: [Predicate] = []
    for predicate in predicates {
      guard case .comparison(let comparison) = predicate, case .constant(let constant) = comparison.right,
        let side = sides.first(where: { $0.1 == comparison.operator })?.0, texts[keyPath: side] == nil,
        let text = text(constant), self.predicates(of: spelled(text, side: side), type: type).predicates == [predicate]
      else {
        unsaid.append(predicate)
        continue
      }
      texts[keyPath: side] = text
    }
    return (texts, unsaid)
  }

  private static func spelled(_ text: String, side: Side) -> ValidationTexts {
    var texts = ValidationTexts()
    texts[keyPath: side] = text
    return texts
  }

  private static func subject(_ kind: Predicate.Operator, type: AttributeType) -> Expression {
    type == .string && kind != .matches ? .keyPath("length") : .evaluatedObject
  }

  private static func constant(
    _ text: String, kind: Predicate.Operator, type: AttributeType
  ) -> Expression.Constant? {
    if kind == .matches { return type == .string ? .string(text) : nil }
    return switch type {
    case .integer16, .integer32, .integer64, .string: XcodeText.integer(text).map { .integer($0) }
    case .double, .float: XcodeText.finite(text).map { .real($0) }
    // A decimal that is not exactly a binary fraction would become another number.
    case .decimal:
      Int64(text).map { .integer($0) } ?? XcodeText.finite(text).flatMap { "\($0)" == text ? .real($0) : nil }
    case .date: XcodeText.finite(text).map { .date($0) }
    case .undefined, .boolean, .binary, .uuid, .uri, .transformable, .objectID, .composite, .unknown: nil
    }
  }

  private static func text(_ constant: Expression.Constant) -> String? {
    switch constant {
    case .integer(let value): String(value)
    case .real(let value), .date(let value): String(value)
    case .string(let text): text
    case .null, .boolean, .list, .object: nil
    }
  }
}
