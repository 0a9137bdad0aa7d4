import StoreSQLite

/// Checks the types of an expression, and turns it into steps to evaluate.
///
/// | | takes | gives |
/// |---|---|---|
/// | `+ - * / %` | integers; numbers, of which an integer becomes a real | the same |
/// | `+ -` | a date and seconds | a date |
/// | `-` | two dates | seconds between them |
/// | `\|\|` | texts | a text |
/// | `= !=` | two of one type | a truth value |
/// | `< <= > >=` | numbers, texts, dates | a truth value |
/// | `and or not` | truth values | a truth value |
/// | `case`, `coalesce` | results of one type | that type |
struct ExpressionChecker {
  typealias Checked = (type: ExpressionType, step: ExpressionStep)

  /// The type of each path, or why it has none.
  let types: [Result<ExpressionType, ExpressionError>]
  private(set) var madeUUIDs = 0

  init(types: [Result<ExpressionType, ExpressionError>]) { self.types = types }

  mutating func check(_ syntax: ExpressionSyntax) throws(ExpressionError) -> Checked {
    switch syntax.kind {
    case .null: return (.null, .constant(.null))
    case .integer(let number): return (.integer, .constant(.integer(number)))
    case .real(let number): return (.real, .constant(.real(number)))
    case .text(let text): return (.text, .constant(.text(text)))
    case .boolean(let flag): return (.boolean, .constant(.integer(flag ? 1 : 0)))
    case .path(let index): return try input(index, syntax: syntax)
    case .negate(let operand):
      let checked = try check(operand)
      guard checked.type.isNumber || checked.type == .null else {
        throw mistaken(expected: "a number", found: checked, at: operand)
      }
      return (checked.type, .negate(checked.step))
    case .not(let operand): return (.boolean, .not(try truth(operand)))
    case .all(let left, let right): return (.boolean, .all(try truth(left), try truth(right)))
    case .any(let left, let right): return (.boolean, .any(try truth(left), try truth(right)))
    case .isNull(let operand, let isNegated): return (.boolean, .isNull(try check(operand).step, negated: isNegated))
    case .arithmetic(let arithmetic, left: let left, right: let right):
      return try self.arithmetic(arithmetic, left: left, right: right, syntax: syntax)
    case .concatenate(let left, let right): return (.text, .concatenate(try text(left), try text(right)))
    case .compare(let comparison, left: let left, right: let right):
      return try compare(comparison, left: left, right: right, syntax: syntax)
    case .choose(let choices, let otherwise): return try choose(choices, otherwise: otherwise, at: syntax)
    case .call(let function, let arguments): return try call(function, arguments: arguments, at: syntax)
    }
  }

  private func input(_ index: Int, syntax: ExpressionSyntax) throws(ExpressionError) -> Checked {
    guard index < types.count else { return (.null, .constant(.null)) }
    switch types[index] {
    case .success(let type): return (type, .input(index, type))
    case .failure(let error): throw ExpressionError(column: syntax.column, error.message)
    }
  }

  // MARK: One type

  /// A truth value; null stands for an unknown one.
  private mutating func truth(_ syntax: ExpressionSyntax) throws(ExpressionError) -> ExpressionStep {
    try self.expect(.boolean, of: syntax).step
  }

  private mutating func text(_ syntax: ExpressionSyntax) throws(ExpressionError) -> ExpressionStep {
    try self.expect(.text, of: syntax).step
  }

  /// A value of this type, or null.
  mutating func expect(_ type: ExpressionType, of syntax: ExpressionSyntax) throws(ExpressionError) -> Checked {
    let checked = try check(syntax)
    if checked.type == type || checked.type == .null { return checked }
    if type == .real, checked.type == .integer { return (.real, .real(checked.step)) }
    throw mistaken(expected: type.words, found: checked, at: syntax)
  }

  func mistaken(expected: String, found: Checked, at syntax: ExpressionSyntax) -> ExpressionError {
    let hint = expected == ExpressionType.text.words ? "; text(…) makes a text of it" : ""
    return ExpressionError(column: syntax.column, "\(expected) is expected in place of \(found.type.words)\(hint)")
  }

  // MARK: Operators

  private mutating func arithmetic(
    _ arithmetic: ExpressionSyntax.Arithmetic, left: ExpressionSyntax, right: ExpressionSyntax,
    syntax: ExpressionSyntax
  ) throws(ExpressionError) -> Checked {
    let (first, second) = (try check(left), try check(right))
    let type: ExpressionType
    switch (first.type, second.type) {
    case (.null, _), (_, .null): return (first.type == .null ? second.type : first.type, .constant(.null))
    case (.integer, .integer): return (.integer, .arithmetic(arithmetic, left: first.step, right: second.step))
    case (.integer, .real), (.real, .integer), (.real, .real): type = .real
    case (.date, .date) where arithmetic == .subtract: type = .real
    case (.date, .integer) where arithmetic == .add || arithmetic == .subtract,
      (.date, .real) where arithmetic == .add || arithmetic == .subtract, (.integer, .date) where arithmetic == .add,
      (.real, .date) where arithmetic == .add:
      type = .date
    case (_, _):
      let hint = first.type == .text && arithmetic == .add ? "; || joins texts" : ""
      throw ExpressionError(
        column: syntax.column,
        "'\(arithmetic.rawValue)' does not go with \(first.type.words) and \(second.type.words)\(hint)")
    }
    return (type, .arithmetic(arithmetic, left: Self.real(first), right: Self.real(second)))
  }

  private static func real(_ checked: Checked) -> ExpressionStep {
    checked.type == .integer ? .real(checked.step) : checked.step
  }

  private mutating func compare(
    _ comparison: ExpressionSyntax.Comparison, left: ExpressionSyntax, right: ExpressionSyntax,
    syntax: ExpressionSyntax
  ) throws(ExpressionError) -> Checked {
    let (first, second) = (try check(left), try check(right))
    let isNull = first.type == .null || second.type == .null
    if isNull {
      throw ExpressionError(column: syntax.column, "nothing equals null; write 'is null' or 'is not null'")
    }
    let areAlike = first.type == second.type || first.type.isNumber && second.type.isNumber
    let haveOrder = first.type.isNumber || first.type == .text || first.type == .date
    guard areAlike, haveOrder || comparison == .equal || comparison == .notEqual else {
      throw ExpressionError(
        column: syntax.column,
        "'\(comparison.rawValue)' does not go with \(first.type.words) and \(second.type.words)")
    }
    return (.boolean, .compare(comparison, left: first.step, right: second.step))
  }

  // MARK: Alternatives

  private mutating func choose(
    _ choices: [ExpressionSyntax.Choice], otherwise: ExpressionSyntax?, at syntax: ExpressionSyntax
  ) throws(ExpressionError) -> Checked {
    var conditions: [ExpressionStep] = []
    for choice in choices { conditions.append(try truth(choice.condition)) }
    let (type, results) = try alternatives(choices.map(\.result) + (otherwise.map { [$0] } ?? []))
    let pairs = zip(conditions, results).map { (condition: $0, result: $1) }
    return (type, .choose(pairs, otherwise: otherwise == nil ? nil : results.last))
  }

  /// Values of which one is chosen: all of one type; integers become reals if another is real.
  mutating func alternatives(
    _ syntaxes: [ExpressionSyntax]
  ) throws(ExpressionError) -> (type: ExpressionType, steps: [ExpressionStep]) {
    var type = ExpressionType.null
    var checked: [Checked] = []
    for syntax in syntaxes {
      let next = try check(syntax)
      if type == .null || type == .integer && next.type == .real {
        type = next.type
      } else if next.type != type, next.type != .null, !(type == .real && next.type == .integer) {
        throw ExpressionError(
          column: syntax.column, "\(type.words) is expected as before, in place of \(next.type.words)")
      }
      checked.append(next)
    }
    return (type, checked.map { type == .real ? Self.real($0) : $0.step })
  }

  /// The number of the expression's next `uuid()`.
  mutating func nextUUID() -> Int {
    defer { madeUUIDs += 1 }
    return madeUUIDs
  }
}
