/// One property of a `@Model` class.
struct SwiftDataMember {
  /// The name, escaped if it is a keyword.
  let name: String
  /// The type, with a question mark if it is optional.
  let type: String
  /// The declaration with its macro, preceded by types that only this property uses.
  let lines: [String]
  /// Aspects of the property that SwiftData cannot express.
  let losses: [String]
  /// Whether an initializer has to give it a value.
  let needsValue: Bool

  /// Nil if SwiftData cannot express the property.
  ///
  /// - Parameters:
  ///   - initialValue: used if the model's default cannot be written as a literal.
  ///   - options: further options of the macro, besides those of the model.
  ///   - element: the Swift type of the values in an array of values, where the source tells.
  ///   - enums: gives the enum at a property or member, by the path of its name.
  init?(
    _ property: Property, inverse: SwiftDataInverses.Inverse?, types: SwiftDataTypes, initialValue: String? = nil,
    options: [String] = [], element: String? = nil, enums: (String) -> SwiftDataEnum? = { _ in nil }
  ) {
    guard Self.canBeWritten(property) else { return nil }
    var parts: SwiftDataMemberParts
    switch property.kind {
    case .attribute(let attribute):
      parts = SwiftDataMemberParts(
        attribute, of: property, value: initialValue, element: element, types: types, enums: enums)
    case .relationship(let relationship): parts = SwiftDataMemberParts(relationship, of: property, inverse)
    case .fetched: return nil
    }
    parts.arguments += options
    if let old = property.renamingIdentifier { parts.arguments.append("originalName: \(SwiftDataTypes.literal(old))") }
    // The macro requires the inverse before the modifier.
    if let inverse = parts.inverse { parts.arguments.append(inverse) }
    if let modifier = property.versionHashModifier {
      parts.arguments.append("hashModifier: \(SwiftDataTypes.literal(modifier))")
    }
    name = SwiftName.escaped(property.name)
    type = parts.type + (property.isOptional ? "?" : "")
    let macro =
      parts.arguments.isEmpty ? parts.bareMacro : "@\(parts.macro)(\(parts.arguments.joined(separator: ", ")))"
    lines =
      parts.declarations + (macro.map { [$0] } ?? [])
      + ["var \(name): \(type)" + (parts.initialValue.map { " = \($0)" } ?? "")]
    losses = parts.losses
    needsValue = !property.isOptional && parts.initialValue == nil
  }

  /// Whether SwiftData can express a property.
  static func canBeWritten(_ property: Property) -> Bool { reasonAgainst(property) == nil }

  /// Why it cannot.
  static func reason(against property: Property) -> String { reasonAgainst(property) ?? "the property" }

  private static func reasonAgainst(_ property: Property) -> String? {
    guard SwiftName.isIdentifier(property.name) else { return "the property: its name is no name in Swift" }
    if property.name == SwiftName.refusedProperty { return "the property: SwiftData refuses its name" }
    switch property.kind {
    case .fetched: return "the fetched property"
    case .relationship(let relationship):
      if property.isTransient { return "the transient relationship" }
      return SwiftName.isIdentifier(relationship.destination)
        ? nil : "the relationship: its destination is no name in Swift"
    case .attribute(let attribute):
      if attribute.derivation != nil { return "the derived attribute" }
      switch attribute.type {
      case .undefined, .objectID: return "the attribute of type \(attribute.type.name)"
      case .composite:
        let leaves = attribute.elements.map(Attribute.leaves) ?? []
        let isPlain = leaves.allSatisfy { SwiftName.isIdentifier($0.name) && $0.attribute?.type != .transformable }
        return isPlain && !leaves.isEmpty ? nil : "the composite attribute"
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
        .uri, .transformable, .unknown:
        return nil
      }
    }
  }
}

/// The parts that a member is composed of.
struct SwiftDataMemberParts {
  var macro: String
  /// The macro without arguments; nil if it can be omitted then.
  var bareMacro: String?
  var arguments: [String] = []
  var inverse: String?
  var type: String
  var initialValue: String?
  var declarations: [String] = []
  var losses: [String] = []

  init(
    _ attribute: Attribute, of property: Property, value: String?, element: String?, types: SwiftDataTypes,
    enums: (String) -> SwiftDataEnum?
  ) {
    macro = "Attribute"
    if attribute.allowsExternalStorage { arguments.append(".externalStorage") }
    if attribute.preservesValueInHistory { arguments.append(".preserveValueOnDeletion") }
    if property.isTransient { arguments.append(".ephemeral") }
    if let name = types.name(of: attribute.type) {
      type = name
    } else if attribute.elements != nil, let kept = enums(property.name) {
      type = SwiftName.escaped(kept.name)
      // The macro requires the name of the type in an initial value.
      initialValue = kept.initialCase.map { "\(type).\(SwiftName.escaped($0))" }
    } else if let elements = attribute.elements {
      type = types.structureName(for: property.name)
      declarations = Self.structure(type, elements: elements, types: types) { enums("\(property.name).\($0)") }
      let isNarrowed = property.isOptional && Attribute.leaves(of: elements).contains { !$0.isOptional }
      if isNarrowed { losses.append("elements that are required in an optional composite") }
    } else if attribute.type == .transformable, let list = types.list(of: attribute) ?? element.map(types.list) {
      type = list
    } else {
      let transformer = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
      arguments.append(".transformable(by: \(SwiftDataTypes.literal(transformer)))")
      type = "NSObject"
      losses.append("the class of the transformable value (\(attribute.valueClassName ?? "not stated"))")
    }
    if let known = attribute.defaultValue, initialValue == nil {
      initialValue = types.literal(known, for: attribute.type) ?? value.map { types.qualified($0, for: attribute.type) }
      if initialValue == nil { losses.append("the default value") }
    }
    if !attribute.validationPredicates.isEmpty || attribute.validationTexts != nil {
      losses.append("the validation rules")
    }
  }

  init(_ relationship: Relationship, of property: Property, _ inverse: SwiftDataInverses.Inverse?) {
    macro = "Relationship"
    // Without the macro SwiftData would choose an inverse itself.
    bareMacro = "@Relationship"
    let destination = SwiftName.escaped(relationship.destination)
    type = relationship.isToMany ? "[\(destination)]" : destination
    if relationship.deleteRule != .nullify { arguments.append("deleteRule: .\(relationship.deleteRule)") }
    if relationship.minimumCount != 0 { arguments.append("minimumModelCount: \(relationship.minimumCount)") }
    if relationship.maximumCount != (relationship.isToMany ? 0 : 1) {
      arguments.append("maximumModelCount: \(relationship.maximumCount)")
    }
    switch inverse {
    case .stated(let entity, let name):
      self.inverse = "inverse: \\\(SwiftName.escaped(entity)).\(SwiftName.escaped(name))"
    case .itself: losses.append("being its own inverse")
    case .statedThere, nil: break
    }
    if relationship.isOrdered { losses.append("the order of its objects") }
  }

  /// A Codable struct for a composite; nested structs come first.
  private static func structure(
    _ name: String, elements: [Property], types: SwiftDataTypes, enums: (String) -> SwiftDataEnum?
  ) -> [String] {
    var lines = ["struct \(name): Codable {"]
    for element in elements {
      guard let attribute = element.attribute else { continue }
      let type: String
      if attribute.elements != nil, let kept = enums(element.name) {
        type = SwiftName.escaped(kept.name)
      } else if let inner = attribute.elements {
        type = types.structureName(for: element.name)
        lines += structure(type, elements: inner, types: types) { enums("\(element.name).\($0)") }.map { "  " + $0 }
      } else {
        type = types.name(of: attribute.type) ?? "Data"
      }
      lines.append("  var \(SwiftName.escaped(element.name)): \(type)\(element.isOptional ? "?" : "")")
    }
    return lines + ["}"]
  }
}
