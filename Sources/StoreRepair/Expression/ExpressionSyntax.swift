/// A parsed expression, not yet checked against the types of its attributes.
package struct ExpressionSyntax: Sendable, Equatable {
  var kind: Kind
  /// The position of its first character, from 1 on.
  var column: Int
  /// How many levels it has. The parser limits it, and so the stack that a recursive walk needs.
  var depth: Int

  indirect enum Kind: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case boolean(Bool)
    /// An index into the list of paths.
    case path(Int)
    case negate(ExpressionSyntax)
    case not(ExpressionSyntax)
    case arithmetic(Arithmetic, left: ExpressionSyntax, right: ExpressionSyntax)
    case concatenate(ExpressionSyntax, ExpressionSyntax)
    case compare(Comparison, left: ExpressionSyntax, right: ExpressionSyntax)
    case isNull(ExpressionSyntax, negated: Bool)
    case all(ExpressionSyntax, ExpressionSyntax)
    case any(ExpressionSyntax, ExpressionSyntax)
    case choose([Choice], otherwise: ExpressionSyntax?)
    case call(ExpressionFunction, [ExpressionSyntax])
  }

  /// `when … then …`.
  struct Choice: Sendable, Equatable {
    var condition: ExpressionSyntax
    var result: ExpressionSyntax
  }

  package enum Arithmetic: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  package enum Comparison: String, Sendable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="

    /// Whether the comparison holds when the first value is less (-1), equal (0) or greater (1) than the second.
    func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .atMost: order <= 0
      case .greater: order > 0
      case .atLeast: order >= 0
      }
    }
  }
}

/// The functions, by name; ``ExpressionChecker`` says what arguments each takes.
enum ExpressionFunction: String, Sendable, CaseIterable {
  case unix, reference, julian, date
  case number, integer, round, abs
  case text, lower, upper, trim, length, substring, replace, before, after
  case uuid, now, coalesce

  /// How many arguments it takes.
  var arity: ClosedRange<Int> {
    switch self {
    case .now: 0...0
    case .uuid: 0...1
    case .unix, .reference, .julian, .number, .integer, .abs, .text, .lower, .upper, .trim, .length: 1...1
    case .date, .round: 1...2
    case .before, .after: 2...2
    case .substring: 2...3
    case .replace: 3...3
    case .coalesce: 1...64
    }
  }
}
