import SwiftSyntax

/// The closure of `.modelContainer(for:)`, which gets a `Result`.
struct SetupClosure {
  private let root: Syntax

  init(_ root: Syntax) { self.root = root }

  /// The parts that run when the container could not be made.
  var failures: [Syntax] {
    root.allNodes.flatMap { node -> [Syntax] in
      if let choice = node.as(SwitchExprSyntax.self) { return cases(choice) }
      if let choice = node.as(IfExprSyntax.self) { return branches(choice) }
      if let guarding = node.as(GuardStmtSyntax.self), asksForSuccess(guarding.conditions) {
        return [Syntax(guarding.body)]
      }
      if let statement = node.as(DoStmtSyntax.self), takesResult(Syntax(statement.body)) {
        return statement.catchClauses.map { Syntax($0.body) }
      }
      return node.as(TryExprSyntax.self)?.isForcedResult ?? false ? [node] : []
    }
  }

  private func cases(_ choice: SwitchExprSyntax) -> [Syntax] {
    let cases = choice.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    let isOfResult = cases.contains { asks(Syntax($0.label), for: "success") || asks(Syntax($0.label), for: "failure") }
    guard isOfResult else { return [] }
    return cases.filter { !asks(Syntax($0.label), for: "success") }.map { Syntax($0.statements) }
  }

  private func branches(_ choice: IfExprSyntax) -> [Syntax] {
    if asks(Syntax(choice.conditions), for: "failure") { return [Syntax(choice.body)] }
    return asksForSuccess(choice.conditions) ? [choice.elseBody.map { Syntax($0) }].compactMap(\.self) : []
  }

  private func asksForSuccess(_ conditions: ConditionElementListSyntax) -> Bool {
    asks(Syntax(conditions), for: "success") || takesResult(Syntax(conditions))
  }

  /// Whether a node asks for `.success` or `.failure(let error)`.
  private func asks(_ node: Syntax, for name: String) -> Bool {
    node.allNodes.contains { $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == name }
  }

  /// Whether a node calls `result.get()`.
  private func takesResult(_ node: Syntax) -> Bool { node.calls(["get"]) }
}

extension TryExprSyntax {
  /// Whether it is `try! result.get()`.
  var isForcedResult: Bool {
    questionOrExclamationMark?.tokenKind == .exclamationMark && Syntax(expression).calls(["get"])
  }
}
