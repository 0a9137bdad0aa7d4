import StoreText
import SwiftDataSource
import SwiftSyntax

/// The code that runs when a container cannot be made: a `catch` clause around the call, what it falls through to, or the
/// closure that gets its result.
struct FailureHandler {
  /// The file that it stands in.
  let file: Int
  /// Its block, statements or closure.
  let span: SourceSpan
  /// Whether it is a block, statements (`.file`) or a closure.
  let form: SourceCode.Form
  /// The calls in it, in order, including those in functions of the sources that it calls, up to three levels deep; nil
  /// where it is too long to be read.
  let calls: [Call]?
  /// What that code mentions.
  let words: Words
  /// The functions and closures of the sources that it calls, as far as they were read.
  let helpers: [Piece]
  /// The copies that are made in the `do` blocks that it is the failure of.
  let copies: [Copy]

  struct Call {
    /// The functions that remove a store or a file.
    static let deleting: Set<String> = ["removeItem", "deletePersistentStore", "destroyPersistentStore"]

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
    /// What its arguments are made of; of calls that remove files or copy them.
    var matter = CallMatter()
    /// Whether it is in a `catch` clause inside of the handler, so that something else failed.
    var isOfOtherFailure = false
    /// Whether it is left out of builds for users, by `#if DEBUG`.
    var isForDebugging = false
  }

  /// Code of a file.
  struct Piece: Hashable {
    let file: Int
    let span: SourceSpan
  }

  /// A copy of a file: `copyItem(at: original, to: copy)`.
  struct Copy {
    var function: String
    /// The names that make the path of the copy.
    var names: Set<String>
  }

  /// The texts and the names behind a point that stand in code.
  struct Words {
    fileprivate(set) var texts: [String] = []
    fileprivate(set) var members: Set<String> = []
  }

  /// - Parameter form: `.block`, `.file` or `.closure`.
  init(_ part: FailureWay.Part, _ code: inout LintCode, _ sites: inout CallSites) {
    file = part.scope.file
    span = part.span
    form = part.form
    var reader = HandlerReader()
    calls = reader.read(part, &code, &sites) ? reader.calls : nil
    words = reader.words
    helpers = reader.helpers
    copies = part.tried.compactMap { code.piece($0, as: .block, in: part.scope.file) }.flatMap(\.copies)
  }
}

extension SourceCode {
  fileprivate var copies: [FailureHandler.Copy] {
    let matter = MatterReader(handler: syntax)
    return syntax.allNodes.compactMap { node in
      guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName,
        ["copy", "backup", "snapshot", "clone"].contains(where: { name.lowercased().contains($0) }),
        let target = call.arguments.first(where: { ["to", "toPath"].contains($0.label?.text) })
      else { return nil }
      return FailureHandler.Copy(function: name, names: matter.names(in: Syntax(target.expression)))
    }
  }
}

extension FunctionCallExprSyntax {
  /// The name of the function or method.
  fileprivate var calledName: String? {
    calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
  }
}

/// What the arguments of a call are made of, as far as names in the functions around it tell.
struct CallMatter {
  /// The names of the handler that flow into them.
  var names: Set<String> = []
  /// The texts that flow into them.
  var texts: Set<String> = []
  /// Whether they, or the name of the function that makes the call, speak of a store.
  var speaksOfStore = false
}

/// Reads a handler, and the functions that it calls.
private struct HandlerReader {
  private(set) var calls: [FailureHandler.Call] = []
  private(set) var words = FailureHandler.Words()
  private(set) var helpers: [FailureHandler.Piece] = []
  private var seen: Set<FailureHandler.Piece> = []

  private static let maximumDepth = 3

  /// - Returns: whether all could be read.
  mutating func read(_ part: FailureWay.Part, _ code: inout LintCode, _ sites: inout CallSites) -> Bool {
    guard let piece = code.piece(part.span, as: part.form, in: part.scope.file) else { return false }
    // A closure also runs on success; only the parts for failures count.
    let parts = part.form == .closure ? SetupClosure(piece.syntax).failures : [piece.syntax]
    return parts.allSatisfy {
      read($0, of: piece, in: part.scope, MatterReader(handler: $0), &code, &sites, depth: 0)
    }
  }

  /// Whether code was not read before.
  private mutating func enter(_ span: SourceSpan, in file: Int) -> Bool {
    let piece = FailureHandler.Piece(file: file, span: span)
    guard seen.insert(piece).inserted else { return false }
    helpers.append(piece)
    return true
  }

  private mutating func read(
    _ part: Syntax, of piece: SourceCode, in scope: Scope, _ matter: MatterReader, _ code: inout LintCode,
    _ sites: inout CallSites, depth: Int
  ) -> Bool {
    words.read(part)
    for node in part.allNodes {
      guard let call = piece.call(node, in: part, matter, isDirect: depth == 0) else { continue }
      calls.append(call)
      guard depth < Self.maximumDepth, let syntax = node.as(FunctionCallExprSyntax.self) else { continue }
      if let passed = scope.frame?.closure(call.name, of: call.base) {
        // The handler belongs to a function that got what to do as a closure.
        guard enter(passed.span, in: passed.scope.file) else { continue }
        guard let inner = code.piece(passed.span, as: .closure, in: passed.scope.file),
          read(
            inner.syntax, of: inner, in: passed.scope, MatterReader(handler: inner.syntax), &code, &sites, depth: depth)
        else { return false }
        continue
      }
      guard let helper = code.helper(call.name, of: call.base, in: scope),
        enter(helper.span, in: helper.scope.file)
      else { continue }
      guard let inner = code.piece(helper.span, as: .function, in: helper.scope.file),
        read(
          inner.syntax, of: inner, in: helper.scope, matter.inside(inner.syntax, calledBy: syntax), &code, &sites,
          depth: depth + 1)
      else { return false }
    }
    return true
  }
}

extension CallFrame {
  /// The closure that a call of a parameter runs.
  fileprivate func closure(_ name: String, of base: [String]?) -> (span: SourceSpan, scope: Scope)? {
    guard base == [], let argument = argument(name), case .closure = argument.value.kind else { return nil }
    return (argument.value.span, argument.scope)
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
  fileprivate func call(
    _ node: Syntax, in part: Syntax, _ matter: MatterReader, isDirect: Bool
  ) -> FailureHandler.Call? {
    if node.id == part.id, let attempt = node.as(TryExprSyntax.self) {
      return FailureHandler.Call(name: "try!", span: span(attempt), file: file, isDirect: isDirect)
    }
    guard let call = node.as(FunctionCallExprSyntax.self), let name = call.calledName else { return nil }
    var found = FailureHandler.Call(
      name: name, span: span(call), file: file, isDirect: isDirect,
      firstText: call.arguments.first.flatMap { SourceExpression($0.expression).stringValue },
      base: SourceExpression(call.calledExpression).base)
    if FailureHandler.Call.deleting.contains(name) { found.matter = matter.matter(of: call) }
    found.isOfOtherFailure = call.ancestors.contains { node, _ in
      node.is(CatchClauseSyntax.self) && node.position >= part.position
    }
    found.isForDebugging = call.ancestors.contains { node, _ in
      node.as(IfConfigClauseSyntax.self)?.isForDebugging ?? false
    }
    return found
  }
}

extension SourceCode {
  /// The calls of a function that remove files, by what the function itself tells.
  var deletions: [FailureHandler.Call] {
    let matter = MatterReader(function: syntax, parameters: [:])
    return syntax.allNodes.compactMap { call($0, in: syntax, matter, isDirect: false) }
      .filter { FailureHandler.Call.deleting.contains($0.name) }
  }
}

extension SourceExpression {
  /// The names that a call of this is made on.
  var base: [String]? {
    if let path = pathNames { return Array(path.dropLast()) }
    guard case .member(let base?, _) = kind else { return nil }
    return base.call?.callee.pathNames
  }
}

extension IfConfigClauseSyntax {
  /// Whether it is `#if DEBUG`, or the `#else` of `#if !DEBUG`.
  fileprivate var isForDebugging: Bool {
    if let condition { return condition.trimmedDescription == "DEBUG" }
    guard poundKeyword.tokenKind == .poundElse, let all = parent?.as(IfConfigClauseListSyntax.self), all.count == 2
    else { return false }
    return all.first?.condition?.trimmedDescription == "!DEBUG"
  }
}
