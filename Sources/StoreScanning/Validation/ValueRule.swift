import StoreDataModel
import StoreText

/// A validation predicate of an attribute, in a form that can be evaluated for a value.
///
/// | predicate of real archives, or Xcode's | rule |
/// | --- | --- |
/// | `SELF >= 1`, `SELF <= 8` | a bound of numbers and dates |
/// | `length >= 3`, `length <= 50` | a length in UTF-16 units |
/// | `SELF MATCHES "[a-z]+"` | a pattern (``TextPattern``) |
/// | `SELF CONTAINS "title"`, BEGINSWITH, ENDSWITH, `==`, `IN {…}` | texts as they are, without options |
/// | AND, OR, NOT, TRUEPREDICATE | of all these |
indirect enum ValueRule {
  case constant(Bool)
  case not(ValueRule)
  case all([ValueRule])
  case any([ValueRule])
  /// Compares the value with a constant.
  case compares(Predicate.Operator, Expression.Constant)
  /// Compares the length of a text with a number.
  case length(Predicate.Operator, Int64)
  /// Looks for a text in the value.
  case holds(Predicate.Operator, String)
  case isOne(of: [Expression.Constant])
  case matches(TextPattern)

  /// A predicate that cannot be evaluated without Core Data.
  struct NotEvaluable: Error, CustomStringConvertible {
    /// Why; lower case, no full stop.
    var reason: String

    var description: String { reason }
  }
}

// MARK: Making

extension ValueRule {
  /// The rule that a predicate states.
  init(_ predicate: Predicate) throws(NotEvaluable) {
    switch predicate {
    case .constant(let value): self = .constant(value)
    case .comparison(let comparison): self = try Self.rule(of: comparison)
    case .compound(.not, let parts):
      guard parts.count == 1 else { throw NotEvaluable(reason: "it negates other than one predicate") }
      self = .not(try ValueRule(parts[0]))
    case .compound(.and, let parts): self = .all(try Self.rules(of: parts))
    case .compound(.or, let parts): self = .any(try Self.rules(of: parts))
    case .text: throw NotEvaluable(reason: "only its text is known")
    case .other(let className): throw NotEvaluable(reason: "a \(className) is not understood")
    }
  }

  private static func rules(of predicates: [Predicate]) throws(NotEvaluable) -> [ValueRule] {
    var rules: [ValueRule] = []
    for predicate in predicates { rules.append(try ValueRule(predicate)) }
    return rules
  }

  private static func rule(of comparison: Predicate.Comparison) throws(NotEvaluable) -> ValueRule {
    guard comparison.modifier == 0 else { throw NotEvaluable(reason: "it has a quantifier") }
    let ignoresCase = comparison.options == 1
    guard comparison.options == 0 || ignoresCase && comparison.operator == .matches else {
      throw NotEvaluable(reason: "it compares texts with options")
    }
    guard let constant = comparison.right.constant else {
      throw NotEvaluable(reason: "it compares with other than a constant")
    }
    switch comparison.left {
    case .evaluatedObject: return try rule(comparison.operator, constant: constant, ignoresCase: ignoresCase)
    case .keyPath("length"), .path(of: .evaluatedObject, "length"):
      guard comparison.operator.isOrdering, case .integer(let length) = constant else {
        throw NotEvaluable(reason: "it compares a length with other than a number")
      }
      return .length(comparison.operator, length)
    default: throw NotEvaluable(reason: "it is about other than the value and its length")
    }
  }

  private static func rule(
    _ kind: Predicate.Operator, constant: Expression.Constant, ignoresCase: Bool
  ) throws(NotEvaluable) -> ValueRule {
    switch (kind, constant) {
    case (.lessThan, _), (.lessThanOrEqual, _), (.greaterThan, _), (.greaterThanOrEqual, _), (.equal, _),
      (.notEqual, _):
      return .compares(kind, constant)
    case (.between, .list(let bounds)) where bounds.count == 2:
      return .all([.compares(.greaterThanOrEqual, bounds[0]), .compares(.lessThanOrEqual, bounds[1])])
    case (.in, .list(let values)): return .isOne(of: values)
    case (.beginsWith, .string(let text)), (.endsWith, .string(let text)), (.contains, .string(let text)):
      return .holds(kind, text)
    case (.matches, .string(let text)):
      do throws(PatternError) {
        return .matches(try TextPattern(text, options: ignoresCase ? .caseInsensitive : []))
      } catch {
        throw NotEvaluable(reason: "the pattern has \(error.reason.noun)")
      }
    default: throw NotEvaluable(reason: "\(kind) is not evaluated here")
    }
  }
}

extension Predicate.Operator {
  /// Whether it compares by size.
  fileprivate var isOrdering: Bool { rawValue <= Self.notEqual.rawValue }

  /// Whether the operator holds for values in that order.
  fileprivate func holds(_ order: Int) -> Bool {
    switch self {
    case .lessThan: order < 0
    case .lessThanOrEqual: order <= 0
    case .greaterThan: order > 0
    case .greaterThanOrEqual: order >= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .matches, .like, .beginsWith, .endsWith, .in, .customSelector, .contains, .between: false
    }
  }
}

extension Expression {
  /// The constant, if it is one or a list of constants.
  fileprivate var constant: Constant? {
    switch self {
    case .constant(let constant): constant
    case .aggregate(let parts):
      parts.allSatisfy { $0.constant != nil } ? .list(parts.compactMap(\.constant)) : nil
    default: nil
    }
  }
}

// MARK: Evaluating

extension ValueRule {
  /// Whether a value obeys the rule; nil where the work allowed for patterns is used up.
  func holds(for value: BorrowedValue, work: inout Int) -> Bool? {
    switch self {
    case .constant(let constant): return constant
    case .not(let rule): return rule.holds(for: value, work: &work).map { !$0 }
    case .all(let rules): return Self.first(of: rules, that: false, failing: value, work: &work)
    case .any(let rules): return Self.first(of: rules, that: true, failing: value, work: &work)
    case .compares(let kind, let constant):
      // Values of another storage class cannot be compared, and are reported by another check.
      return value.compared(to: constant).map(kind.holds) ?? true
    case .isOne(let constants): return constants.contains { value.compared(to: $0) == 0 }
    case .length, .holds, .matches:
      guard case .text(let text) = value else { return true }
      return holds(for: text, work: &work)
    }
  }

  /// `answer` if one of the rules gives it, else the opposite; nil where the work is used up.
  private static func first(
    of rules: [ValueRule], that answer: Bool, failing value: BorrowedValue, work: inout Int
  ) -> Bool? {
    for rule in rules {
      guard let holds = rule.holds(for: value, work: &work) else { return nil }
      if holds == answer { return answer }
    }
    return !answer
  }

  private func holds(for text: TextBytes, work: inout Int) -> Bool? {
    switch self {
    case .length(let kind, let length):
      let actual = text.utf16Length
      return kind.holds(actual < length ? -1 : actual == length ? 0 : 1)
    case .holds(let kind, let part): return text.holds(part, kind: kind)
    case .matches(let pattern): return pattern.matches(text, work: &work)
    default: return true
    }
  }
}

extension TextBytes {
  /// Whether the text begins with, ends with or contains another.
  fileprivate func holds(_ part: String, kind: Predicate.Operator) -> Bool {
    if isPlainASCII {
      // ASCII text contains only ASCII.
      return part.utf8.allSatisfy { $0 < 0x80 } && holds(Array(part.utf8), kind: kind)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return switch kind {
    case .beginsWith: text.hasPrefix(part)
    case .endsWith: text.hasSuffix(part)
    default: text.contains(part)
    }
  }

  private func holds(_ part: [UInt8], kind: Predicate.Operator) -> Bool {
    guard bytes.count >= part.count else { return false }
    return switch kind {
    case .beginsWith: bytes.starts(with: part)
    case .endsWith: bytes.suffix(part.count).elementsEqual(part)
    default: (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
  }
}
