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
    /// What the clauses give back, if that is a value.
    var returned: FailureHandling.ReturnedFailure?
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
        let received = ReceivedFailure(in: item)
        found.clauses += received.blocks
        if received.isReturned { found.returned = .absence }
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
        found.returned = attempt.returned
        return found
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        found.isLeftToCallers = !found.isForced && !isOptional
        guard found.isLeftToCallers, let closure = parent.as(ClosureExprSyntax.self) else { return found }
        if let result = Self.result(of: closure) {
          // `Result { try ModelContainer(for: Note.self) }`
          let received = ReceivedFailure(of: Syntax(result))
          found.isLeftToCallers = false
          found.clauses += received.blocks
          found.rests += received.statements
          if received.isReturned { found.returned = .error }
        } else {
          found.closure = Self.passed(closure)
        }
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
      rest: fallsThrough && !throwsAgain ? Self.rest(behind: Syntax(statement)) : nil,
      returned: bodies.lazy.compactMap(\.statements.returnedFailure).first)
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

  /// The statements behind one in its block.
  static func rest(behind statement: Syntax) -> SourceSpan? {
    let nodes = [statement] + statement.ancestors.prefix(3).map(\.node)
    guard let item = nodes.lazy.compactMap({ $0.as(CodeBlockItemSyntax.self) }).first,
      let list = item.parent?.as(CodeBlockItemListSyntax.self),
      let next = list.first(where: { $0.position >= item.endPosition }), let last = list.last
    else { return nil }
    return SourceSpan(start: SourceSpan(next).start, end: SourceSpan(last).end)
  }

  /// `Result { … }`, of which a closure is the only argument.
  private static func result(of closure: ClosureExprSyntax) -> FunctionCallExprSyntax? {
    guard let call = closure.parent?.as(FunctionCallExprSyntax.self), call.trailingClosure?.id == closure.id,
      call.arguments.isEmpty
    else { return nil }
    let callee = call.calledExpression.as(GenericSpecializationExprSyntax.self)?.expression ?? call.calledExpression
    return callee.as(DeclReferenceExprSyntax.self)?.baseName.plainText == "Result" ? call : nil
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
  var leaves: Bool {
    guard let last else { return false }
    switch last.item {
    case .stmt(let statement): return statement.is(ReturnStmtSyntax.self) || statement.is(ThrowStmtSyntax.self)
    case .expr(let expression):
      return ["fatalError", "preconditionFailure", "exit", "abort"].contains(
        expression.as(FunctionCallExprSyntax.self)?.typeName ?? "")
    case .decl: return false
    }
  }

  /// What a `return` among the statements, outside of closures and functions, gives back of a failure.
  fileprivate var returnedFailure: FailureHandling.ReturnedFailure? {
    var rest = [Syntax(self)]
    while let node = rest.popLast() {
      if let value = node.as(ReturnStmtSyntax.self)?.expression {
        if value.is(NilLiteralExprSyntax.self) { return .absence }
        let parts = value.as(TupleExprSyntax.self)?.elements
        if let parts, parts.count > 1, parts.contains(where: { $0.expression.is(NilLiteralExprSyntax.self) }) {
          return .error
        }
        let callee = value.as(FunctionCallExprSyntax.self)?.calledExpression.as(MemberAccessExprSyntax.self)
        if callee?.declName.baseName.plainText == "failure" { return .error }
      }
      if [.closureExpr, .functionDecl, .token].contains(node.kind) { continue }
      rest += node.children(viewMode: .sourceAccurate)
    }
    return nil
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
