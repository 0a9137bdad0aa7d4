/// A predicate as a model archive keeps it: of a partial index, a derived attribute's filter, a validation rule.
public indirect enum Predicate: Sendable, Equatable {
  case comparison(Comparison)
  case compound(Compound, [Predicate])
  /// TRUEPREDICATE or FALSEPREDICATE.
  case constant(Bool)
  /// A predicate as its source spells it, such as Xcode's `predicateString`; not parsed.
  case text(String)
  /// A predicate of a class storedoctor does not read.
  case other(className: String)

  /// How subpredicates are joined (`NSCompoundPredicateType`).
  public enum Compound: Int, Sendable { case not = 0, and = 1, or = 2 }

  /// Left operator right.
  public struct Comparison: Sendable, Equatable {
    /// What is compared.
    public var left: Expression
    /// With what.
    public var right: Expression
    /// How.
    public var `operator`: Operator
    /// `NSModifier`: 0 direct, 1 ALL, 2 ANY.
    public var modifier: Int
    /// `NSOptions` or `NSFlags`: 1 case-insensitive, 2 diacritic-insensitive, 4 normalised, 8 locale-sensitive.
    public var options: Int

    /// A direct comparison without options unless said otherwise.
    public init(
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
  public enum Operator: Int, Sendable, CaseIterable {
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
public indirect enum Expression: Sendable, Equatable {
  /// The object itself.
  case evaluatedObject
  case keyPath(String)
  /// A key path of something other than the object itself.
  case path(of: Expression, String)
  case variable(String)
  case constant(Constant)
  /// A function such as `count:`, with what it is sent to (nil for the predicate utilities) and its arguments.
  case function(String, operand: Expression?, [Expression])
  case aggregate([Expression])
  /// An expression as its source spells it, such as Xcode's `derivationExpression`; not parsed.
  case text(String)
  /// An expression of a class storedoctor does not read.
  case other(className: String)

  /// A constant of a predicate.
  public enum Constant: Sendable, Equatable {
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
