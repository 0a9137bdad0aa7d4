import StoreText

/// A predicate as written: names are not looked up yet.
indirect enum PredicateSyntax: Sendable, Equatable {
  case constant(Bool)
  case and([PredicateSyntax])
  case or([PredicateSyntax])
  case not(PredicateSyntax)
  case comparison(ComparisonSyntax)
}

/// A comparison as written.
struct ComparisonSyntax: Sendable, Equatable {
  var quantifier: Quantifier?
  var left: OperandSyntax
  var `operator`: ComparisonOperator
  var options: TextOptions
  var right: OperandSyntax
  /// Where the operator stands.
  var offset: Int
}

/// One side of a comparison, with its place.
struct OperandSyntax: Sendable, Equatable {
  var offset: Int
  var kind: Kind

  indirect enum Kind: Sendable, Equatable {
    /// Names between dots, `SELF` left out: empty for `SELF` alone.
    case path([PathComponent])
    /// As written, `-` in front; or as decimal digits, where it was hexadecimal.
    case number(String)
    case text(String)
    case boolean(Bool)
    case null
    /// `CAST(…, 'NSDate')` of a number or a text.
    case date(OperandSyntax)
    case list([OperandSyntax])
  }
}

/// One name of a key path, with its place; `@count` with its sign.
struct PathComponent: Sendable, Equatable {
  var name: String
  var offset: Int
}

/// The words before a comparison with the objects of a to-many relationship. `SOME` is `ANY`.
enum Quantifier: String, Sendable { case any = "ANY", all = "ALL", none = "NONE" }

/// The operators of comparisons.
enum ComparisonOperator: Sendable, Equatable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case between, `in`
  case beginsWith, endsWith, contains, like, matches

  /// As shown in errors.
  var word: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .between: "BETWEEN"
    case .in: "IN"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .contains: "CONTAINS"
    case .like: "LIKE"
    case .matches: "MATCHES"
    }
  }

  /// Whether it looks into texts.
  var isOfText: Bool {
    switch self {
    case .beginsWith, .endsWith, .contains, .like, .matches: true
    default: false
    }
  }
}
