import SwiftSyntax

/// Reads a tree's declarations into values, once; of function bodies only their place and value.
struct DeclarationReader {
  let defines: BuildDefines

  /// Types and `#if`s nested more deeply are skipped.
  private static let maximumDepth = 64

  func members(of statements: CodeBlockItemListSyntax) -> SourceMembers {
    var members = SourceMembers()
    read(statements, under: .always, into: &members, depth: 0)
    return members
  }

  // MARK: Lists

  private func read(
    _ statements: CodeBlockItemListSyntax, under condition: BuildCondition, into members: inout SourceMembers,
    depth: Int
  ) {
    guard depth < Self.maximumDepth else { return }
    for statement in statements {
      switch statement.item {
      case .decl(let declaration): read(declaration, under: condition, into: &members, depth: depth)
      case .expr(let expression):
        guard let macro = expression.as(MacroExpansionExprSyntax.self) else { continue }
        members.macros.append(
          MacroUse(
            name: macro.macroName.plainText, types: types(macro.genericArgumentClause),
            arguments: macro.arguments.map { SourceArgument($0) }, span: SourceSpan(macro), condition: condition))
      case .stmt: continue
      }
    }
  }

  private func read(
    _ block: MemberBlockItemListSyntax, under condition: BuildCondition, into members: inout SourceMembers, depth: Int
  ) {
    guard depth < Self.maximumDepth else { return }
    for item in block { read(item.decl, under: condition, into: &members, depth: depth) }
  }

  private func read(
    _ declaration: DeclSyntax, under condition: BuildCondition, into members: inout SourceMembers, depth: Int
  ) {
    switch declaration.kind {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
      if let type = type(declaration, under: condition, depth: depth) { members.types.append(type) }
    case .variableDecl:
      if let variable = declaration.as(VariableDeclSyntax.self) {
        members.variables += variables(variable, under: condition)
      }
    case .enumCaseDecl:
      guard let cases = declaration.as(EnumCaseDeclSyntax.self) else { return }
      members.cases += cases.elements.map { element in
        CaseDeclaration(
          name: element.name.plainText, span: SourceSpan(element),
          hasPayload: element.parameterClause.map { !$0.parameters.isEmpty } ?? false, condition: condition)
      }
    case .typeAliasDecl:
      if let alias = declaration.as(TypeAliasDeclSyntax.self) {
        members.aliases.append(self.alias(alias, under: condition))
      }
    case .functionDecl, .initializerDecl:
      if let function = function(declaration, under: condition) { members.functions.append(function) }
    case .macroExpansionDecl:
      guard let macro = declaration.as(MacroExpansionDeclSyntax.self) else { return }
      members.macros.append(
        MacroUse(
          name: macro.macroName.plainText, types: types(macro.genericArgumentClause),
          arguments: macro.arguments.map { SourceArgument($0) }, span: SourceSpan(macro), condition: condition))
    case .ifConfigDecl:
      if let config = declaration.as(IfConfigDeclSyntax.self) {
        read(config, under: condition, into: &members, depth: depth + 1)
      }
    default: return
    }
  }

  /// A clause is active when its condition holds and no earlier one does.
  private func read(
    _ config: IfConfigDeclSyntax, under outer: BuildCondition, into members: inout SourceMembers, depth: Int
  ) {
    var isUndecided = false
    for clause in config.clauses {
      let decision = clause.condition.map { defines.decide($0) } ?? true
      if decision == false { continue }
      let isSure = decision == true && !isUndecided
      let text = clause.condition.map { "#if \($0.shortText)" } ?? "#else"
      let condition = isSure ? outer : .undecided(text)
      switch clause.elements {
      case .decls(let list): read(list, under: condition, into: &members, depth: depth)
      case .statements(let list): read(list, under: condition, into: &members, depth: depth)
      case .attributes, .postfixExpression, .switchCases, nil: break
      }
      if isSure { return }
      isUndecided = true
    }
  }

  // MARK: Types

  private func type(_ declaration: DeclSyntax, under condition: BuildCondition, depth: Int) -> TypeDeclaration? {
    guard let group = declaration.asProtocol(DeclGroupSyntax.self), let head = TypeHead(declaration) else { return nil }
    var members = SourceMembers()
    read(group.memberBlock.members, under: .always, into: &members, depth: depth + 1)
    return TypeDeclaration(
      kind: head.kind, name: head.name, nameSpan: head.nameSpan, span: SourceSpan(declaration),
      attributes: attributes(group.attributes), modifiers: group.modifiers.map(\.name.text),
      isGeneric: head.generics != nil, genericParameters: head.generics?.parameters.map(\.name.plainText) ?? [],
      inherited: group.inheritanceClause?.inheritedTypes.map { TypeName($0.type) } ?? [], members: members,
      condition: condition, hasError: declaration.hasError)
  }

  private func alias(_ alias: TypeAliasDeclSyntax, under condition: BuildCondition) -> AliasDeclaration {
    AliasDeclaration(
      name: alias.name.plainText, nameSpan: SourceSpan(alias.name), span: SourceSpan(alias),
      isGeneric: alias.genericParameterClause != nil, modifiers: alias.modifiers.map(\.name.text),
      target: TypeName(alias.initializer.value), condition: condition)
  }

  private func types(_ clause: GenericArgumentClauseSyntax?) -> [TypeName] {
    clause.map { TypeName.arguments($0, depth: 0) } ?? []
  }

  func attributes(_ list: AttributeListSyntax) -> [AttributeUse] {
    list.map { element in
      switch element {
      case .attribute(let attribute):
        var arguments: [SourceArgument] = []
        if case .argumentList(let list)? = attribute.arguments { arguments = list.map { SourceArgument($0) } }
        let name = TypeName(attribute.attributeName)
        return AttributeUse(
          name: name.lastName ?? name.description, arguments: arguments, span: SourceSpan(attribute))
      case .ifConfigDecl(let config):
        return AttributeUse(name: "#if", arguments: [], span: SourceSpan(config))
      }
    }
  }
}

/// The parts of type declarations that precede their braces.
private struct TypeHead {
  var kind: TypeDeclaration.Kind
  var name: [String]
  var nameSpan: SourceSpan
  var generics: GenericParameterClauseSyntax?

  init?(_ declaration: DeclSyntax) {
    if let type = declaration.as(ClassDeclSyntax.self) {
      self.init(.class, name: type.name, generics: type.genericParameterClause)
    } else if let type = declaration.as(StructDeclSyntax.self) {
      self.init(.struct, name: type.name, generics: type.genericParameterClause)
    } else if let type = declaration.as(EnumDeclSyntax.self) {
      self.init(.enum, name: type.name, generics: type.genericParameterClause)
    } else if let type = declaration.as(ActorDeclSyntax.self) {
      self.init(.actor, name: type.name, generics: type.genericParameterClause)
    } else if let type = declaration.as(ProtocolDeclSyntax.self) {
      self.init(.protocol, name: type.name, generics: nil)
    } else if let type = declaration.as(ExtensionDeclSyntax.self) {
      guard case .named(let components) = TypeName(type.extendedType) else { return nil }
      self.init(kind: .extension, name: components.map(\.name), nameSpan: SourceSpan(type.extendedType), generics: nil)
    } else {
      return nil
    }
  }

  private init(_ kind: TypeDeclaration.Kind, name: TokenSyntax, generics: GenericParameterClauseSyntax?) {
    self.init(kind: kind, name: [name.plainText], nameSpan: SourceSpan(name), generics: generics)
  }

  private init(
    kind: TypeDeclaration.Kind, name: [String], nameSpan: SourceSpan, generics: GenericParameterClauseSyntax?
  ) {
    self.kind = kind
    self.name = name
    self.nameSpan = nameSpan
    self.generics = generics
  }
}
