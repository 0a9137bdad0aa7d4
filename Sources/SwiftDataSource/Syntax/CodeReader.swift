import SwiftSyntax

/// Finds containers and predicates anywhere in a tree. A stack of its own, since trees can be deeper than the thread's.
struct CodeReader {
  private(set) var calls: [ContainerCall] = []
  private(set) var localValues: [LocalValue] = []
  private(set) var predicates: [PredicateUse] = []
  private var schemas = ConfigurationSchemas()
  /// `container = try .init(for: Note.self)`, by the name on the left.
  private var assigned: [(name: String, call: ContainerCall)] = []
  /// Variables that are declared as containers.
  private var containerNames: Set<String> = []

  mutating func read(_ tree: SourceFileSyntax) {
    var rest = [Syntax(tree)]
    while let node = rest.popLast() {
      switch node.kind {
      case .functionCallExpr: if let call = node.as(FunctionCallExprSyntax.self) { read(call) }
      case .macroExpansionExpr: if let macro = node.as(MacroExpansionExprSyntax.self) { read(macro) }
      case .patternBinding: if let binding = node.as(PatternBindingSyntax.self) { read(binding) }
      case .token: continue
      default: break
      }
      rest += node.children(viewMode: .sourceAccurate)
    }
    calls += assigned.filter { containerNames.contains($0.name) }.map(\.call)
    calls.removeAll(where: schemas.areOnlyForConfigurations)
    calls.sort { ($0.span.start, $1.span.end) < ($1.span.start, $0.span.end) }
    predicates.sort { $0.span.start < $1.span.start }
    localValues.sort { $0.span.start < $1.span.start }
  }

  private mutating func read(_ call: FunctionCallExprSyntax) {
    schemas.note(call)
    let kind = Self.kind(of: call.calledExpression)
    let target = kind == nil && Self.isImplicit(call) ? ImplicitTarget(of: call) : nil
    guard let kind = kind ?? target.map({ _ in .container }),
      case .call(_, let arguments) = SourceExpression(ExprSyntax(call)).kind
    else { return }
    var failure = FailureHandling(around: call)
    if kind == .modifier { failure.setup = Self.setup(arguments) }
    let found = ContainerCall(
      kind: kind, arguments: arguments, span: SourceSpan(call), failure: failure,
      function: Self.function(around: call), isInPreview: Self.isInPreview(call),
      isForOlderSystems: AvailabilityReader.isForOlderSystems(Syntax(call)))
    if case .variable(let name)? = target { assigned.append((name, found)) } else { calls.append(found) }
  }

  /// `.init(for: …)`
  private static func isImplicit(_ call: FunctionCallExprSyntax) -> Bool {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self), member.base == nil else { return false }
    return member.declName.baseName.text == "init" && call.arguments.first?.label?.text == "for"
  }

  /// `onSetup: { result in … }`, or the closure behind the call.
  private static func setup(_ arguments: [SourceArgument]) -> SourceSpan? {
    arguments.last { argument in
      guard case .closure = argument.value.kind else { return false }
      return argument.label == nil || argument.label == "onSetup"
    }?.value.span
  }

  private static func function(around call: FunctionCallExprSyntax) -> SourceSpan? {
    var node = Syntax(call).parent
    for _ in 0..<256 {
      guard let current = node else { return nil }
      if [.functionDecl, .initializerDecl].contains(current.kind) { return SourceSpan(current) }
      node = current.parent
    }
    return nil
  }

  private static func isInPreview(_ call: FunctionCallExprSyntax) -> Bool {
    var node = Syntax(call).parent
    for _ in 0..<256 {
      guard let current = node else { return false }
      let macro =
        current.as(MacroExpansionExprSyntax.self)?.macroName ?? current.as(MacroExpansionDeclSyntax.self)?.macroName
      if macro?.text == "Preview" { return true }
      node = current.parent
    }
    return false
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
    guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText else { return }
    if let type = binding.typeAnnotation?.type, type.isContainer { containerNames.insert(name) }
    guard let value = binding.initializer?.value else { return }
    switch value.kind {
    case .functionCallExpr, .arrayExpr, .tryExpr, .sequenceExpr:
      let declaration = binding.parent?.parent?.as(VariableDeclSyntax.self)
      localValues.append(
        LocalValue(
          name: name, value: SourceExpression(value), span: SourceSpan(binding),
          isVariable: declaration?.bindingSpecifier.tokenKind == .keyword(.var)
            && declaration?.parent?.is(CodeBlockItemSyntax.self) == true))
    default: return
    }
  }

  private mutating func read(_ macro: MacroExpansionExprSyntax) {
    if let predicate = PredicateReader().predicate(macro) { predicates.append(predicate) }
  }
}

extension FailureHandling {
  /// The `catch` clauses around a call, and whether it is made with `try!`. Functions and closures end the search.
  fileprivate init(around call: FunctionCallExprSyntax) {
    var node = Syntax(call)
    var isOptional = false
    for _ in 0..<256 {
      guard let parent = node.parent else { return }
      if let attempt = parent.as(TryExprSyntax.self), let mark = attempt.questionOrExclamationMark?.text {
        isForced = isForced || mark == "!"
        isOptional = isOptional || mark == "?"
      }
      if isOptional, let block = Self.otherBlock(parent, ofCondition: node) {
        clauses = [SourceSpan(block)]
        return
      }
      if let statement = parent.as(DoStmtSyntax.self), node.id == statement.body.id {
        clauses = statement.catchClauses.map { SourceSpan($0.body) }
        return
      }
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) { return }
      node = parent
    }
  }

  /// `guard let c = try? … else { … }`, `if let c = try? … { … } else { … }`
  private static func otherBlock(_ statement: Syntax, ofCondition node: Syntax) -> CodeBlockSyntax? {
    if let guarding = statement.as(GuardStmtSyntax.self), node.id == guarding.conditions.id { return guarding.body }
    guard let choice = statement.as(IfExprSyntax.self), node.id == choice.conditions.id else { return nil }
    return choice.elseBody?.as(CodeBlockSyntax.self)
  }
}

extension ClosureExprSyntax {
  /// The name of the first parameter, where it is written.
  package var firstParameter: String? {
    switch signature?.parameterClause {
    case .simpleInput(let names): names.first?.name.text
    case .parameterClause(let clause): clause.parameters.first?.firstName.text
    case nil: nil
    }
  }
}
