import SwiftSyntax

extension DeclarationReader {
  // MARK: Variables

  func variables(_ syntax: VariableDeclSyntax, _ condition: BuildCondition) -> [VariableDeclaration] {
    let attributes = attributes(syntax.attributes)
    // `private(set)` says nothing of the variable's own access. (`filter` of a piece of syntax would build another tree.)
    let modifiers = syntax.modifiers.compactMap { $0.detail == nil ? $0.name.text : nil }
    let isConstant = syntax.bindingSpecifier.tokenKind == .keyword(.let)
    let bindings = Array(syntax.bindings)
    var type: TypeSyntax?
    var variables: [VariableDeclaration] = []
    // `var a, b: Int` gives both the type, so it is read from the end.
    for binding in bindings.reversed() {
      if let annotation = binding.typeAnnotation {
        type = annotation.type
      } else if binding.initializer != nil {
        type = nil
      }
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
      let accessors = Accessors(binding.accessorBlock)
      variables.append(
        VariableDeclaration(
          name: name?.plainText ?? "", nameSpan: SourceSpan(binding.pattern), span: SourceSpan(syntax),
          specifierSpan: SourceSpan(syntax.bindingSpecifier), isConstant: isConstant, nameCount: bindings.count,
          modifiers: modifiers, attributes: attributes,
          type: type.map { TypeName($0) }, typeSpan: type.map { SourceSpan($0) },
          initialValue: binding.initializer.map { SourceExpression($0.value) }, storage: accessors.storage,
          getterValue: accessors.value.map { SourceExpression($0) }, condition: condition))
    }
    return variables.reversed()
  }

  // MARK: Functions

  func function(_ declaration: DeclSyntax, _ condition: BuildCondition) -> FunctionDeclaration? {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return FunctionDeclaration(
        name: function.name.plainText, span: SourceSpan(function), modifiers: function.modifiers.map(\.name.text),
        labels: labels(function.signature), condition: condition)
    }
    guard let initializer = declaration.as(InitializerDeclSyntax.self) else { return nil }
    return FunctionDeclaration(
      name: initializer.optionalMark == nil ? "init" : "init?", span: SourceSpan(initializer),
      modifiers: initializer.modifiers.map(\.name.text), labels: labels(initializer.signature), condition: condition)
  }

  private func labels(_ signature: FunctionSignatureSyntax) -> [String] {
    signature.parameterClause.parameters.map(\.firstName.plainText)
  }
}

/// What the braces behind a variable make of it.
private struct Accessors {
  var storage = VariableDeclaration.Storage.stored
  var value: ExprSyntax?

  init(_ block: AccessorBlockSyntax?) {
    switch block?.accessors {
    case nil: return
    case .getter(let statements):
      storage = .computed
      value = Self.value(of: statements)
    case .accessors(let accessors):
      let observers: Set<String> = ["willSet", "didSet"]
      storage = accessors.allSatisfy { observers.contains($0.accessorSpecifier.text) } ? .observed : .computed
      if accessors.isEmpty { storage = .computed }
      value = accessors.first { $0.accessorSpecifier.text == "get" }?.body.flatMap { Self.value(of: $0.statements) }
    }
  }

  /// The expression of a body that has no other statement.
  private static func value(of statements: CodeBlockItemListSyntax) -> ExprSyntax? {
    guard statements.count == 1, let only = statements.first else { return nil }
    return switch only.item {
    case .expr(let expression): expression
    case .stmt(let statement): statement.as(ReturnStmtSyntax.self)?.expression
    case .decl: nil
    }
  }
}
