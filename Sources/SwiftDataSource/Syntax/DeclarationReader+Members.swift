import SwiftSyntax

extension DeclarationReader {
  // MARK: Variables

  func variables(_ syntax: VariableDeclSyntax, under condition: BuildCondition) -> [VariableDeclaration] {
    let attributes = attributes(syntax.attributes)
    // `private(set)` does not concern the variable's own access. (`filter` would build another syntax tree.)
    let modifiers = syntax.modifiers.compactMap { modifier in
      modifier.detail == nil || modifier.name.text == "nonisolated" ? modifier.trimmedDescription : nil
    }
    let isConstant = syntax.bindingSpecifier.tokenKind == .keyword(.let)
    let bindings = Array(syntax.bindings)
    var type: TypeSyntax?
    var variables: [VariableDeclaration] = []
    // In `var a, b: Int` the type applies to both, so it is read from the end.
    for binding in bindings.reversed() {
      if let annotation = binding.typeAnnotation {
        type = annotation.type
      } else if binding.initializer != nil {
        type = nil
      }
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
      let accessors = Accessors(binding.accessorBlock, defines)
      variables.append(
        VariableDeclaration(
          name: name?.plainText ?? "", nameSpan: SourceSpan(binding.pattern), span: SourceSpan(syntax),
          specifierSpan: SourceSpan(syntax.bindingSpecifier), isConstant: isConstant, nameCount: bindings.count,
          modifiers: modifiers, attributes: attributes,
          type: type.map { TypeName($0) }, typeSpan: type.map { SourceSpan($0) },
          initialValue: binding.initializer.map { SourceExpression($0.value) }, storage: accessors.storage,
          getterValue: accessors.value, condition: condition))
    }
    return variables.reversed()
  }

  // MARK: Functions

  func function(_ declaration: DeclSyntax, under condition: BuildCondition) -> FunctionDeclaration? {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return FunctionDeclaration(
        name: function.name.plainText, span: SourceSpan(function), modifiers: function.modifiers.map(\.name.text),
        parameters: parameters(function.signature), value: value(of: function), condition: condition)
    }
    guard let initializer = declaration.as(InitializerDeclSyntax.self) else { return nil }
    return FunctionDeclaration(
      name: initializer.optionalMark == nil ? "init" : "init?", span: SourceSpan(initializer),
      modifiers: initializer.modifiers.map(\.name.text), parameters: parameters(initializer.signature),
      condition: condition)
  }

  /// The result of a call without arguments.
  private func value(of function: FunctionDeclSyntax) -> SourceExpression? {
    let signature = function.signature
    guard signature.parameterClause.parameters.isEmpty, signature.returnClause != nil else { return nil }
    return function.body.flatMap { BodyValue.read($0.statements, defines: defines) }
  }

  private func parameters(_ signature: FunctionSignatureSyntax) -> [FunctionDeclaration.Parameter] {
    signature.parameterClause.parameters.map { parameter in
      FunctionDeclaration.Parameter(
        label: parameter.firstName.plainText, name: (parameter.secondName ?? parameter.firstName).plainText,
        defaultValue: parameter.defaultValue.map { SourceExpression($0.value) })
    }
  }
}

/// The facts about a variable that its accessors tell.
private struct Accessors {
  var storage = VariableDeclaration.Storage.stored
  var value: SourceExpression?

  init(_ block: AccessorBlockSyntax?, _ defines: BuildDefines) {
    switch block?.accessors {
    case nil: return
    case .getter(let statements):
      storage = .computed
      value = BodyValue.read(statements, defines: defines)
    case .accessors(let accessors):
      let observers: Set<String> = ["willSet", "didSet"]
      storage = accessors.allSatisfy { observers.contains($0.accessorSpecifier.text) } ? .observed : .computed
      if accessors.isEmpty { storage = .computed }
      value = accessors.first { $0.accessorSpecifier.text == "get" }?.body.flatMap {
        BodyValue.read($0.statements, defines: defines)
      }
    }
  }
}
