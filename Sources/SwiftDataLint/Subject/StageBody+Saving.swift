import StoreText
import SwiftDataSource
import SwiftSyntax

extension StageBody {
  /// Something a body does, with its place.
  struct Step {
    var node: Syntax
    var span: SourceSpan
    var file: Int
    var helper: String?
  }

  /// A change of objects: "inserts objects".
  struct Change {
    var words: String
    var isDeletion = false
    var step: Step
  }

  /// All changes of its context's objects, in order.
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

  /// The saves of its context; other types have a `save()` too.
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

  /// Calls that may save: ones that get the context as an argument, or methods of it that SwiftData does not have,
  /// which were not followed.
  var callsTakingContext: [Call] {
    let makers = Set(bindings.filter { isMadeOfContext($0.value) }.map(\.name))
    return calls.filter { call in
      let isFollowed = call.helper == nil && helpers.contains(call.name)
      if isFollowed || call.name.first?.isUppercase ?? true { return false }
      if isMethod(call) { return !Self.contextMethods.contains(call.name) }
      return call.base.map(makers.contains) ?? false || call.syntax.arguments.contains { isContext($0.expression) }
    }
  }

  /// Whether a save certainly follows a change: it is after it, and not in a branch that may be skipped.
  func isDone(_ save: Step, after change: Step) -> Bool {
    if let helper = save.helper, helper == change.helper { return follows(save.node, change.node) }
    guard let site = site(of: save), let origin = self.site(of: change) else { return false }
    // A helper that saves only in a branch does not certainly save.
    return follows(site, origin) && (save.helper == nil || !save.node.isInBranch(without: nil))
  }

  private func follows(_ save: Syntax, _ change: Syntax) -> Bool {
    // A transaction saves the changes in it.
    (save.position > change.position || save.isDeferred || save.contains(change)) && !save.isInBranch(without: change)
  }

  /// The node in the closure itself; for a step of a helper, the helper's last call.
  private func site(of step: Step) -> Syntax? {
    guard let helper = step.helper else { return step.node }
    return calls.last { $0.name == helper && $0.helper == nil }.map { Syntax($0.syntax) }
  }

  private func step(of call: Call) -> Step {
    Step(node: Syntax(call.syntax), span: call.span, file: call.file, helper: call.helper)
  }

  // MARK: Contexts and objects

  /// Methods of SwiftData's own contexts; whether `enumerate` saves is not known.
  static let contextMethods: Set<String> = [
    "delete", "deleteHistory", "fetch", "fetchCount", "fetchHistory", "fetchIdentifiers", "insert", "model",
    "processPendingChanges", "registeredModel", "rollback", "save", "transaction",
  ]

  /// Whether a call is a method of the context: `context.save()`, or `save()` in an extension of it.
  func isMethod(_ call: Call) -> Bool {
    if call.isOwn { return true }
    guard let base = call.base, let member = call.syntax.calledExpression.as(MemberAccessExprSyntax.self),
      member.base?.is(DeclReferenceExprSyntax.self) ?? false
    else { return false }
    return contexts.contains(base) || (base.lowercased().contains("context") && base.first?.isLowercase ?? false)
  }

  /// Recognises `context.insert(note)` and `context.delete(model: Note.self)`, but not `set.insert(name)`.
  private func isOnContext(_ call: Call) -> Bool {
    guard let base = call.base else { return call.isOwn }
    return call.isOwn || contexts.contains(base) || base.lowercased().contains("context")
      || call.syntax.arguments.first?.label?.text == "model"
  }

  private func isContext(_ expression: ExprSyntax) -> Bool {
    expression.as(DeclReferenceExprSyntax.self).map { contexts.contains($0.baseName.text) } ?? false
  }

  /// Whether a value is made with the context, like `NoteMover(context)`.
  private func isMadeOfContext(_ value: ExprSyntax) -> Bool {
    guard let call = value.as(FunctionCallExprSyntax.self),
      SourceExpression(call.calledExpression).pathNames?.last?.first?.isUppercase ?? false
    else { return false }
    return call.arguments.contains { isContext($0.expression) }
  }

  /// Whether it is assigned to each of some objects: `notes.map { $0.rank = 1 }`.
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

  /// Variables that hold fetched objects: those of loops, and those bound to a fetch.
  private var objectNames: Set<String> {
    Set(loops.map(\.variable) + bindings.filter { Syntax($0.value).calls(["fetch"]) }.map(\.name))
  }
}

extension Syntax {
  /// Whether it is in a branch, or in deferred work, that does not contain the other node. `if context.hasChanges` does
  /// not count as a branch.
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

  /// Whether a part of it runs only under a condition.
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

  /// Whether it runs at the end of its block.
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
  /// The nearest enclosing closure with a parameter of that name.
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
  /// The call whose only argument it is: `notes.map { … }`, `notes.map({ … })`.
  fileprivate var methodCall: FunctionCallExprSyntax? {
    if let call = parent?.as(FunctionCallExprSyntax.self) { return call.arguments.isEmpty ? call : nil }
    let call = parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(FunctionCallExprSyntax.self)
    return call?.arguments.count == 1 ? call : nil
  }

  /// Whether it is run later: `Task { … }`, `queue.async { … }`.
  fileprivate var isForLater: Bool {
    guard let callee = parent?.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
    let name =
      callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    return ["Task", "detached", "async", "asyncAfter"].contains(name ?? "")
  }
}
