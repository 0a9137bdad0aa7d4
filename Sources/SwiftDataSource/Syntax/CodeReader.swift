import SwiftSyntax

/// Finds container calls, their arguments, and predicates anywhere in a syntax tree. It uses a stack of its own, since
/// trees can be deeper than a thread's stack allows.
struct CodeReader {
  private(set) var calls: [ContainerCall] = []
  private(set) var locals = LocalReader()
  private(set) var predicates: [PredicateUse] = []
  private var schemas = ConfigurationSchemas()
  private var failures = FailureReader()
  /// Assignments like `container = try .init(for: Note.self)`, by the name on the left.
  private var assigned: [(name: String, call: ContainerCall)] = []
  /// Variables declared as containers.
  private var containerNames: Set<String> = []

  mutating func read(_ tree: SourceFileSyntax) {
    var rest = [Syntax(tree)]
    while let node = rest.popLast() {
      switch node.kind {
      case .functionCallExpr: if let call = node.as(FunctionCallExprSyntax.self) { read(call) }
      case .macroExpansionExpr: if let macro = node.as(MacroExpansionExprSyntax.self) { read(macro) }
      case .patternBinding: if let binding = node.as(PatternBindingSyntax.self) { read(binding) }
      case .token: continue
      default: locals.read(node)
      }
      rest += node.children(viewMode: .sourceAccurate)
    }
    locals.finish()
    calls += assigned.filter { containerNames.contains($0.name) }.map(\.call)
    let shares = schemas.places(in: tree)
    calls.removeAll { $0.kind == .schema && shares.contains($0.span) }
    calls.sort { ($0.span.start, $1.span.end) < ($1.span.start, $0.span.end) }
    predicates.sort { $0.span.start < $1.span.start }
  }

  private mutating func read(_ call: FunctionCallExprSyntax) {
    schemas.note(call)
    let kind = Self.kind(of: call)
    // `.init(for: …)`
    let mayBeContainer = call.isImplicit && call.arguments.first?.label?.text == "for"
    let target = mayBeContainer ? ImplicitTarget(of: call) : nil
    guard let kind = kind ?? target.map({ _ in .container }),
      case .call(_, let arguments) = SourceExpression(ExprSyntax(call)).kind
    else { return }
    var failure = failures.handling(around: call)
    if kind == .modifier { failure.setup = Self.setup(arguments) }
    let found = ContainerCall(
      kind: kind, arguments: arguments, span: SourceSpan(call), failure: failure,
      function: Self.function(around: call), trueNames: Self.trueNames(around: call),
      isInPreview: Self.isInPreview(call),
      isForOlderSystems: AvailabilityReader.isForOlderSystems(Syntax(call)))
    if case .variable(let name)? = target { assigned.append((name, found)) } else { calls.append(found) }
  }

  /// The closure of `onSetup: { result in … }`, or a trailing one.
  private static func setup(_ arguments: [SourceArgument]) -> SourceSpan? {
    arguments.last { argument in
      guard case .closure = argument.value.kind else { return false }
      return argument.label == nil || argument.label == "onSetup"
    }?.value.span
  }

  private static func function(around call: FunctionCallExprSyntax) -> SourceSpan? {
    call.ancestors.first { [.functionDecl, .initializerDecl].contains($0.node.kind) }.map { SourceSpan($0.node) }
  }

  /// A call of a function of the sources, as one of a container is read. Its spans are those of the tree's file.
  static func functionCall(_ call: FunctionCallExprSyntax, _ failures: inout FailureReader) -> FunctionCall? {
    guard case .call(let callee, let arguments) = SourceExpression(ExprSyntax(call)).kind else { return nil }
    return FunctionCall(
      callee: callee, arguments: arguments, span: SourceSpan(call), failure: failures.handling(around: call),
      function: function(around: call), received: ReceivedFailure(of: Syntax(call)))
  }

  /// The names of conditions that hold at a call: `inMemory` in `if inMemory { … }`, and behind `if !inMemory { … } else`.
  private static func trueNames(around call: FunctionCallExprSyntax) -> Set<String> {
    var names: Set<String> = []
    for (node, child) in call.ancestors {
      if [.functionDecl, .closureExpr, .initializerDecl].contains(node.kind) { break }
      guard let choice = node.as(IfExprSyntax.self) else { continue }
      let holds = child.id == choice.body.id
      guard holds || child.id == choice.elseBody?.id else { continue }
      let conditions = choice.conditions.map(\.condition)
      guard holds || conditions.count == 1 else { continue }
      for case .expression(let condition) in conditions {
        if holds, let path = condition.pathNames { names.insert(path.joined(separator: ".")) }
        guard !holds, let negated = condition.as(PrefixOperatorExprSyntax.self), negated.operator.text == "!",
          let path = negated.expression.pathNames
        else { continue }
        names.insert(path.joined(separator: "."))
      }
    }
    return names
  }

  private static func isInPreview(_ call: FunctionCallExprSyntax) -> Bool {
    call.ancestors.contains { node, _ in
      let macro = node.as(MacroExpansionExprSyntax.self)?.macroName ?? node.as(MacroExpansionDeclSyntax.self)?.macroName
      if macro?.text == "Preview" { return true }
      let inherited = node.as(StructDeclSyntax.self)?.inheritanceClause?.inheritedTypes
      return inherited?.contains { TypeName($0.type).lastName == "PreviewProvider" } ?? false
    }
  }

  /// Recognises `SwiftData.Schema`, `ModelContainer.init` and `view.modelContainer`, but not `Schema.Version`.
  private static func kind(of call: FunctionCallExprSyntax) -> ContainerCall.Kind? {
    switch call.typeName {
    case "ModelContainer": return .container
    case "Schema": return .schema
    default:
      let member = call.calledExpression.as(MemberAccessExprSyntax.self)
      return member?.declName.baseName.text == "modelContainer" ? .modifier : nil
    }
  }

  private mutating func read(_ binding: PatternBindingSyntax) {
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText else { return }
    if let type = binding.typeAnnotation?.type, type.isContainer { containerNames.insert(name) }
    locals.read(binding, named: name)
  }

  private mutating func read(_ macro: MacroExpansionExprSyntax) {
    if let predicate = PredicateReader().predicate(macro) { predicates.append(predicate) }
  }
}

extension FunctionCallExprSyntax {
  /// `Schema` for `Schema(…)`, `SwiftData.Schema(…)` and `Schema.init(…)`; nil for other paths.
  var typeName: String? {
    guard var path = calledExpression.pathNames else { return nil }
    if path.count > 1, path.first == "SwiftData" { path.removeFirst() }
    if path.count > 1, path.last == "init" { path.removeLast() }
    return path.count == 1 ? path[0] : nil
  }

  /// Whether it is `.init(…)`.
  var isImplicit: Bool {
    guard let member = calledExpression.as(MemberAccessExprSyntax.self), member.base == nil else { return false }
    return member.declName.baseName.text == "init"
  }
}

extension ClosureExprSyntax {
  /// The name of the first parameter, if it is written.
  package var firstParameter: String? {
    switch signature?.parameterClause {
    case .simpleInput(let names): names.first?.name.text
    case .parameterClause(let clause): clause.parameters.first?.firstName.text
    case nil: nil
    }
  }
}
