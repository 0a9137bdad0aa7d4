import SwiftSyntax

/// A call that makes a container or a schema, wherever it stands.
package struct ContainerCall: Sendable {
  package enum Kind: String, Sendable {
    /// `ModelContainer(for: …)`
    case container
    /// `.modelContainer(for: …)`
    case modifier
    /// `Schema(…)`
    case schema
  }

  package var kind: Kind
  package var arguments: [SourceArgument]
  package var span: SourceSpan
  package var syntax: FunctionCallExprSyntax
}

/// `let schema = Schema([Note.self])` within a function.
package struct LocalValue: Sendable {
  package var name: String
  package var value: SourceExpression
  package var span: SourceSpan
}

/// Finds calls that make containers anywhere in a tree. A stack of its own, since trees can be deeper than the thread's.
struct ContainerCallReader {
  private(set) var calls: [ContainerCall] = []
  private(set) var localValues: [LocalValue] = []

  mutating func read(_ tree: SourceFileSyntax) {
    var rest = [Syntax(tree)]
    while let node = rest.popLast() {
      switch node.kind {
      case .functionCallExpr: if let call = node.as(FunctionCallExprSyntax.self) { read(call) }
      case .patternBinding: if let binding = node.as(PatternBindingSyntax.self) { read(binding) }
      case .token: continue
      default: break
      }
      rest += node.children(viewMode: .sourceAccurate)
    }
    calls.sort { ($0.span.start, $1.span.end) < ($1.span.start, $0.span.end) }
    localValues.sort { $0.span.start < $1.span.start }
  }

  private mutating func read(_ call: FunctionCallExprSyntax) {
    guard let kind = Self.kind(of: call.calledExpression),
      case .call(_, let arguments) = SourceExpression(ExprSyntax(call)).kind
    else { return }
    calls.append(ContainerCall(kind: kind, arguments: arguments, span: SourceSpan(call), syntax: call))
  }

  /// `SwiftData.Schema`, `ModelContainer.init` and `view.modelContainer`, but not `Schema.Version`.
  private static func kind(of callee: ExprSyntax) -> ContainerCall.Kind? {
    if let name = callee.as(DeclReferenceExprSyntax.self) { return type(named: name.baseName.text) }
    guard let member = callee.as(MemberAccessExprSyntax.self) else { return nil }
    let name = member.declName.baseName.text
    if name == "modelContainer" { return .modifier }
    guard let base = member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    if base == "SwiftData" { return type(named: name) }
    return name == "init" ? type(named: base) : nil
  }

  private static func type(named name: String) -> ContainerCall.Kind? {
    switch name {
    case "ModelContainer": .container
    case "Schema": .schema
    default: nil
    }
  }

  private mutating func read(_ binding: PatternBindingSyntax) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText,
      let value = binding.initializer?.value
    else { return }
    switch value.kind {
    case .functionCallExpr, .arrayExpr, .tryExpr:
      localValues.append(LocalValue(name: name, value: SourceExpression(value), span: SourceSpan(binding)))
    default: return
    }
  }
}
