import StoreWords

// The grammar
// -----------
//   expression  or
//   or          and ("or" and)*
//   and         not ("and" not)*
//   not         "not" not | comparison
//   comparison  sum (("=" | "!=" | "<" | "<=" | ">" | ">=") sum | "is" ["not"] "null")?
//   sum         product (("+" | "-") product)*
//   product     joined (("*" | "/" | "%") joined)*
//   joined      signed ("||" signed)*                      as in SQL, tighter than "*"
//   signed      "-" signed | primary
//   primary     number | 'text' | true | false | null | path | function "(" [expression ("," expression)*] ")"
//               | "(" expression ")" | "case" ("when" expression "then" expression)+ ["else" expression] "end"
//   path        name ("." name)*
//   name        a word that is no keyword, or anything in double quotes: "end"
//
// Keywords and functions may be written in capitals; names of attributes are taken as they are.

/// Parses an expression by the grammar above.
struct ExpressionParser {
  /// The most bytes of an expression.
  static let maximumLength = 4_096
  /// The deepest nesting.
  static let maximumDepth = 64
  /// The most operators, values and calls in an expression.
  static let maximumNodes = 1_000
  /// The grammar of expressions, for error messages.
  static let grammar =
    "an expression is made of attributes, numbers, 'texts', + - * / % ||, comparisons, 'is null', and, or, not, case, "
    + "and functions"

  private let tokens: [ExpressionToken]
  private var place = 0
  private var level = 0
  private var nodes = 0
  private(set) var paths: [String] = []

  /// Parses a whole text.
  static func parse(_ source: String) throws(ExpressionError) -> (root: ExpressionSyntax, paths: [String]) {
    guard source.utf8.count <= maximumLength else {
      throw ExpressionError(column: nil, "an expression of more than \(maximumLength) bytes")
    }
    var parser = ExpressionParser(tokens: try ExpressionLexer.tokens(of: source))
    let root = try parser.expression()
    guard parser.token.kind == .end else {
      throw parser.error("an operator or the end is expected in place of \(parser.token.shown); \(grammar)")
    }
    return (root, parser.paths)
  }

  private init(tokens: [ExpressionToken]) { self.tokens = tokens }

  // MARK: Operators

  private mutating func expression() throws(ExpressionError) -> ExpressionSyntax {
    level += 1
    defer { level -= 1 }
    try checkDepth(level)
    var left = try conjunction()
    while let column = take(.or) {
      let right = try conjunction()
      left = try node(.any(left, right), at: column, parts: left, right)
    }
    return left
  }

  private mutating func conjunction() throws(ExpressionError) -> ExpressionSyntax {
    var left = try negation()
    while let column = take(.and) {
      let right = try negation()
      left = try node(.all(left, right), at: column, parts: left, right)
    }
    return left
  }

  private mutating func negation() throws(ExpressionError) -> ExpressionSyntax {
    guard let column = take(.not) else { return try comparison() }
    level += 1
    defer { level -= 1 }
    try checkDepth(level)
    let operand = try negation()
    return try node(.not(operand), at: column, parts: operand)
  }

  private mutating func comparison() throws(ExpressionError) -> ExpressionSyntax {
    let left = try sum()
    let column = token.column
    if take(.is) != nil {
      let isNegated = take(.not) != nil
      guard take(.null) != nil else { throw expected("'null' after 'is'") }
      return try node(.isNull(left, negated: isNegated), at: column, parts: left)
    }
    guard let sign, let comparison = ExpressionSyntax.Comparison(rawValue: sign.rawValue) else {
      return left
    }
    place += 1
    let right = try sum()
    return try node(.compare(comparison, left: left, right: right), at: column, parts: left, right)
  }

  private mutating func sum() throws(ExpressionError) -> ExpressionSyntax {
    var left = try product()
    while let sign, sign == .plus || sign == .minus {
      let column = advance()
      let right = try product()
      left = try node(
        .arithmetic(sign == .plus ? .add : .subtract, left: left, right: right), at: column, parts: left, right)
    }
    return left
  }

  private mutating func product() throws(ExpressionError) -> ExpressionSyntax {
    var left = try joined()
    while let sign, sign == .times || sign == .divide || sign == .remainder,
      let arithmetic = ExpressionSyntax.Arithmetic(rawValue: sign.rawValue)
    {
      let column = advance()
      let right = try joined()
      left = try node(.arithmetic(arithmetic, left: left, right: right), at: column, parts: left, right)
    }
    return left
  }

  private mutating func joined() throws(ExpressionError) -> ExpressionSyntax {
    var left = try signed()
    while sign == .concatenate {
      let column = advance()
      let right = try signed()
      left = try node(.concatenate(left, right), at: column, parts: left, right)
    }
    return left
  }

  private mutating func signed() throws(ExpressionError) -> ExpressionSyntax {
    guard sign == .minus else { return try primary() }
    let column = advance()
    level += 1
    defer { level -= 1 }
    try checkDepth(level)
    // The least integer's magnitude is one more than the greatest integer.
    if case .integer(let magnitude) = token.kind, magnitude == UInt64(Int64.max) + 1 {
      place += 1
      return try node(.integer(.min), at: column)
    }
    let operand = try signed()
    return try node(.negate(operand), at: column, parts: operand)
  }

  // MARK: Values

  private mutating func primary() throws(ExpressionError) -> ExpressionSyntax {
    let column = token.column
    switch token.kind {
    case .integer(let number):
      guard let value = Int64(exactly: number) else { throw error("\(number) is beyond 64 bits") }
      place += 1
      return try node(.integer(value), at: column)
    case .real(let number):
      place += 1
      return try node(.real(number), at: column)
    case .text(let text):
      place += 1
      return try node(.text(text), at: column)
    case .name: return try path()
    case .word(let word):
      if let keyword = Keyword(rawValue: word.lowercased()) { return try value(keyword) }
      return tokens[min(place + 1, tokens.count - 1)].kind == .symbol(.open) ? try call(word) : try path()
    case .symbol(.open):
      place += 1
      let inner = try expression()
      guard sign == .close else { throw expected("')'") }
      place += 1
      return inner
    case .symbol, .end: throw expected("a value")
    }
  }

  private mutating func value(_ keyword: Keyword) throws(ExpressionError) -> ExpressionSyntax {
    let column = token.column
    switch keyword {
    case .null, .true, .false:
      place += 1
      return try node(keyword == .null ? .null : .boolean(keyword == .true), at: column)
    case .case: return try choice()
    case .and, .or, .not, .is, .when, .then, .else, .end:
      throw error(
        "a value is expected in place of the keyword '\(keyword)'; an attribute of that name is \"\(keyword)\"")
    }
  }

  private mutating func path() throws(ExpressionError) -> ExpressionSyntax {
    let column = token.column
    var names: [String] = []
    repeat {
      if !names.isEmpty { place += 1 }
      switch token.kind {
      case .word(let name), .name(let name):
        guard !name.isEmpty, !name.contains(".") else { throw expected("a name without dots") }
        names.append(name)
        place += 1
      case .integer, .real, .text, .symbol, .end: throw expected("a name")
      }
    } while sign == .dot
    let path = names.joined(separator: ".")
    let known = paths.firstIndex(of: path)
    if known == nil { paths.append(path) }
    return try node(.path(known ?? paths.count - 1), at: column)
  }

  private mutating func call(_ name: String) throws(ExpressionError) -> ExpressionSyntax {
    let column = token.column
    let names = ExpressionFunction.allCases.map(\.rawValue)
    guard let function = ExpressionFunction(rawValue: name.lowercased()) else {
      throw error(
        "there is no function \(quoted(name)); the functions are \(names.joined(separator: ", "))"
          + didYouMean(name, among: names))
    }
    place += 2
    var arguments: [ExpressionSyntax] = []
    if sign != .close {
      arguments.append(try expression())
      while sign == .comma {
        place += 1
        arguments.append(try expression())
      }
    }
    guard sign == .close else { throw expected("',' or ')'") }
    place += 1
    guard function.arity.contains(arguments.count) else {
      let (least, most) = (function.arity.lowerBound, function.arity.upperBound)
      let count = least == most ? counted(least, "value") : "\(least) to \(counted(most, "value"))"
      throw ExpressionError(column: column, "\(function)() takes \(count), not \(arguments.count)")
    }
    return try node(.call(function, arguments), at: column, parts: arguments)
  }

  private mutating func choice() throws(ExpressionError) -> ExpressionSyntax {
    let column = advance()
    var choices: [ExpressionSyntax.Choice] = []
    while take(.when) != nil {
      let condition = try expression()
      guard take(.then) != nil else { throw expected("'then'") }
      choices.append(.init(condition: condition, result: try expression()))
    }
    guard !choices.isEmpty else { throw expected("'when'") }
    let otherwise = take(.else) == nil ? nil : try expression()
    guard take(.end) != nil else { throw expected(otherwise == nil ? "'when', 'else' or 'end'" : "'end'") }
    let parts = choices.flatMap { [$0.condition, $0.result] } + (otherwise.map { [$0] } ?? [])
    return try node(.choose(choices, otherwise: otherwise), at: column, parts: parts)
  }

  // MARK: Tokens

  private enum Keyword: String { case and, or, not, `is`, null, `true`, `false`, `case`, when, then, `else`, end }

  private var token: ExpressionToken { tokens[min(place, tokens.count - 1)] }

  /// Moves on; returns the column of the token passed.
  private mutating func advance() -> Int {
    defer { place += 1 }
    return token.column
  }

  /// Consumes a keyword if it is next, and returns its column.
  private mutating func take(_ keyword: Keyword) -> Int? {
    guard case .word(let word) = token.kind, word.lowercased() == keyword.rawValue else { return nil }
    return advance()
  }

  /// The symbol that is next, if one is.
  private var sign: ExpressionToken.Symbol? {
    if case .symbol(let symbol) = token.kind { symbol } else { nil }
  }

  // MARK: Nodes

  private mutating func node(
    _ kind: ExpressionSyntax.Kind, at column: Int, parts: ExpressionSyntax...
  ) throws(ExpressionError) -> ExpressionSyntax {
    try node(kind, at: column, parts: parts)
  }

  private mutating func node(
    _ kind: ExpressionSyntax.Kind, at column: Int, parts: [ExpressionSyntax]
  ) throws(ExpressionError) -> ExpressionSyntax {
    nodes += 1
    guard nodes <= Self.maximumNodes else {
      throw ExpressionError(column: column, "an expression of more than \(Self.maximumNodes) parts")
    }
    let depth = 1 + (parts.map(\.depth).max() ?? 0)
    try checkDepth(depth)
    return ExpressionSyntax(kind: kind, column: column, depth: depth)
  }

  private func checkDepth(_ depth: Int) throws(ExpressionError) {
    guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
  }

  private func error(_ message: String) -> ExpressionError { ExpressionError(column: token.column, message) }

  private func expected(_ what: String) -> ExpressionError { error("\(what) is expected in place of \(token.shown)") }
}
