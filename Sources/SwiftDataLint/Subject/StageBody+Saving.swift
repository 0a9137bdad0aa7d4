import SwiftDataSource
import SwiftSyntax

extension StageBody {
  /// Something a body does, where it stands.
  struct Step {
    var node: Syntax
    var span: SourceSpan
    var file: Int
    var helper: String?
  }

  /// Something a body does to objects: "inserts objects".
  struct Change {
    var words: String
    var isDeletion = false
    var step: Step
  }

  /// Everything a body does to objects of its context, in order.
  var changes: [Change] {
    let calls = calls(named: ["insert", "delete"]).filter(isOnContext)
      .map { call in
        let isDeletion = call.name == "delete"
        return Change(
          words: isDeletion ? "deletes objects" : "inserts objects", isDeletion: isDeletion, step: step(of: call))
      }
    let objects = objectNames
    let assignments =
      assignments
      .filter { $0.path.count > 1 && (objects.contains($0.path[0]) || isOfElement($0, of: objects)) }
      .map { assignment in
        Change(
          words: "assigns to \(assignment.path[0]).\(assignment.path[1])",
          step: Step(
            node: assignment.syntax, span: assignment.span, file: assignment.file, helper: assignment.helper))
      }
    return (calls + assignments).sorted { ($0.step.file, $0.step.span.start) < ($1.step.file, $1.step.span.start) }
  }

  /// The saves of its context. Files and settings have a `save()` too.
  var saves: [Step] {
    calls(named: ["save", "transaction"]).filter { call in
      if call.isOwn { return true }
      guard let base = call.syntax.calledExpression.as(MemberAccessExprSyntax.self)?.base else { return false }
      return Syntax(base).allNodes.contains { node in
        let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        return contexts.contains(name) || name.lowercased().contains("context")
      }
    }.map(step)
  }

  /// Calls that are given the context, or methods of it that SwiftData does not have, and were not followed: they may
  /// save.
  var callsTakingContext: [Call] {
    let makers = Set(bindings.filter { isMadeOfContext($0.value) }.map(\.name))
    return calls.filter { call in
      let isFollowed = call.helper == nil && helpers.contains(call.name)
      if isFollowed || call.name.first?.isUppercase ?? true { return false }
      if isMethod(call) { return !Self.contextMethods.contains(call.name) }
      return call.base.map(makers.contains) ?? false || call.syntax.arguments.contains { isContext($0.expression) }
    }
  }

  /// Whether a step is done in any case once another was: it stands behind it, and in no branch that leaves the other out.
  func isDone(_ save: Step, after change: Step) -> Bool {
    if let helper = save.helper, helper == change.helper { return follows(save.node, change.node) }
    guard let site = site(of: save), let origin = self.site(of: change) else { return false }
    // A helper that saves in a branch only does not save in any case.
    return follows(site, origin) && (save.helper == nil || !save.node.isInBranch(without: nil))
  }

  private func follows(_ save: Syntax, _ change: Syntax) -> Bool {
    // A transaction saves what is done in it.
    (save.position > change.position || save.isDeferred || save.contains(change)) && !save.isInBranch(without: change)
  }

  /// The node in the closure itself: for what a helper does, its last call.
  private func site(of step: Step) -> Syntax? {
    guard let helper = step.helper else { return step.node }
    return calls.last { $0.name == helper && $0.helper == nil }.map { Syntax($0.syntax) }
  }

  private func step(of call: Call) -> Step {
    Step(node: Syntax(call.syntax), span: call.span, file: call.file, helper: call.helper)
  }

  // MARK: Contexts and objects

  /// What SwiftData's own contexts can do; whether `enumerate` saves is not known.
  static let contextMethods: Set<String> = [
    "delete", "deleteHistory", "fetch", "fetchCount", "fetchHistory", "fetchIdentifiers", "insert", "model",
    "processPendingChanges", "registeredModel", "rollback", "save", "transaction",
  ]

  /// `context.save()`, and `save()` in a method of the context.
  func isMethod(_ call: Call) -> Bool {
    if call.isOwn { return true }
    guard let base = call.base, let member = call.syntax.calledExpression.as(MemberAccessExprSyntax.self),
      member.base?.is(DeclReferenceExprSyntax.self) ?? false
    else { return false }
    return contexts.contains(base) || (base.lowercased().contains("context") && base.first?.isLowercase ?? false)
  }

  /// `context.insert(note)`, `context.delete(model: Note.self)`, and not `set.insert(name)`.
  private func isOnContext(_ call: Call) -> Bool {
    guard let base = call.base else { return call.isOwn }
    return call.isOwn || contexts.contains(base) || base.lowercased().contains("context")
      || call.syntax.arguments.first?.label?.text == "model"
  }

  private func isContext(_ expression: ExprSyntax) -> Bool {
    expression.as(DeclReferenceExprSyntax.self).map { contexts.contains($0.baseName.text) } ?? false
  }

  /// `NoteMover(context)`
  private func isMadeOfContext(_ value: ExprSyntax) -> Bool {
    guard let call = value.as(FunctionCallExprSyntax.self),
      SourceExpression(call.calledExpression).pathNames?.last?.first?.isUppercase ?? false
    else { return false }
    return call.arguments.contains { isContext($0.expression) }
  }

  /// `notes.map { $0.rank = 1 }`: whether it is done to each of some objects in turn.
  private func isOfElement(_ assignment: Assignment, of objects: Set<String>) -> Bool {
    let closure = assignment.syntax.closure(withParameter: assignment.path[0])
    guard let call = closure?.methodCall, let base = call.calledExpression.as(MemberAccessExprSyntax.self)?.base else {
      return false
    }
    return Syntax(base).calls(["fetch"])
      || Syntax(base).allNodes.contains { node in
        node.as(DeclReferenceExprSyntax.self).map { objects.contains($0.baseName.text) } ?? false
      }
  }

  /// Variables that hold fetched objects: those of loops, and what is bound to a fetch.
  private var objectNames: Set<String> {
    Set(loops.map(\.variable) + bindings.filter { Syntax($0.value).calls(["fetch"]) }.map(\.name))
  }
}

extension Syntax {
  /// Whether it stands in a branch that another node is not in, or in work for later. `if context.hasChanges` is no branch
  /// in this sense.
  fileprivate func isInBranch(without other: Syntax?) -> Bool {
    var node = self
    while let parent = node.parent, !parent.is(FunctionDeclSyntax.self) {
      if parent.isBranch(node), other.map({ !node.contains($0) }) ?? true { return true }
      node = parent
    }
    return false
  }

  fileprivate func contains(_ other: Syntax) -> Bool {
    position <= other.position && other.endPosition <= endPosition
  }

  /// Whether a part of it is run under a condition only.
  private func isBranch(_ part: Syntax) -> Bool {
    if let choice = self.as(IfExprSyntax.self) {
      if part.id == choice.conditions.id { return false }
      let asksForChanges = choice.conditions.description.contains("hasChanges")
      return !(part.id == choice.body.id && asksForChanges)
    }
    if let guarding = self.as(GuardStmtSyntax.self) { return part.id == guarding.body.id }
    if let closure = self.as(ClosureExprSyntax.self) { return part.id == closure.statements.id && closure.isForLater }
    return self.is(SwitchCaseSyntax.self) || self.is(CatchClauseSyntax.self)
  }

  /// Whether it is done when the block ends.
  fileprivate var isDeferred: Bool {
    var node = parent
    while let current = node {
      if current.is(DeferStmtSyntax.self) { return true }
      node = current.parent
    }
    return false
  }
}

extension Syntax {
  /// The nearest closure around it whose parameter has a name.
  fileprivate func closure(withParameter name: String) -> ClosureExprSyntax? {
    var node = parent
    while let current = node {
      if let closure = current.as(ClosureExprSyntax.self), (closure.firstParameter ?? "$0") == name { return closure }
      node = current.parent
    }
    return nil
  }
}

extension ClosureExprSyntax {
  /// The call that is given it and nothing else: `notes.map { … }`, `notes.map({ … })`.
  fileprivate var methodCall: FunctionCallExprSyntax? {
    if let call = parent?.as(FunctionCallExprSyntax.self) { return call.arguments.isEmpty ? call : nil }
    let call = parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return call?.arguments.count == 1 ? call : nil
  }

  /// `Task { … }`, `queue.async { … }`
  fileprivate var isForLater: Bool {
    guard let callee = parent?.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
    let name =
      callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    return ["Task", "detached", "async", "asyncAfter"].contains(name ?? "")
  }
}
