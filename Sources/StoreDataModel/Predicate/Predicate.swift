/// A predicate in a model: of a partial index, a derived attribute's filter, or a validation rule.
package indirect enum Predicate: Sendable, Equatable {
  case comparison(Comparison)
  case compound(Compound, [Predicate])
  /// TRUEPREDICATE or FALSEPREDICATE.
  case constant(Bool)
  /// An unparsed predicate in the spelling of its source, such as Xcode's `predicateString`.
  case text(String)
  /// A predicate of a class storedoctor does not read.
  case other(className: String)

  /// How subpredicates are joined (`NSCompoundPredicateType`).
  package enum Compound: Int, Sendable { case not = 0, and = 1, or = 2 }

  /// A comparison: left, operator, right.
  package struct Comparison: Sendable, Equatable {
    /// The left operand.
    package var left: Expression
    /// The right operand.
    package var right: Expression
    /// The operator.
    package var `operator`: Operator
    /// `NSModifier`: 0 direct, 1 ALL, 2 ANY.
    package var modifier: Int
    /// `NSOptions` or `NSFlags`: 1 case-insensitive, 2 diacritic-insensitive, 4 normalised, 8 locale-sensitive.
    package var options: Int

    /// By default a direct comparison without options.
    package init(
      _ left: Expression, _ operator: Operator, _ right: Expression, modifier: Int = 0, options: Int = 0
    ) {
      self.left = left
      self.right = right
      self.operator = `operator`
      self.modifier = modifier
      self.options = options
    }
  }

  /// `NSPredicateOperator.Type` by number.
  package enum Operator: Int, Sendable, CaseIterable {
    case lessThan = 0, lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual, matches, like
    case beginsWith, endsWith, `in`
    case customSelector
    case contains = 99
    case between = 100

    var format: String {
      switch self {
      case .lessThan: "<"
      case .lessThanOrEqual: "<="
      case .greaterThan: ">"
      case .greaterThanOrEqual: ">="
      case .equal: "=="
      case .notEqual: "!="
      case .matches: "MATCHES"
      case .like: "LIKE"
      case .beginsWith: "BEGINSWITH"
      case .endsWith: "ENDSWITH"
      case .in: "IN"
      case .customSelector: "SELECTOR"
      case .contains: "CONTAINS"
      case .between: "BETWEEN"
      }
    }
  }
}

/// An expression of a predicate, an index element or a derived attribute.
package indirect enum Expression: Sendable, Equatable {
  /// The object itself.
  case evaluatedObject
  case keyPath(String)
  /// A key path of something else than the object itself.
  case path(of: Expression, String)
  case variable(String)
  case constant(Constant)
  /// A function such as `count:`, with the operand it is called on (nil for a built-in function) and its arguments.
  case function(String, operand: Expression?, [Expression])
  case aggregate([Expression])
  /// An unparsed expression in the spelling of its source, such as Xcode's `derivationExpression`.
  case text(String)
  /// An expression of a class storedoctor does not read.
  case other(className: String)

  /// A constant of a predicate.
  package enum Constant: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case list([Constant])
    case object(className: String)
  }
}
