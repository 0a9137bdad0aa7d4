import SwiftSyntax

/// Reads `#Predicate { … }`, also where the class is given only by the code around it.
struct PredicateReader {
  /// Nil for other macros, and where no class is given.
  func predicate(_ macro: MacroExpansionExprSyntax) -> PredicateUse? {
    guard macro.macroName.text == "Predicate",
      let closure = macro.trailingClosure ?? macro.arguments.first?.expression.as(ClosureExprSyntax.self),
      let type = stated(macro) ?? expected(around: Syntax(macro))
    else { return nil }
    return PredicateUse(type: type, members: members(of: closure), span: SourceSpan(macro))
  }

  private func members(of closure: ClosureExprSyntax) -> [(path: [String], span: SourceSpan)] {
    let parameter = closure.firstParameter ?? "$0"
    var members: [(path: [String], span: SourceSpan)] = []
    var rest = [Syntax(closure.statements)]
    while let node = rest.popLast() {
      if let access = node.as(MemberAccessExprSyntax.self),
        access.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == parameter
      {
        members.append((path(from: access), SourceSpan(access)))
      }
      rest += node.children(viewMode: .sourceAccurate).reversed()
    }
    return members
  }

  /// The path `["place", "city"]` of `$0.place?.city`.
  private func path(from access: MemberAccessExprSyntax) -> [String] {
    var path = [access.declName.baseName.text]
    var node = Syntax(access)
    while let parent = node.parent {
      if let member = parent.as(MemberAccessExprSyntax.self) {
        path.append(member.declName.baseName.text)
      } else if ![.optionalChainingExpr, .forceUnwrapExpr].contains(parent.kind) {
        break
      }
      node = parent
    }
    return path
  }

  // MARK: The class

  /// The class in `#Predicate<Note> { … }` or `#Predicate { (note: Note) in … }`.
  private func stated(_ macro: MacroExpansionExprSyntax) -> TypeName? {
    if case .type(let type)? = macro.genericArgumentClause?.arguments.first?.argument { return TypeName(type) }
    let closure = macro.trailingClosure ?? macro.arguments.first?.expression.as(ClosureExprSyntax.self)
    guard case .parameterClause(let clause)? = closure?.signature?.parameterClause else { return nil }
    return clause.parameters.first?.type.map { TypeName($0) }
  }

  /// The class in `FetchDescriptor<Note>(predicate: …)`, `let open: Predicate<Note> = …`, `-> Predicate<Note> { … }`,
  /// `@Query(filter: …) var notes: [Note]`.
  private func expected(around macro: Syntax) -> TypeName? {
    for (parent, _) in macro.ancestors {
      if let call = parent.as(FunctionCallExprSyntax.self) {
        let callee = SourceExpression(call.calledExpression)
        if let subject = callee.typeName.flatMap({ subject(of: $0) }) { return subject }
        // `.init(predicate: …)` has the type that is expected around it.
        guard case .member(let base, let name) = callee.kind, name.name == "init" else { return nil }
        if let base { return base.typeName.flatMap { subject(of: $0) } }
      } else if let binding = parent.as(PatternBindingSyntax.self) {
        return binding.typeAnnotation.flatMap { subject(of: TypeName($0.type)) }
      } else if let function = parent.as(FunctionDeclSyntax.self) {
        return function.signature.returnClause.flatMap { subject(of: TypeName($0.type)) }
      } else if let attribute = parent.as(AttributeSyntax.self) {
        return queried(attribute)
      } else if parent.is(ClosureExprSyntax.self) || parent.is(MacroExpansionExprSyntax.self) {
        return nil
      }
    }
    return nil
  }

  private func queried(_ attribute: AttributeSyntax) -> TypeName? {
    guard TypeName(attribute.attributeName).lastName == "Query",
      let variable = attribute.parent?.parent?.as(VariableDeclSyntax.self),
      let type = variable.bindings.first?.typeAnnotation?.type, case .array(let element) = TypeName(type)
    else { return nil }
    return element
  }

  /// The class `Note` of `Predicate<Note>`.
  private func subject(of type: TypeName) -> TypeName? {
    switch type {
    case .optional(let wrapped): return subject(of: wrapped)
    case .named(let parts):
      guard let last = parts.last, ["Predicate", "FetchDescriptor", "Query"].contains(last.name) else { return nil }
      return last.arguments.first
    case .array, .dictionary, .other: return nil
    }
  }
}
