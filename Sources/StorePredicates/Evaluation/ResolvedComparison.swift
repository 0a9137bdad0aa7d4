import StoreText

/// A comparison whose operands are known: places of paths, and values of the right kinds.
struct ResolvedComparison: Sendable {
  var quantifier: Quantifier?
  var left: Operand
  var test: Test

  /// One side.
  indirect enum Operand: Sendable {
    case value(PredicateValue)
    /// By its position in ``ResolvedPredicate/paths``.
    case path(Int)
    /// `@sum`, `@min`, `@max` or `@avg` over the values of a path.
    case aggregate(Aggregate, Int)

    @inline(__always)
    func read(_ value: (Int) -> PredicateValue) -> PredicateValue {
      switch self {
      case .value(let constant): constant
      case .path(let index): value(index)
      case .aggregate(let aggregate, let index): aggregate.result(of: value(index))
      }
    }
  }

  /// The test of the left side.
  indirect enum Test: Sendable {
    case order(OrderTest, Operand)
    /// With `[c]` or `[d]`.
    case textOrder(OrderTest, TextOperand)
    case between(Operand, Operand)
    /// In a list.
    case among([Operand])
    /// In a list of whole numbers or keys alone; values of other kinds are looked for one by one.
    case amongIntegers(Set<Int64>, [Operand])
    /// In a list of texts alone. The set holds canonical equivalents equal, so that what it has is still compared.
    case amongStrings(Set<String>, [Operand])
    /// In a list, with `[c]` or `[d]`.
    case amongTexts([TextOperand])
    /// In the values of a path through a to-many relationship.
    case amongValues(Operand, TextOptions)
    case text(PreparedText.Place, TextOperand)
    case like(LikePattern)
    case matches(TextPattern)
  }

  /// The test of a list, with a set where the list allows one.
  static func membership(in candidates: [Operand]) -> Test {
    var (integers, strings): (Set<Int64>, Set<String>) = ([], [])
    for case .value(let value) in candidates {
      switch value {
      case .integer(let number), .object(let number): integers.insert(number)
      case .text(let text): strings.insert(text)
      default: return .among(candidates)
      }
    }
    let areAllValues = candidates.allSatisfy { if case .value = $0 { true } else { false } }
    guard areAllValues, integers.isEmpty != strings.isEmpty else { return .among(candidates) }
    return strings.isEmpty ? .amongIntegers(integers, candidates) : .amongStrings(strings, candidates)
  }

  /// `==`, `<` and the like.
  enum OrderTest: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// NULL equals NULL, differs from any value, and is in no order.
    func holds(_ order: ValueOrder) -> Match {
      switch (self, order) {
      case (_, .unknown): .unknown
      case (.equal, _): Match(order.isSame)
      case (.notEqual, _): Match(!order.isSame)
      case (.less, .ascending), (.greater, .descending): .matches
      case (.lessOrEqual, .ascending), (.lessOrEqual, .same): .matches
      case (.greaterOrEqual, .descending), (.greaterOrEqual, .same): .matches
      default: .differs
      }
    }

    var isOfOrder: Bool { self != .equal && self != .notEqual }
  }

  /// A text to compare with: prepared once, or read of each object.
  enum TextOperand: Sendable {
    case prepared(PreparedText)
    case read(Operand, TextOptions)
  }
}

extension ValueOrder {
  var isSame: Bool { if case .same = self { true } else { false } }
}

/// The aggregate of the values of a to-many relationship.
enum Aggregate: String, Sendable { case sum = "@sum", minimum = "@min", maximum = "@max", average = "@avg" }

extension Aggregate {
  /// NULLs are left out, as in SQL; of no values the sum is 0 and the others are NULL.
  func result(of value: PredicateValue) -> PredicateValue {
    guard case .collection(let all) = value else { return value }
    let values = all.filter { $0 != .null }
    switch self {
    case .minimum: return Self.extreme(of: values, .ascending)
    case .maximum: return Self.extreme(of: values, .descending)
    case .sum: return Self.sum(of: values)
    case .average:
      guard !values.isEmpty else { return .null }
      guard let sum = Self.realSum(of: values) else { return .unknown }
      return .real(sum / Double(values.count))
    }
  }

  private static func extreme(of values: [PredicateValue], _ wanted: ValueOrder) -> PredicateValue {
    guard var found = values.first else { return .null }
    for value in values {
      switch (ValueOrder.of(value, found), wanted) {
      case (.unknown, _): return .unknown
      case (.ascending, .ascending), (.descending, .descending): found = value
      default: break
      }
    }
    return found
  }

  /// Integers exactly while they fit into 64 bits; else as Double.
  private static func sum(of values: [PredicateValue]) -> PredicateValue {
    var sum: Int64 = 0
    for value in values {
      guard case .integer(let number) = value, case (let partial, false) = sum.addingReportingOverflow(number) else {
        return realSum(of: values).map { .real($0) } ?? .unknown
      }
      sum = partial
    }
    return .integer(sum)
  }

  private static func realSum(of values: [PredicateValue]) -> Double? {
    var sum = 0.0
    for value in values {
      switch value {
      case .integer(let number): sum += Double(number)
      case .real(let number): sum += number
      case .boolean(let value): sum += value ? 1 : 0
      case .decimal(let digits):
        guard let number = Double(digits) else { return nil }
        sum += number
      default: return nil
      }
    }
    return sum
  }
}
