import SwiftSyntax

extension Syntax {
  /// This node and all inside of it, outer ones first. Uses a stack of its own, since trees can be deeper than a
  /// thread's stack allows.
  package var allNodes: [Syntax] {
    var found: [Syntax] = []
    var rest = [self]
    while let node = rest.popLast() {
      found.append(node)
      rest += node.children(viewMode: .sourceAccurate).reversed()
    }
    return found
  }

  /// Whether it contains a call of one of these methods or functions.
  package func calls(_ names: Set<String>) -> Bool {
    allNodes.contains { node in
      guard let callee = node.as(FunctionCallExprSyntax.self)?.calledExpression else { return false }
      let name = callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      return names.contains(name ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text ?? "")
    }
  }
}
