import StoreDataModel
import StoreText

/// The validation rules of an attribute, for one who makes values: what they allow, and what they name.
package struct AttributeRules {
  /// Why rules cannot be evaluated; lower case, no full stop.
  package private(set) var notEvaluated: [String] = []
  /// The whole numbers within the bounds.
  package private(set) var integers: ClosedRange<Int64> = .min ... .max
  /// The numbers, or moments, within the bounds.
  package private(set) var reals: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  /// The lengths of text within the bounds, in UTF-16 units.
  package private(set) var lengths: ClosedRange<Int> = 0 ... .max

  private var rules: [ValueRule] = []
  private var constants: [Expression.Constant] = []
  private var parts: [String] = []
  private var patterns: [TextPattern] = []

  /// A value to be judged.
  package enum Value {
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  /// The rules of an attribute, or of an element of a composite one.
  package init(_ attribute: Attribute) {
    for predicate in attribute.validationPredicates {
      do throws(ValueRule.NotEvaluable) {
        let rule = try ValueRule(predicate)
        rules.append(rule)
        learn(rule, isNecessary: true)
      } catch {
        notEvaluated.append(error.reason)
      }
    }
    if attribute.validationTexts != nil { notEvaluated.append("it is known only as Xcode spells it") }
  }

  /// Whether there are patterns that a text has to match.
  package var hasPatterns: Bool { !patterns.isEmpty }

  /// Whether all rules that can be evaluated allow a value.
  package func accept(_ value: Value) -> Bool {
    switch value {
    case .integer(let number): judge(.integer(number))
    case .real(let number): judge(.real(number))
    case .text(var text):
      rules.isEmpty
        || text.withUTF8 { bytes in judge(.text(TextBytes(bytes: UnsafeRawBufferPointer(bytes)))) }
    }
  }

  private func judge(_ value: BorrowedValue) -> Bool {
    var work = 10_000_000
    return rules.allSatisfy { $0.holds(for: value, work: &work) == true }
  }

  /// A constant that a rule compares with, in turn; nil where there is none.
  package func constant(_ turn: Int) -> Expression.Constant? {
    constants.isEmpty || turn < 0 ? nil : constants[turn % constants.count]
  }

  /// A text that a rule looks for in values, in turn; nil where there is none.
  package func part(_ turn: Int) -> String? { parts.isEmpty || turn < 0 ? nil : parts[turn % parts.count] }

  /// A text that the first pattern matches; nil where there is no pattern or no short text was found.
  ///
  /// - Parameter choose: returns a number from 0 up to its argument, which is not reached.
  package func matchingText(choosing choose: (Int) -> Int) -> String? { patterns.first?.text(choosing: choose) }

  // MARK: Learning

  /// Notes what a rule names; bounds only where it has to hold by itself.
  private mutating func learn(_ rule: ValueRule, isNecessary: Bool) {
    switch rule {
    case .constant: break
    case .not(let part): learn(part, isNecessary: false)
    case .all(let parts): for part in parts { learn(part, isNecessary: isNecessary) }
    case .any(let parts): for part in parts { learn(part, isNecessary: false) }
    case .compares(let kind, let constant):
      constants.append(constant)
      if isNecessary { narrow(kind, constant: constant) }
    case .length(let kind, let length): if isNecessary { narrow(kind, length: length) }
    case .holds(_, let text): parts.append(text)
    case .isOne(of: let values): constants += values
    case .matches(let pattern): if isNecessary { patterns.append(pattern) }
    }
  }

  private mutating func narrow(_ kind: Predicate.Operator, constant: Expression.Constant) {
    let (value, whole): (Double, Int64?) =
      switch constant {
      case .integer(let number): (Double(number), number)
      case .real(let number), .date(let number): (number, nil)
      default: (.nan, nil)
      }
    guard value.isFinite else { return }
    var (low, high) = (reals.lowerBound, reals.upperBound)
    var (least, most) = (integers.lowerBound, integers.upperBound)
    switch kind {
    case .greaterThanOrEqual:
      low = max(low, value)
      least = max(least, whole ?? Int64(exactly: value.rounded(.up)) ?? least)
    case .greaterThan:
      low = max(low, value.nextUp)
      least = max(least, (whole ?? Int64(exactly: value.rounded(.down)) ?? .min).next(by: 1))
    case .lessThanOrEqual:
      high = min(high, value)
      most = min(most, whole ?? Int64(exactly: value.rounded(.down)) ?? most)
    case .lessThan:
      high = min(high, value.nextDown)
      most = min(most, (whole ?? Int64(exactly: value.rounded(.up)) ?? .max).next(by: -1))
    case .equal:
      (low, high) = (value, value)
      if let whole = whole ?? Int64(exactly: value) { (least, most) = (whole, whole) }
    default: break
    }
    // Rules that contradict each other leave the earlier ones.
    if low <= high { reals = low...high }
    if least <= most { integers = least...most }
  }

  private mutating func narrow(_ kind: Predicate.Operator, length: Int64) {
    var (least, most) = (lengths.lowerBound, lengths.upperBound)
    let length = Int(clamping: min(max(length, 0), Int64(Int32.max)))
    switch kind {
    case .greaterThanOrEqual: least = max(least, length)
    case .greaterThan: least = max(least, length + 1)
    case .lessThanOrEqual: most = min(most, length)
    case .lessThan: most = min(most, length - 1)
    case .equal: (least, most) = (length, length)
    default: break
    }
    if least <= most { lengths = least...most }
  }
}

extension Int64 {
  /// The number after or before, or the same where there is none.
  fileprivate func next(by step: Int64) -> Int64 {
    let sum = addingReportingOverflow(step)
    return sum.overflow ? self : sum.partialValue
  }
}
