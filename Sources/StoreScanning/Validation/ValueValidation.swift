import StoreDataModel

/// The model's validation rules for an attribute, and the rows that violate them.
package struct ValueValidation {
  /// The rules, with the codes Core Data gives when they are violated.
  private let rules: [(rule: ValueRule, code: Int)]
  /// Why other rules cannot be evaluated.
  package let notEvaluated: [String]
  /// Rows that violate a rule.
  package private(set) var rows: RowTally
  /// The codes of violated rules.
  package private(set) var codes: Set<Int> = []
  /// Rows that were not checked, because the patterns took too much work.
  package private(set) var unjudged: Int64 = 0

  /// The steps that the patterns of one attribute may take over all rows, a few seconds' worth. Counted rather than
  /// timed, so that a store gives the same findings on every machine.
  private var work = Self.mostWork
  private static let mostWork = 1_000_000_000

  /// The rules of an attribute, or of a leaf of a composite one.
  init(_ property: Property, exampleLimit: Int) {
    rows = RowTally(limit: exampleLimit)
    var rules: [(ValueRule, Int)] = []
    var reasons: [String] = []
    let attribute = property.attribute
    for predicate in attribute?.validationPredicates ?? [] {
      do throws(ValueRule.NotEvaluable) {
        rules.append((try ValueRule(predicate), predicate.code(attribute?.type ?? .undefined)))
      } catch {
        reasons.append(error.reason)
      }
    }
    if attribute?.validationTexts != nil { reasons.append("it is known only as Xcode spells it") }
    self.rules = rules
    notEvaluated = reasons
  }

  /// Whether there are rules to check.
  var hasRules: Bool { !rules.isEmpty }

  /// Whether the work of both is not more than one may take, so that every row was judged that would be.
  func canAdd(_ later: ValueValidation) -> Bool { work - (Self.mostWork - later.work) > 0 }

  /// Adds what was found in rows that come after these.
  mutating func add(_ later: ValueValidation) {
    work -= Self.mostWork - later.work
    rows.add(later.rows)
    codes.formUnion(later.codes)
    unjudged += later.unjudged
  }

  /// Checks a row's value.
  mutating func look(at value: BorrowedValue, _ row: Int64) {
    var isBroken = false
    var isUnjudged = false
    for (rule, code) in rules {
      switch rule.holds(for: value, work: &work) {
      case true: break
      case false:
        isBroken = true
        codes.insert(code)
      case nil: isUnjudged = true
      }
    }
    if isBroken { rows.add(row) } else if isUnjudged { unjudged += 1 }
  }
}

extension Predicate {
  /// The code Core Data gives for a value that violates it, such as 1610 for a number that is too large; 1550 where it
  /// has no code of its own.
  fileprivate func code(_ type: AttributeType) -> Int {
    guard case .comparison(let comparison) = self else { return 1550 }
    let isLength = comparison.left != .evaluatedObject
    return switch comparison.operator {
    case .lessThan, .lessThanOrEqual:
      if isLength {
        1660
      } else if type == .date {
        1630
      } else {
        1610
      }
    case .greaterThan, .greaterThanOrEqual:
      if isLength {
        1670
      } else if type == .date {
        1640
      } else {
        1620
      }
    case .matches: 1680
    default: 1550
    }
  }
}
