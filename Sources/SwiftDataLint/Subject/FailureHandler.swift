import SwiftDataSource
import SwiftSyntax

/// The code that runs when a container cannot be made: a `catch` clause around the call, or the closure that gets its
/// result.
struct FailureHandler {
  /// The file that it stands in.
  let file: Int
  /// Its block or closure.
  let span: SourceSpan
  /// Whether it is a block or a closure.
  let form: SourceCode.Form
  /// The calls in it, in order, including those in functions of the sources that it calls, up to three levels deep; nil
  /// where it is too long to be read.
  let calls: [Call]?
  /// What that code mentions.
  let words: Words

  struct Call {
    var name: String
    var span: SourceSpan
    var file: Int
    /// Whether the call is in the handler itself, and not in a function it calls.
    var isDirect: Bool
    /// The first argument, if it is a text.
    var firstText: String?
    /// The names that it is made on: `Library` of `Library.reset()`, and of `Library().reset()`; empty for none, nil for
    /// anything else.
    var base: [String]?
  }

  /// The texts and the names behind a point that stand in code.
  struct Words {
    fileprivate(set) var texts: [String] = []
    fileprivate(set) var members: Set<String> = []
  }

  /// - Parameter form: `.block` or `.closure`.
  init(_ span: SourceSpan, as form: SourceCode.Form, in scope: Scope, _ code: inout LintCode) {
    file = scope.file
    self.span = span
    self.form = form
    var reader = HandlerReader()
    calls = reader.read(span, as: form, in: scope, &code) ? reader.calls : nil
    words = reader.words
  }
}

/// Reads a handler, and the functions that it calls.
private struct HandlerReader {
  private(set) var calls: [FailureHandler.Call] = []
  private(set) var words = FailureHandler.Words()
  private var seen: Set<Piece> = []

  private struct Piece: Hashable {
    let file: Int
    let span: SourceSpan
  }

  private static let maximumDepth = 3

  /// - Returns: whether all could be read.
  mutating func read(_ span: SourceSpan, as form: SourceCode.Form, in scope: Scope, _ code: inout LintCode) -> Bool {
    guard let piece = code.piece(span, as: form, in: scope.file) else { return false }
    // A closure also runs on success; only the parts for failures count.
    let parts = form == .closure ? SetupClosure(piece.syntax).failures : [piece.syntax]
    return parts.allSatisfy { read($0, of: piece, in: scope, &code, depth: 0) }
  }

  private mutating func read(
    _ part: Syntax, of piece: SourceCode, in scope: Scope, _ code: inout LintCode, depth: Int
  ) -> Bool {
    words.read(part)
    for call in piece.calls(in: part, areDirect: depth == 0) {
      calls.append(call)
      guard depth < Self.maximumDepth, let helper = code.helper(call.name, of: call.base, in: scope),
        seen.insert(Piece(file: helper.scope.file, span: helper.span)).inserted
      else { continue }
      guard let inner = code.piece(helper.span, as: .function, in: helper.scope.file),
        read(inner.syntax, of: inner, in: helper.scope, &code, depth: depth + 1)
      else { return false }
    }
    return true
  }
}

extension FailureHandler.Words {
  fileprivate mutating func read(_ part: Syntax) {
    for node in part.allNodes {
      if let text = node.as(StringSegmentSyntax.self) {
        texts.append(text.content.text)
      } else if let member = node.as(MemberAccessExprSyntax.self) {
        members.insert(member.declName.baseName.text)
      }
    }
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
          firstText: call.arguments.first.flatMap { SourceExpression($0.expression).stringValue },
          base: SourceExpression(callee).base)
      }
    }
  }
}

extension SourceExpression {
  /// The names that a call of this is made on.
  fileprivate var base: [String]? {
    if let path = pathNames { return Array(path.dropLast()) }
    guard case .member(let base?, _) = kind else { return nil }
    return base.call?.callee.pathNames
  }
}
