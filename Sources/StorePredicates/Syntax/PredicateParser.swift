import StoreText

/// Reads tokens as a predicate: OR of ANDs of NOTs of comparisons.
struct PredicateParser {
  let source: PredicateSource
  private let tokens: [PredicateToken]
  private var position = 0
  private var depth = 0
  private var comparisons = 0

  init(_ source: PredicateSource, _ tokens: [PredicateToken]) {
    self.source = source
    self.tokens = tokens
  }

  /// The whole text.
  mutating func predicate() throws(FetchPredicateError) -> PredicateSyntax {
    guard tokens.count > 1 else { throw error("the predicate is empty", at: 0) }
    let syntax = try disjunction()
    guard token.kind == .end else { throw unexpectedRest() }
    return syntax
  }

  private mutating func disjunction() throws(FetchPredicateError) -> PredicateSyntax {
    var parts = [try conjunction()]
    while takeWord("OR") || takeSign("||") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(FetchPredicateError) -> PredicateSyntax {
    var parts = [try negation()]
    while takeWord("AND") || takeSign("&&") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(FetchPredicateError) -> PredicateSyntax {
    let offset = token.offset
    guard takeWord("NOT") || takeSign("!") else { return try primary() }
    try goDeeper(offset)
    defer { depth -= 1 }
    return .not(try negation())
  }

  private mutating func primary() throws(FetchPredicateError) -> PredicateSyntax {
    let offset = token.offset
    if takeWord("TRUEPREDICATE") { return .constant(true) }
    if takeWord("FALSEPREDICATE") { return .constant(false) }
    guard takeSign("(") else { return try comparison() }
    try goDeeper(offset)
    defer { depth -= 1 }
    let inner = try disjunction()
    guard takeSign(")") else {
      if token.kind == .end { throw error("this parenthesis is not closed", at: offset) }
      throw unexpectedRest()
    }
    return inner
  }

  private mutating func goDeeper(_ offset: Int) throws(FetchPredicateError) {
    depth += 1
    guard depth <= FetchPredicate.maximumDepth else {
      throw error("more than \(FetchPredicate.maximumDepth) levels of parentheses and NOT", at: offset)
    }
  }

  // MARK: Comparisons

  private mutating func comparison() throws(FetchPredicateError) -> PredicateSyntax {
    comparisons += 1
    guard comparisons <= FetchPredicate.maximumCount else {
      throw error("more than \(FetchPredicate.maximumCount) comparisons", at: token.offset)
    }
    let quantifier = takeQuantifier()
    let left = try operand()
    let offset = token.offset
    guard let `operator` = try takeOperator() else { throw missingOperator(after: left) }
    let options = try self.options(of: `operator`)
    let right = try operand()
    if case .sign(let sign) = token.kind, Self.arithmetic.contains(sign) { throw arithmeticError(after: right) }
    return .comparison(
      ComparisonSyntax(
        quantifier: quantifier, left: left, operator: `operator`, options: options, right: right, offset: offset))
  }

  private mutating func takeQuantifier() -> Quantifier? {
    if takeWord("ANY") || takeWord("SOME") { return .any }
    if takeWord("ALL") { return .all }
    return takeWord("NONE") ? Quantifier.none : nil
  }

  private static let signs: [String: ComparisonOperator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]
  private static let words: [String: ComparisonOperator] = [
    "BETWEEN": .between, "IN": .in, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains,
    "LIKE": .like, "MATCHES": .matches,
  ]

  private mutating func takeOperator() throws(FetchPredicateError) -> ComparisonOperator? {
    switch token.kind {
    case .sign(let sign):
      guard let known = Self.signs[sign] else { return nil }
      position += 1
      return known
    case .name(let name, isEscaped: false):
      guard let known = Self.words[name.uppercased()] else { return nil }
      position += 1
      return known
    default: return nil
    }
  }

  /// `[cd]` after an operator.
  private mutating func options(of operator: ComparisonOperator) throws(FetchPredicateError) -> TextOptions {
    guard takeSign("[") else { return [] }
    guard case .name(let letters, isEscaped: false) = token.kind else {
      throw error("[c], [d] or [cd] is expected", at: token.offset)
    }
    var options: TextOptions = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n":
        throw error(
          "[n] says that texts are normalised already, which is not known of a store; leave it out, or use [cd]",
          at: token.offset)
      case "l":
        throw error(
          "[l] depends on the language set on a device, which is not known here; use [cd]", at: token.offset)
      default: throw error("no option '\(letter)'; there are c (case) and d (diacritics)", at: token.offset)
      }
    }
    position += 1
    guard takeSign("]") else { throw error("']' is expected", at: token.offset) }
    guard `operator` != .between else {
      throw error("\(`operator`.word) has no options", at: tokens[position - 3].offset)
    }
    return options
  }

  // MARK: Operands

  private mutating func operand() throws(FetchPredicateError) -> OperandSyntax {
    let offset = token.offset
    switch token.kind {
    case .number(let digits):
      position += 1
      return OperandSyntax(offset: offset, kind: .number(digits))
    case .text(let text):
      position += 1
      return OperandSyntax(offset: offset, kind: .text(text))
    case .sign("-"): return try negative(offset)
    case .sign("{"): return OperandSyntax(offset: offset, kind: .list(try list(offset)))
    case .name(let name, let isEscaped): return try named(name, isEscaped: isEscaped, at: offset)
    case .at(let name):
      position += 1
      return try path(from: [PathComponent(name: "@" + name, offset: offset)], offset)
    case .variable: throw error("variables are not known here; write the value itself", at: offset)
    case .end: throw error("a key path or a value is expected after this", at: offset)
    case .sign("("):
      throw error("a key path or a value is expected; a list stands in braces: IN {1, 2}", at: offset)
    case .sign(let sign): throw error("a key path or a value is expected, not '\(sign)'", at: offset)
    }
  }

  private mutating func negative(_ offset: Int) throws(FetchPredicateError) -> OperandSyntax {
    position += 1
    guard case .number(let digits) = token.kind else {
      throw error("a number is expected after '-'; arithmetic is not evaluated here", at: token.offset)
    }
    position += 1
    return OperandSyntax(offset: offset, kind: .number("-" + digits))
  }

  private mutating func list(_ offset: Int) throws(FetchPredicateError) -> [OperandSyntax] {
    position += 1
    var values: [OperandSyntax] = []
    if takeSign("}") { return values }
    repeat {
      if case .sign("{") = token.kind { throw error("a list holds values, not lists", at: token.offset) }
      let value = try operand()
      guard values.count < FetchPredicate.maximumCount else {
        throw error("more than \(FetchPredicate.maximumCount) values in a list", at: value.offset)
      }
      values.append(value)
    } while takeSign(",")
    guard takeSign("}") else {
      if token.kind == .end { throw error("this list is not closed with '}'", at: offset) }
      throw error("',' or '}' is expected", at: token.offset)
    }
    return values
  }

  private mutating func named(
    _ name: String, isEscaped: Bool, at offset: Int
  ) throws(FetchPredicateError) -> OperandSyntax {
    position += 1
    guard !isEscaped else { return try path(from: [PathComponent(name: name, offset: offset)], offset) }
    switch name.uppercased() {
    case "TRUE", "YES": return OperandSyntax(offset: offset, kind: .boolean(true))
    case "FALSE", "NO": return OperandSyntax(offset: offset, kind: .boolean(false))
    case "NULL", "NIL": return OperandSyntax(offset: offset, kind: .null)
    case "SELF": return try path(from: [], offset)
    case "CAST": return OperandSyntax(offset: offset, kind: .date(try castToDate(offset)))
    case "SUBQUERY":
      throw error("SUBQUERY is not evaluated here; conditions on one to-many are written ANY path == value", at: offset)
    case "FUNCTION", "FETCH", "TERNARY":
      throw error("\(name.uppercased()) is not evaluated here; compare key paths with values", at: offset)
    case let word where Self.reserved.contains(word):
      throw error(
        "a key path or a value is expected; '\(name)' is a word of the language, a property of that name is written "
          + "'#\(name)'", at: offset)
    default:
      if case .sign("(") = token.kind {
        throw error(
          "functions such as \(PredicateSource(name).shown)(…) are not evaluated here; compare key paths with values",
          at: offset)
      }
      return try path(from: [PathComponent(name: name, offset: offset)], offset)
    }
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
    "BETWEEN", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// The names after the first; a name after a dot is never a word of the language.
  private mutating func path(from first: [PathComponent], _ offset: Int) throws(FetchPredicateError) -> OperandSyntax {
    var components = first
    while takeSign(".") {
      switch token.kind {
      case .name(let name, _): components.append(PathComponent(name: name, offset: token.offset))
      case .at(let name): components.append(PathComponent(name: "@" + name, offset: token.offset))
      default: throw error("a name is expected after '.'", at: token.offset)
      }
      position += 1
    }
    if case .sign("[") = token.kind {
      throw error(
        "a position in a relationship ([0], [FIRST], [SIZE]) is not evaluated here; use .@count", at: token.offset)
    }
    return OperandSyntax(offset: offset, kind: .path(components))
  }

  /// `CAST(value, 'NSDate')`, after the word.
  private mutating func castToDate(_ offset: Int) throws(FetchPredicateError) -> OperandSyntax {
    guard takeSign("(") else { throw error("'(' is expected after CAST", at: token.offset) }
    let value = try literal()
    guard takeSign(","), case .text(let name) = token.kind else {
      throw error("CAST has two arguments: CAST(727189213.4, 'NSDate')", at: token.offset)
    }
    guard name == "NSDate" || name == "Date" else {
      throw error("only CAST(…, 'NSDate') is evaluated here", at: token.offset)
    }
    position += 1
    guard takeSign(")") else { throw error("')' is expected", at: token.offset) }
    return value
  }

  private mutating func literal() throws(FetchPredicateError) -> OperandSyntax {
    let offset = token.offset
    switch token.kind {
    case .number, .text, .sign("-"): return try operand()
    default: throw error("CAST takes a number of seconds since 2001 or a date as text", at: offset)
    }
  }

  // MARK: Errors

  private static let arithmetic: Set<String> = ["+", "-", "*", "/", "**"]

  private func arithmeticError(after operand: OperandSyntax) -> FetchPredicateError {
    if case .number(let digits) = operand.kind, digits.utf8.count == 4, case .sign("-") = token.kind {
      return error("a date stands in quotes: '2026-03-01'", at: operand.offset)
    }
    return error("arithmetic is not evaluated here; write the result", at: token.offset)
  }

  private func missingOperator(after left: OperandSyntax) -> FetchPredicateError {
    switch token.kind {
    case .sign(let sign) where Self.arithmetic.contains(sign): return arithmeticError(after: left)
    case .name(let name, isEscaped: false) where name.uppercased() == "IS":
      return error("no operator '\(name)'; write == NULL or != NULL", at: token.offset)
    case .name(let name, isEscaped: false) where name.uppercased() == "NOT":
      return error("NOT stands before the whole comparison: NOT title IN {'a', 'b'}", at: token.offset)
    case .name(let name, _) where !Self.reserved.contains(name.uppercased()):
      return error(
        "an operator is expected, such as == or CONTAINS, not '\(PredicateSource(name).shown)'", at: token.offset)
    default:
      let path = PredicateSource(source.string(left.offset..<tokens[max(position - 1, 0)].end)).shown
      let hint: String
      if case .path = left.kind { hint = "; write '\(path) == TRUE' or '\(path) != NULL'" } else { hint = "" }
      return error("an operator is expected, such as == or CONTAINS\(hint)", at: token.offset)
    }
  }

  private func unexpectedRest() -> FetchPredicateError {
    switch token.kind {
    case .sign(")"): return error("no parenthesis was opened before this one", at: token.offset)
    case .sign(let sign) where Self.arithmetic.contains(sign):
      return error("arithmetic is not evaluated here; write the result", at: token.offset)
    default: return error("AND, OR or the end is expected", at: token.offset)
    }
  }

  private func error(_ message: String, at offset: Int) -> FetchPredicateError {
    FetchPredicateError(message, at: offset, in: source)
  }

  // MARK: Tokens

  /// The next token; the last one is `end`, which nothing takes.
  private var token: PredicateToken { tokens[min(position, tokens.count - 1)] }

  private mutating func takeSign(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard case .name(let name, isEscaped: false) = token.kind, name.uppercased() == word else { return false }
    position += 1
    return true
  }
}
