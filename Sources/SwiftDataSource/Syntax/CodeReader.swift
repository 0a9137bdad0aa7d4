import SwiftSyntax

/// Finds container calls, their arguments, and predicates anywhere in a syntax tree. It uses a stack of its own, since
/// trees can be deeper than a thread's stack allows.
struct CodeReader {
  private(set) var calls: [ContainerCall] = []
  private(set) var locals = LocalReader()
  private(set) var predicates: [PredicateUse] = []
  private var schemas = ConfigurationSchemas()
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
    var failure = FailureHandling(around: call)
    if kind == .modifier { failure.setup = Self.setup(arguments) }
    let found = ContainerCall(
      kind: kind, arguments: arguments, span: SourceSpan(call), failure: failure,
      function: Self.function(around: call), isInPreview: Self.isInPreview(call),
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
  static func functionCall(_ call: FunctionCallExprSyntax) -> FunctionCall? {
    guard case .call(let callee, let arguments) = SourceExpression(ExprSyntax(call)).kind else { return nil }
    return FunctionCall(
      callee: callee, arguments: arguments, span: SourceSpan(call), failure: FailureHandling(around: call),
      function: function(around: call))
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

extension FailureHandling {
  /// Finds the `catch` clauses around a call, and whether it is made with `try!`. The search ends at functions and
  /// closures.
  fileprivate init(around call: FunctionCallExprSyntax) {
    var isOptional = false
    for (parent, node) in call.ancestors {
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
      if [.functionDecl, .closureExpr, .initializerDecl, .accessorDecl].contains(parent.kind) {
        isLeftToCallers = !isForced && !isOptional
        return
      }
    }
  }

  /// The `else` block of `guard let c = try? … else { … }` or `if let c = try? … { … } else { … }`.
  private static func otherBlock(_ statement: Syntax, ofCondition node: Syntax) -> CodeBlockSyntax? {
    if let guarding = statement.as(GuardStmtSyntax.self), node.id == guarding.conditions.id { return guarding.body }
    guard let choice = statement.as(IfExprSyntax.self), node.id == choice.conditions.id else { return nil }
    return choice.elseBody?.as(CodeBlockSyntax.self)
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
