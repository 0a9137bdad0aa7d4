import StoreText
import SwiftSyntax

/// Finds schemas that are only passed to a `ModelConfiguration`: they distribute a container's classes, and are not
/// models of their own.
struct ConfigurationSchemas {
  /// Calls that are arguments of a configuration.
  private var spans: Set<SourceSpan> = []
  /// How often each name is passed to a configuration.
  private var uses: [String: Int] = [:]
  /// The names of `let schema = Schema(…)`, by the call's span.
  private var named: [SourceSpan: String] = [:]

  /// Records a call.
  mutating func note(_ call: FunctionCallExprSyntax) {
    if call.typeName == "Schema", let name = call.variableName { named[SourceSpan(call)] = name }
    guard let schema = call.arguments.first(where: { $0.label?.text == "schema" })?.expression,
      call.isConfiguration
    else { return }
    if schema.is(FunctionCallExprSyntax.self) { spans.insert(SourceSpan(schema)) }
    if let name = schema.pathNames?.last { uses[name, default: 0] += 1 }
  }

  /// The spans of such schemas in a tree all of whose calls were recorded.
  func places(in tree: SourceFileSyntax) -> Set<SourceSpan> {
    let wanted = named.filter { uses[$0.value] != nil }
    if wanted.isEmpty { return spans }
    let all = Self.uses(of: Set(wanted.values), in: tree)
    return spans.union(wanted.filter { all[$0.value] == uses[$0.value] }.keys)
  }

  /// How often each name is used at all.
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
  /// The variable's name in `let schema = Schema(…)`.
  fileprivate var variableName: String? {
    let binding = parent?.parent?.as(PatternBindingSyntax.self)
    return binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText
  }

  /// Whether it makes a `ModelConfiguration`, by its name, or by the expected type for `.init(…)`.
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
