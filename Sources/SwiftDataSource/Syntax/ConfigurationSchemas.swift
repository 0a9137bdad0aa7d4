import SwiftSyntax

/// Schemas that only a `ModelConfiguration` is given: they share out a container's classes, and are no model of their own.
struct ConfigurationSchemas {
  /// Calls that stand in a configuration themselves.
  private var spans: Set<SourceSpan> = []
  /// How often a configuration is given a name.
  private var uses: [String: Int] = [:]
  /// `let schema = Schema(…)`: by the call's place.
  private var named: [SourceSpan: String] = [:]

  /// Takes note of a call.
  mutating func note(_ call: FunctionCallExprSyntax) {
    if call.typeName == "Schema", let name = call.variableName { named[SourceSpan(call)] = name }
    guard let schema = call.arguments.first(where: { $0.label?.text == "schema" })?.expression,
      call.isConfiguration
    else { return }
    if schema.is(FunctionCallExprSyntax.self) { spans.insert(SourceSpan(schema)) }
    if let name = schema.pathNames?.last { uses[name, default: 0] += 1 }
  }

  /// The places of those calls in a tree whose calls were all noted.
  func places(in tree: SourceFileSyntax) -> Set<SourceSpan> {
    let wanted = named.filter { uses[$0.value] != nil }
    if wanted.isEmpty { return spans }
    let all = Self.uses(of: Set(wanted.values), in: tree)
    return spans.union(wanted.filter { all[$0.value] == uses[$0.value] }.keys)
  }

  /// How often each name is used, for whatever.
  private static func uses(of names: Set<String>, in tree: SourceFileSyntax) -> [String: Int] {
    var uses: [String: Int] = [:]
    var rest = [Syntax(tree)]
    while let node = rest.popLast() {
      if node.kind == .token { continue }
      if let name = node.as(DeclReferenceExprSyntax.self)?.baseName.plainText, names.contains(name) {
        uses[name, default: 0] += 1
      }
      rest += node.children(viewMode: .sourceAccurate)
    }
    return uses
  }
}

extension FunctionCallExprSyntax {
  /// `schema` of `let schema = Schema(…)`.
  fileprivate var variableName: String? {
    let binding = parent?.parent?.as(PatternBindingSyntax.self)
    return binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
  }

  /// Whether it makes a `ModelConfiguration`: by its name, or by what is expected where `.init(…)` stands.
  fileprivate var isConfiguration: Bool {
    guard isImplicit else { return typeName == "ModelConfiguration" }
    for (node, _) in ancestors {
      if let argument = node.as(LabeledExprSyntax.self) {
        return argument.label?.text.hasPrefix("configuration") ?? false
      }
      if let binding = node.as(PatternBindingSyntax.self) {
        return binding.typeAnnotation?.type.trimmedDescription.contains("ModelConfiguration") ?? false
      }
      if node.is(CodeBlockItemSyntax.self) { return false }
    }
    return false
  }
}
