import SwiftDataSource
import SwiftSyntax

/// The code that runs when a container cannot be made: a `catch` clause around the call, or the closure that gets its
/// result.
struct FailureHandler {
  /// Its block or closure.
  let span: SourceSpan
  /// Whether it is a block or a closure.
  let form: SourceCode.Form
  /// The calls in it, in order, including those in functions of the same type or file that it calls, one level deep;
  /// nil where it is too long to be read.
  let calls: [Call]?

  struct Call {
    var name: String
    var span: SourceSpan
    var file: Int
    /// Whether the call is in the handler itself, and not in a function it calls.
    var isDirect: Bool
    /// The first argument, if it is a text.
    var firstText: String?
  }

  /// - Parameter form: `.block` or `.closure`.
  init(_ span: SourceSpan, as form: SourceCode.Form, in scope: Scope, _ code: inout LintCode) {
    self.span = span
    self.form = form
    calls = Self.calls(in: span, form: form, in: scope, code: &code)
  }

  private static func calls(
    in span: SourceSpan, form: SourceCode.Form, in scope: Scope, code: inout LintCode
  ) -> [Call]? {
    guard let piece = code.piece(span, as: form, in: scope.file) else { return nil }
    // A closure also runs on success; only the parts for failures count.
    let parts = form == .closure ? SetupClosure(piece.syntax).failures : [piece.syntax]
    var found: [Call] = []
    var seen: Set<String> = []
    for call in parts.flatMap({ piece.calls(in: $0, areDirect: true) }) {
      found.append(call)
      guard seen.insert(call.name).inserted, let helper = code.function(named: call.name, in: scope) else { continue }
      guard let piece = code.piece(helper.span, as: .function, in: helper.scope.file) else { return nil }
      found += piece.calls(in: piece.syntax, areDirect: false)
    }
    return found
  }
}

extension SourceCode {
  fileprivate func calls(in part: Syntax, areDirect: Bool) -> [FailureHandler.Call] {
    part.allNodes.compactMap { node in
      if node.id == part.id, let attempt = node.as(TryExprSyntax.self) {
        return FailureHandler.Call(name: "try!", span: span(attempt), file: file, isDirect: areDirect)
      }
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
