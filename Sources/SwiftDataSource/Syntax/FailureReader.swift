import SwiftSyntax

/// Finds what happens where calls of a tree fail.
struct FailureReader {
  /// What is known of the `do` statements of the tree, each of which may be around many calls.
  private var known: [SyntaxIdentifier: Attempt] = [:]

  /// A `do` statement.
  private struct Attempt {
    var clauses: [SourceSpan]
    var body: SourceSpan
    /// Whether a clause throws.
    var throwsAgain: Bool
    var rest: SourceSpan?
  }

  /// Finds the `catch` clauses around a call, and whether it is made with `try!`. The search ends at functions and
  /// closures, and goes on outwards where a clause throws again.
  mutating func handling(around call: FunctionCallExprSyntax) -> FailureHandling {
    var found = FailureHandling()
    var isOptional = false
    for (parent, node) in call.ancestors {
      if let attempt = parent.as(TryExprSyntax.self), let mark = attempt.questionOrExclamationMark?.text {
        found.isForced = found.isForced || mark == "!"
        isOptional = isOptional || mark == "?"
      }
      if isOptional, let blocks = Self.blocks(ofFailed: node, in: parent) {
        found.clauses += blocks.others
        found.rests += blocks.rests
        return found
      }
      if isOptional, let item = parent.as(CodeBlockItemSyntax.self) {
        found.clauses += Self.blocks(ofNilIn: item)
        return found
      }
      if let statement = parent.as(DoStmtSyntax.self), node.id == statement.body.id {
        // No error of `try!` or `try?` gets here.
        if found.isForced || isOptional { return found }
        let attempt = attempt(statement)
        found.clauses += attempt.clauses
        found.tried.append(attempt.body)
        if attempt.throwsAgain { continue }
        found.rests += [attempt.rest].compactMap(\.self)
        return found
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        found.isLeftToCallers = !found.isForced && !isOptional
        if found.isLeftToCallers { found.closure = parent.as(ClosureExprSyntax.self).flatMap(Self.passed) }
        return found
      }
    }
    return found
  }

  private mutating func attempt(_ statement: DoStmtSyntax) -> Attempt {
    if let found = known[statement.id] { return found }
    let bodies = statement.catchClauses.map(\.body)
    let throwsAgain = bodies.contains(where: \.statements.throwsError)
    let fallsThrough = statement.body.statements.leaves && !bodies.contains(where: \.statements.leaves)
    let attempt = Attempt(
      clauses: bodies.map { SourceSpan($0) }, body: SourceSpan(statement.body), throwsAgain: throwsAgain,
      rest: fallsThrough && !throwsAgain ? Self.rest(behind: Syntax(statement)) : nil)
    known[statement.id] = attempt
    return attempt
  }

  /// The blocks that run where the value of `try?` in a condition is nil.
  private static func blocks(
    ofFailed node: Syntax, in statement: Syntax
  ) -> (others: [SourceSpan], rests: [SourceSpan])? {
    if let guarding = statement.as(GuardStmtSyntax.self), node.id == guarding.conditions.id {
      return ([SourceSpan(guarding.body)], [])
    }
    guard let choice = statement.as(IfExprSyntax.self), node.id == choice.conditions.id else { return nil }
    if let other = choice.elseBody?.as(CodeBlockSyntax.self) { return ([SourceSpan(other)], []) }
    guard choice.elseBody == nil, choice.body.statements.leaves, let rest = rest(behind: Syntax(choice)) else {
      return nil
    }
    return ([], [rest])
  }

  /// The blocks behind `container = try? …` that run where it is nil: of `if container == nil { … }`, and of
  /// `guard let container else { … }`.
  private static func blocks(ofNilIn item: CodeBlockItemSyntax) -> [SourceSpan] {
    guard let name = item.boundName, let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return [] }
    let behind = list.drop { $0.position < item.endPosition }.prefix(maximumStatements)
    return behind.flatMap { next -> [SourceSpan] in
      if let guarding = next.item.as(GuardStmtSyntax.self), guarding.conditions.asks(whether: name, isNil: false) {
        return [SourceSpan(guarding.body)]
      }
      let expression = next.item.as(ExpressionStmtSyntax.self)?.expression ?? next.item.as(ExprSyntax.self)
      guard let choice = expression?.as(IfExprSyntax.self) else { return [] }
      if choice.conditions.asks(whether: name, isNil: true) { return [SourceSpan(choice.body)] }
      guard choice.conditions.asks(whether: name, isNil: false) else { return [] }
      return [choice.elseBody?.as(CodeBlockSyntax.self)].compactMap { $0.map { SourceSpan($0) } }
    }
  }

  private static let maximumStatements = 64

  /// The statements behind one in its block.
  private static func rest(behind statement: Syntax) -> SourceSpan? {
    let nodes = [statement] + statement.ancestors.prefix(3).map(\.node)
    guard let item = nodes.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
      let list = item.parent?.as(CodeBlockItemListSyntax.self),
      let next = list.first(where: { $0.position >= item.endPosition }), let last = list.last
    else { return nil }
    return SourceSpan(start: SourceSpan(next).start, end: SourceSpan(last).end)
  }

  /// The call that a closure is an argument of.
  private static func passed(_ closure: ClosureExprSyntax) -> FailureHandling.PassedClosure? {
    for (node, inner) in closure.ancestors {
      if let call = node.as(FunctionCallExprSyntax.self) {
        // `{ … }()` is a call of the closure.
        return inner.id == call.calledExpression.id
          ? nil : FailureHandling.PassedClosure(span: SourceSpan(closure), call: SourceSpan(call))
      }
      guard
        [.labeledExpr, .labeledExprList, .multipleTrailingClosureElement, .multipleTrailingClosureElementList]
          .contains(node.kind)
      else { return nil }
    }
    return nil
  }
}

extension CodeBlockItemListSyntax {
  /// Whether the last statement leaves the function, by `return`, `throw` or a function that does not return.
  fileprivate var leaves: Bool {
    guard let last else { return false }
    switch last.item {
    case .stmt(let statement): return statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
    case .expr(let expression):
      return ["fatalError", "preconditionFailure", "exit", "abort"].contains(
        expression.as(FunctionCallExprSyntax.self)?.typeName ?? "")
    case .decl: return false
    }
  }

  /// Whether any of the statements, outside of closures and functions, throws.
  fileprivate var throwsError: Bool {
    var rest = [Syntax(self)]
    while let node = rest.popLast() {
      if node.is(ThrowStmtSyntax.self) { return true }
      if [.closureExpr, .functionDecl, .token].contains(node.kind) { continue }
      rest += node.children(viewMode: .sourceAccurate)
    }
    return false
  }
}

extension CodeBlockItemSyntax {
  /// The name that the statement gives a value: `container` for `let container = try? …` and `self.container = try? …`.
  fileprivate var boundName: String? {
    if let binding = item.as(VariableDeclSyntax.self)?.bindings.first {
      return binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
    }
    let expression = item.as(ExpressionStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
    let elements = expression?.as(SequenceExprSyntax.self)?.elements
    guard let elements, let first = elements.first, elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
    else { return nil }
    return first.pathNames?.last
  }
}

extension ConditionElementListSyntax {
  /// Whether it asks if a name is nil, or is not: `container == nil`, `let container`, `let container = self.container`.
  fileprivate func asks(whether name: String, isNil: Bool) -> Bool {
    contains { element in
      switch element.condition {
      case .optionalBinding(let binding):
        let own = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
        return !isNil && (binding.initializer.map { $0.value.pathNames?.last } ?? own) == name
      case .expression(let condition):
        guard let parts = condition.as(SequenceExprSyntax.self)?.elements, parts.count == 3 else { return false }
        let operands = [parts.first, parts.last].compactMap(\.self)
        let sign = parts.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?.operator.text
        return sign == (isNil ? "==" : "!=") && operands.contains { $0.is(NilLiteralExprSyntax.self) }
          && operands.contains { $0.pathNames?.last == name }
      default: return false
      }
    }
  }
}
