import StoreDoctor
import SwiftDataSchemas
import SwiftDataSource
import SwiftSyntax

extension LintCheck {
  static let fatalContainer = LintCheck(.fatalContainer) { subject, say in
    let ending: Set<String> = ["fatalError", "preconditionFailure", "exit", "abort"]
    for container in subject.containers where !container.isInMemory {
      let (clauses, isForced) = container.call.failureHandling
      if isForced {
        say.add(at: container.place, "try! ends the app where the container cannot be made, without a word to the user")
      }
      for call in clauses.flatMap({ subject.calls(in: Syntax($0.body), from: container.scope) })
      where ending.contains(call.name) && call.isDirect {
        say.add(
          at: call.place, "\(call.name) ends the app where the container cannot be made, without a word to the user",
          notes: [.init("the container", at: container.place)])
      }
    }
  }

  static let storeDeleted = LintCheck(.storeDeleted) { subject, say in
    let deleting: Set<String> = ["removeItem", "deletePersistentStore", "destroyPersistentStore"]
    var seen: Set<SourcePlace> = []
    for container in subject.containers {
      for clause in container.call.failureHandling.clauses {
        let calls = subject.calls(in: Syntax(clause.body), from: container.scope)
        let saving = calls.firstIndex { ["copyItem", "moveItem", "replacePersistentStore"].contains($0.name) }
        for (position, call) in calls.enumerated() where seen.insert(call.place).inserted {
          if call.name == "appendingPathExtension", call.firstText.map({ ["wal", "shm"].contains($0) }) ?? false {
            say.add(
              .note, at: call.place,
              "appendingPathExtension gives 'default.store.wal': the side file is called 'default.store-wal'")
          }
          guard deleting.contains(call.name) else { continue }
          let isSaved = saving.map { $0 < position } ?? false
          say.add(
            isSaved ? .warning : .error, at: call.place,
            "\(call.name) where the container cannot be made: the user's data is lost"
              + (isSaved ? " but for the copy made before" : ""),
            notes: [.init("the container", at: container.place)])
        }
      }
    }
  }

  static let memoryFallback = LintCheck(.memoryFallback) { subject, say in
    var seen: Set<SourcePlace> = []
    for container in subject.containers where !container.isInMemory {
      for clause in container.call.failureHandling.clauses {
        let span = SourceSpan(node: Syntax(clause.body))
        let fallback = subject.containers.first { other in
          other.isInMemory && other.scope.file == container.scope.file && span.contains(other.call.span)
        }
        guard let fallback, seen.insert(fallback.place).inserted else { continue }
        say.add(
          at: fallback.place,
          "where the container cannot be made, one in memory takes its place: what is entered is lost",
          notes: [.init("the container", at: container.place)])
      }
    }
  }
}

/// A call in a `catch`.
private struct HandlingCall {
  var name: String
  var place: SourcePlace
  /// Whether it stands in the clause itself, not in a function that is called there.
  var isDirect: Bool
  /// The first argument, if it is a text.
  var firstText: String?
}

extension LintSubject {
  /// The calls of a clause in order, with those of functions of the same type or file that it calls, one level deep.
  fileprivate func calls(in root: Syntax, from scope: Scope) -> [HandlingCall] {
    var found: [HandlingCall] = []
    for (node, name) in callNodes(root) {
      let first = node.arguments.first.map { SourceExpression($0.expression).stringValue } ?? nil
      found.append(
        HandlingCall(
          name: name, place: place(SourceSpan(node: Syntax(node)), in: scope.file), isDirect: true, firstText: first))
      guard let helper = function(named: name, in: scope) else { continue }
      for (inner, name) in callNodes(helper.syntax) {
        let first = inner.arguments.first.map { SourceExpression($0.expression).stringValue } ?? nil
        found.append(
          HandlingCall(
            name: name, place: place(SourceSpan(node: Syntax(inner)), in: helper.scope.file), isDirect: false,
            firstText: first))
      }
    }
    return found
  }

  private func callNodes(_ root: Syntax) -> [(FunctionCallExprSyntax, String)] {
    root.allNodes.compactMap { node in
      guard let call = node.as(FunctionCallExprSyntax.self) else { return nil }
      let callee = call.calledExpression
      let name =
        callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text
      return name.map { (call, $0) }
    }
  }
}
