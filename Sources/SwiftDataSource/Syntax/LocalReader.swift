import SwiftSyntax

/// Finds the values of names inside of functions and types; names at top level are declarations of the file.
struct LocalReader {
  private(set) var values: [String: [LocalValue]] = [:]
  /// The assignments to names: `config = ModelConfiguration()`.
  private var assigned: [String: [SequenceExprSyntax]] = [:]
  /// The places, among the values of their names, of constants that are declared without a value.
  private var unset: [(name: String, position: Int)] = []

  /// Records `let schema = Schema([Note.self])`.
  mutating func read(_ binding: PatternBindingSyntax, named name: String) {
    let declaration = binding.parent?.parent?.as(VariableDeclSyntax.self)
    // Static properties are looked up by their type.
    if let declaration, declaration.modifiers.contains(where: { ["static", "class"].contains($0.name.text) }) {
      return
    }
    let isMember = declaration?.parent?.is(MemberBlockItemSyntax.self) ?? false
    // A getter always gives the same; a stored `var` may be assigned another value.
    let isKnown = declaration?.bindingSpecifier.tokenKind == .keyword(.let)
    let value = isKnown ? binding.initializer?.value : nil
    if isKnown, !isMember, binding.initializer == nil {
      unset.append((name, values[name]?.count ?? 0))
    }
    add(name, at: binding, value: value ?? Self.getter(binding), isMember: isMember)
  }

  /// The value of `var schema: Schema { Schema([Note.self]) }`.
  private static func getter(_ binding: PatternBindingSyntax) -> ExprSyntax? {
    guard case .getter(let statements)? = binding.accessorBlock?.accessors else { return nil }
    return BodyValue.only(statements)
  }

  /// Records parameters, patterns and assignments.
  mutating func read(_ node: Syntax) {
    switch node.kind {
    case .functionParameter:
      if let it = node.as(FunctionParameterSyntax.self) {
        add((it.secondName ?? it.firstName).plainText, at: node, isParameter: true)
      }
    case .closureParameter:
      if let it = node.as(ClosureParameterSyntax.self) { add((it.secondName ?? it.firstName).plainText, at: node) }
    case .closureShorthandParameter:
      if let it = node.as(ClosureShorthandParameterSyntax.self) { add(it.name.plainText, at: node) }
    case .identifierPattern:
      guard node.parent?.kind != .patternBinding, let it = node.as(IdentifierPatternSyntax.self) else { return }
      let binding = node.parent?.as(OptionalBindingConditionSyntax.self)
      // `if let url` is `if let url = url`, of the name around it.
      let value = binding.flatMap { $0.initializer?.value }
      add(
        it.identifier.plainText, at: node, value: value, isMember: false,
        other: binding != nil && value == nil
          ? SourceExpression(kind: .name(TypeName.Component(it.identifier.plainText)), span: SourceSpan(node)) : nil)
    case .sequenceExpr:
      if let it = node.as(SequenceExprSyntax.self) { readAssignment(it) }
    default: return
    }
  }

  private mutating func readAssignment(_ sequence: SequenceExprSyntax) {
    guard let name = sequence.elements.first?.as(DeclReferenceExprSyntax.self)?.baseName.plainText,
      sequence.elements.dropFirst().first?.is(AssignmentExprSyntax.self) ?? false
    else { return }
    assigned[name, default: []].append(sequence)
  }

  /// With more assignments to one name, none is followed.
  private static let maximumAssignments = 64

  /// Gives constants that are set after their declaration the values that they may be set to.
  mutating func finish() {
    for (name, position) in unset {
      guard let local = values[name]?[position], let all = assigned[name], all.count <= Self.maximumAssignments else {
        continue
      }
      let own = all.filter { sequence in
        let span = SourceSpan(sequence)
        return local.reach.contains(span) && local.span.end <= span.start
      }
      let known = own.compactMap(Self.value)
      guard let first = known.first, known.count == own.count else { continue }
      values[name]?[position].value =
        known.count == 1 ? first : SourceExpression(kind: .choice(known), span: first.span)
    }
    unset = []
    assigned = [:]
  }

  /// The value of `config = ModelConfiguration()`; nil for one that is not read.
  private static func value(_ assignment: SequenceExprSyntax) -> SourceExpression? {
    guard assignment.elements.count == 3, let value = assignment.elements.last, isFollowed(value.kind) else {
      return nil
    }
    return SourceExpression(value)
  }

  private mutating func add(
    _ name: String, at node: some SyntaxProtocol, value: ExprSyntax? = nil, isMember: Bool = false,
    isParameter: Bool = false, other: SourceExpression? = nil
  ) {
    guard let (reach, isConditional) = Self.reach(of: node) else { return }
    let read = value.flatMap { Self.isFollowed($0.kind) ? SourceExpression($0) : nil } ?? other
    values[name, default: []].append(
      LocalValue(
        name: name, value: isConditional ? nil : read, span: SourceSpan(node), reach: reach, isMember: isMember,
        isParameter: isParameter))
  }

  private static func isFollowed(_ kind: SyntaxKind) -> Bool {
    [
      .functionCallExpr, .arrayExpr, .tryExpr, .sequenceExpr, .memberAccessExpr, .declReferenceExpr, .forceUnwrapExpr,
      .stringLiteralExpr,
    ].contains(kind)
  }

  /// The scope of a name, and whether an `#if` is in between; nil at top level.
  private static func reach(of node: some SyntaxProtocol) -> (SourceSpan, isConditional: Bool)? {
    var isConditional = false
    for (around, _) in node.ancestors {
      switch around.kind {
      case .ifConfigClause: isConditional = true
      case .codeBlock, .closureExpr, .memberBlock, .accessorBlock, .switchCase, .forStmt, .functionDecl,
        .initializerDecl,
        .subscriptDecl:
        return (SourceSpan(around), isConditional)
      default: continue
      }
    }
    return nil
  }
}

extension SourceFile {
  /// With more declarations of one name, none is used; a hostile file may have one in every line.
  static let maximumNamesakes = 1000

  /// The value of a name at a place: the last declaration before it in the innermost block, function or type that has
  /// one; nil for declarations of a file or type.
  package func localValue(_ name: String, at use: SourceSpan) -> LocalValue? {
    let all = localValues[name] ?? []
    guard all.count <= Self.maximumNamesakes else {
      return LocalValue(name: name, value: nil, span: use, reach: use, isMember: false)
    }
    let candidates = all.filter { $0.reach.contains(use) && ($0.isMember || $0.span.end <= use.start) }
    return candidates.max { ($0.reach.start, $0.span.start) < ($1.reach.start, $1.span.start) }
  }

  /// The meaning of `self.name` at a place.
  package func property(_ name: String, at use: SourceSpan) -> LocalValue? {
    localValues[name]?.last { $0.isMember && $0.reach.contains(use) }
  }
}
