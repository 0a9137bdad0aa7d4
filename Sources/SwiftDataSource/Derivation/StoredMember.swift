import StoreSwiftDataSchemas

/// A stored variable of a class or struct, with its type.
package struct StoredMember: Sendable {
  package let name: String
  package let variable: VariableDeclaration
  /// The place for resolving its names.
  let scope: Scope
  package let place: SourcePlace
  /// The type without an outer optional; nil where it is not known, which is reported.
  package let type: ResolvedType?
  /// The type as written, or the value it was inferred from.
  package let typeText: String
  package let isOptional: Bool
  package let unmeasured: Set<UnmeasuredRule>
  package let reasons: [SourceEntity.Reason]
}

/// Finds the stored members of a type, and their types.
struct StoredMemberReader {
  let table: NameTable

  /// Attributes that do not affect how a variable is stored.
  private static let harmless: Set<String> = [
    "Attribute", "Relationship", "available", "objc", "nonobjc", "MainActor", "preconcurrency", "Sendable",
  ]

  func members(of id: TypeID) -> [StoredMember] {
    guard let declaration = table[id].declaration else { return [] }
    return declaration.members.variables.filter(Self.counts).map { member($0, of: id) }
  }

  /// Whether a variable is a stored member; computed, static and `@Transient` ones are not.
  private static func counts(_ variable: VariableDeclaration) -> Bool {
    variable.storage != .computed && !variable.isStatic && variable.attribute("Transient") == nil
  }

  private func member(_ variable: VariableDeclaration, of id: TypeID) -> StoredMember {
    let file = table[id].file
    let place = table.files[file].place(variable.nameSpan)
    var reasons = obstacles(variable, place: place)
    var unmeasured: Set<UnmeasuredRule> = []
    // In Swift `var a, b: Int` declares two members; whether the macro supports that was not tried.
    if variable.nameCount > 1 { unmeasured.insert(.severalNames) }
    if variable.storage == .observed { unmeasured.insert(.observers) }
    let scope = Scope(file: file, type: id)
    var type: ResolvedType?
    var text = ""
    if let written = variable.type {
      type = table.resolve(written, in: scope)
      text = written.description
    } else if let value = variable.initialValue {
      type = table.inferredType(of: value, in: scope)
      text = "what its initial value gives"
      if !(type?.isTextOrUUID ?? false) { unmeasured.insert(.inferredType) }
      if type == nil { reasons.append(Self.uninferred(variable, at: place)) }
    } else {
      reasons.append(SourceEntity.Reason(property: variable.name, "it has no type", place: place))
    }
    var isOptional = false
    if case .optional(let wrapped)? = type {
      isOptional = true
      type = wrapped
    }
    return StoredMember(
      name: variable.name, variable: variable, scope: scope, place: place, type: type, typeText: text,
      isOptional: isOptional,
      unmeasured: unmeasured, reasons: reasons)
  }

  private static func uninferred(_ variable: VariableDeclaration, at place: SourcePlace) -> SourceEntity.Reason {
    SourceEntity.Reason(
      property: variable.name, "its type is that of an expression, which only a compiler knows",
      remedy: "write the type: var \(variable.name): <type>", place: place)
  }

  private func obstacles(_ variable: VariableDeclaration, place: SourcePlace) -> [SourceEntity.Reason] {
    var reasons: [SourceEntity.Reason] = []
    if variable.name.isEmpty {
      reasons.append(SourceEntity.Reason("a stored variable is a pattern of several", place: place))
    }
    if variable.modifiers.contains("lazy") {
      reasons.append(SourceEntity.Reason(property: variable.name, "lazy variables cannot be persisted", place: place))
    }
    if case .undecided(let condition) = variable.condition {
      reasons.append(
        SourceEntity.Reason(
          property: variable.name, "it depends on '\(condition)'", remedy: "decide it with --define", place: place))
    }
    for attribute in variable.attributes where !Self.harmless.contains(attribute.name) {
      reasons.append(
        SourceEntity.Reason(
          property: variable.name, "@\(attribute.name) may change what is stored",
          remedy: attribute.name == "#if" ? "decide it with --define" : nil, place: place))
    }
    return reasons
  }
}

extension ResolvedType {
  fileprivate var isTextOrUUID: Bool {
    if case .foreign(let name) = self { name == "String" || name == "UUID" } else { false }
  }
}
