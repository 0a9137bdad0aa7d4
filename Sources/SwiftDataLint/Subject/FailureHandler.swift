import SwiftDataSource
import SwiftSyntax

/// A `catch` clause around the making of a container.
struct FailureHandler {
  /// Its block.
  let span: SourceSpan
  /// The calls in it in order, with those of functions of the same type or file that it calls, one level deep; nil where
  /// it is too long to be looked into.
  let calls: [Call]?

  struct Call {
    var name: String
    var span: SourceSpan
    var file: Int
    /// Whether it stands in the clause itself, not in a function that is called there.
    var isDirect: Bool
    /// The first argument, if it is a text.
    var firstText: String?
  }

  init(_ span: SourceSpan, in scope: Scope, _ code: inout LintCode) {
    self.span = span
    calls = Self.calls(span, in: scope, &code)
  }

  private static func calls(_ span: SourceSpan, in scope: Scope, _ code: inout LintCode) -> [Call]? {
    guard let block = code.piece(span, as: .block, in: scope.file) else { return nil }
    var found: [Call] = []
    var seen: Set<String> = []
    for call in block.calls(areDirect: true) {
      found.append(call)
      guard seen.insert(call.name).inserted, let helper = code.function(named: call.name, in: scope) else { continue }
      guard let piece = code.piece(helper.span, as: .function, in: helper.scope.file) else { return nil }
      found += piece.calls(areDirect: false)
    }
    return found
  }
}

extension SourceCode {
  fileprivate func calls(areDirect: Bool) -> [FailureHandler.Call] {
    syntax.allNodes.compactMap { node in
      guard let call = node.as(FunctionCallExprSyntax.self) else { return nil }
      let callee = call.calledExpression
      let name =
        callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text
      return name.map { name in
        FailureHandler.Call(
          name: name, span: span(call), file: file, isDirect: areDirect,
          firstText: call.arguments.first.flatMap { SourceExpression($0.expression).stringValue })
      }
    }
  }
}
