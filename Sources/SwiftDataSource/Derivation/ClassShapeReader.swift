import StoreDataModel
import StoreSwiftDataSchemas

/// Reads `@Model` classes with their `@Attribute` and `@Relationship` macros.
package struct ClassShapeReader {
  let table: NameTable

  package init(table: NameTable) { self.table = table }

  /// Attributes of a class that add no stored members.
  private static let harmless: Set<String> = [
    "Model", "available", "objc", "objcMembers", "MainActor", "dynamicMemberLookup", "preconcurrency", "Observable",
    "unchecked", "_documentation", "usableFromInline", "frozen",
  ]
  /// Macros among members that add no members.
  private static let harmlessMacros: Set<String> = ["warning", "error", "sourceLocation", "Preview"]

  package func shape(of id: TypeID) -> ClassShape {
    let type = table[id]
    var shape = ClassShape(id: id, name: type.name)
    guard let declaration = type.declaration else { return shape }
    readHead(declaration, of: id, into: &shape)
    for stored in StoredMemberReader(table: table).members(of: id) {
      shape.unmeasured.formUnion(stored.unmeasured)
      shape.reasons += stored.reasons
      shape.members.append(member(stored, into: &shape))
    }
    for macro in declaration.members.macros { read(macro, of: id, into: &shape) }
    checkUniqueness(&shape, at: table.place(of: id))
    return shape
  }

  // MARK: The class

  private func readHead(_ declaration: TypeDeclaration, of id: TypeID, into shape: inout ClassShape) {
    let place = table.place(of: id)
    if declaration.hasError {
      shape.reasons.append(
        SourceEntity.Reason("its source has a syntax error, so members may be missing", place: place))
    }
    if declaration.isGeneric { shape.reasons.append(SourceEntity.Reason("the class is generic", place: place)) }
    let scope = Scope(file: table[id].file, type: table[id].parent)
    for attribute in declaration.attributes where !Self.harmless.contains(attribute.name) {
      // A global actor of the sources has no influence on the model.
      guard table.declaredType(.path([attribute.name]), in: scope) == nil else { continue }
      shape.reasons.append(
        SourceEntity.Reason(
          "@\(attribute.name) may add members",
          remedy: attribute.name == "#if" ? "decide it with --define" : "expand the macro in the source", place: place))
    }
    guard let first = declaration.inherited.first else { return }
    switch table.resolve(first, in: scope) {
    case .declared(let parent):
      guard table[parent].kind == .class else { return }
      if table[parent].isModel {
        shape.superclass = parent
      } else {
        shape.reasons.append(
          SourceEntity.Reason("its superclass \(first) is no model", place: place))
      }
    // A superclass would have to be a model of another module; what stands there in apps are protocols of packages.
    case .foreign(let name) where !KnownProtocols.contain(name): shape.unmeasured.insert(.foreignSupertype)
    case .failed(.ambiguous):
      shape.reasons.append(SourceEntity.Reason("\(first) is declared more than once", isDoubt: true, place: place))
    case .foreign, .array, .set, .dictionary, .optional, .failed: return
    }
  }

  // MARK: Members

  private func member(_ stored: StoredMember, into shape: inout ClassShape) -> ModelMember {
    var member = ModelMember(stored: stored)
    member.relationship = relationship(of: stored)
    for attribute in stored.variable.attributes {
      switch attribute.name {
      case "Attribute": readAttribute(attribute, member: &member, shape: &shape)
      case "Relationship": readRelationship(attribute, member: &member, shape: &shape)
      default: break
      }
    }
    if member.options.isUnique {
      shape.uniqueness.append([stored.name])
      if member.relationship != nil { shape.unmeasured.insert(.uniqueRelationship) }
    }
    return member
  }

  /// A property is a relationship if its type, apart from an optional, is a `@Model` class or an array of one.
  private func relationship(of stored: StoredMember) -> RelationshipDraft? {
    switch stored.type {
    case .declared(let id)? where table[id].isModel: RelationshipDraft(target: id, isToMany: false)
    case .array(.declared(let id))? where table[id].isModel: RelationshipDraft(target: id, isToMany: true)
    default: nil
    }
  }

  private func readAttribute(_ use: AttributeUse, member: inout ModelMember, shape: inout ClassShape) {
    for argument in use.arguments {
      switch argument.label {
      case nil: readOption(argument.value, member: &member, shape: &shape)
      default: readCommon(argument, member: &member, shape: &shape)
      }
    }
  }

  private func readOption(_ value: SourceExpression, member: inout ModelMember, shape: inout ClassShape) {
    if let (callee, arguments) = value.call, callee.memberName == "transformable" {
      member.options.transformer = arguments.first?.value.stringValue ?? ""
      shape.unmeasured.insert(.transformable)
      return
    }
    switch value.memberName {
    case "unique": member.options.isUnique = true
    case "externalStorage":
      member.options.allowsExternalStorage = true
    case "preserveValueOnDeletion":
      member.options.preservesValue = true
      shape.unmeasured.insert(.preservedValue)
    case "ephemeral":
      member.options.isEphemeral = true
      shape.unmeasured.insert(.ephemeral)
    // These options are not hashed.
    case "allowsCloudEncryption"?: member.options.unmodelled.append(".allowsCloudEncryption")
    case "spotlight"?: member.options.unmodelled.append(".spotlight")
    default: fail("an option of its macro is not known", at: member, shape: &shape)
    }
  }

  private func readRelationship(_ use: AttributeUse, member: inout ModelMember, shape: inout ClassShape) {
    member.relationship?.hasMacro = true
    if member.relationship == nil, member.stored.type != nil, shape.reasons.isEmpty {
      // An unknown type is reported elsewhere; on a value, @Relationship makes no sense.
      fail("@Relationship on what is no model class or array of one", at: member, shape: &shape)
    }
    for argument in use.arguments {
      switch argument.label {
      case nil: readOption(argument.value, member: &member, shape: &shape)
      case "deleteRule"?: readDeleteRule(argument.value, member: &member, shape: &shape)
      case "inverse"?: readInverse(argument.value, member: &member, shape: &shape)
      case "minimumModelCount"?:
        let number = count(argument.value, member: member, shape: &shape)
        member.relationship?.minimumCount = number
      case "maximumModelCount"?:
        let number = count(argument.value, member: member, shape: &shape)
        member.relationship?.maximumCount = number
      default: readCommon(argument, member: &member, shape: &shape)
      }
    }
  }

  /// Reads `originalName:` and `hashModifier:`, which both macros have.
  private func readCommon(_ argument: SourceArgument, member: inout ModelMember, shape: inout ClassShape) {
    switch argument.label {
    case "originalName"?:
      if argument.value.isNil { return }
      guard let name = followed(argument.value, in: shape, read: { $0.stringValue }) else {
        return fail("its originalName: is neither a text literal nor a constant", at: member, shape: &shape)
      }
      member.options.originalName = name
    case "hashModifier"?:
      if argument.value.isNil { return }
      guard let modifier = followed(argument.value, in: shape, read: { $0.stringValue }) else {
        return fail("its hashModifier: is neither a text literal nor a constant", at: member, shape: &shape)
      }
      member.options.hashModifier = modifier
      shape.unmeasured.insert(.hashModifier)
    default: fail("an argument '\(argument.label ?? "")' of its macro is not known", at: member, shape: &shape)
    }
  }

  private func readDeleteRule(_ value: SourceExpression, member: inout ModelMember, shape: inout ClassShape) {
    guard let rule = followed(value, in: shape, read: { Self.deleteRules[$0.memberName ?? ""] }) else {
      return fail("its deleteRule: is neither a rule nor a constant", at: member, shape: &shape)
    }
    member.relationship?.deleteRule = rule
  }

  private static let deleteRules: [String: Relationship.DeleteRule] = [
    "nullify": .nullify, "cascade": .cascade, "deny": .deny, "noAction": .noAction,
  ]

  /// Reads a value, or that of the constant it names.
  private func followed<Value>(
    _ value: SourceExpression, in shape: ClassShape, read: (SourceExpression) -> Value?
  ) -> Value? {
    var found: ValueLookup.Found = (value, Scope(file: table[shape.id].file, type: shape.id))
    for _ in 0..<Self.maximumConstants {
      // Constants first: one with the name `deny` may be another rule.
      guard let next = ValueLookup(table: table).value(found.value, in: found.scope) else { return read(found.value) }
      found = next
    }
    return nil
  }

  /// How many constants are followed, as they may refer to one another.
  private static let maximumConstants = 8

  private func readInverse(_ value: SourceExpression, member: inout ModelMember, shape: inout ClassShape) {
    if value.isNil { return }
    guard case .keyPath(let root, let names) = value.kind, names.count == 1 else {
      return fail("its inverse: is no key path of one property", at: member, shape: &shape)
    }
    member.relationship?.statedInverse = (root, names[0])
  }

  private func count(_ value: SourceExpression, member: ModelMember, shape: inout ClassShape) -> Int32? {
    if value.isNil { return nil }
    guard let number = followed(value, in: shape, read: { $0.integerValue }).flatMap({ Int32(exactly: $0) }) else {
      fail("its number of models is neither a literal nor a constant", at: member, shape: &shape)
      return nil
    }
    shape.unmeasured.insert(.statedCounts)
    return number
  }

  // MARK: Constraints and indexes

  private func read(_ macro: MacroUse, of id: TypeID, into shape: inout ClassShape) {
    let place = table.files[table[id].file].place(macro.span)
    switch macro.name {
    case "Unique":
      if case .undecided(let condition) = macro.condition {
        shape.reasons.append(
          SourceEntity.Reason("#Unique depends on '\(condition)'", remedy: "decide it with --define", place: place))
      }
      for argument in macro.arguments {
        guard let names = Self.names(argument.value) else {
          shape.reasons.append(SourceEntity.Reason("#Unique has more than key paths of one property", place: place))
          continue
        }
        shape.uniqueness.append(names)
      }
    case "Index": shape.indexes += macro.arguments.compactMap { Self.index($0.value) }
    default:
      guard !Self.harmlessMacros.contains(macro.name) else { return }
      shape.reasons.append(
        SourceEntity.Reason("#\(macro.name) may add members", remedy: "expand the macro in the source", place: place))
    }
  }

  private static func names(_ value: SourceExpression) -> [String]? {
    guard case .array(let paths) = value.kind, !paths.isEmpty else { return nil }
    let names = paths.compactMap { path -> String? in
      if case .keyPath(_, let names) = path.kind, names.count == 1 { names[0] } else { nil }
    }
    return names.count == paths.count ? names : nil
  }

  /// `#Index` makes a fetch index named `SwiftDataIndexOnBinary` and the joined names of its properties.
  private static func index(_ value: SourceExpression) -> FetchIndex? {
    var value = value
    var kind = FetchIndex.Element.Kind.binary
    if let (callee, arguments) = value.call, let first = arguments.first {
      if callee.memberName == "rtree" { kind = .rTree }
      value = first.value
    }
    guard let names = names(value) else { return nil }
    return FetchIndex(
      name: (kind == .binary ? "SwiftDataIndexOnBinary" : "SwiftDataIndexOnRTree") + names.joined(),
      elements: names.map { FetchIndex.Element($0, kind: kind) })
  }

  private func checkUniqueness(_ shape: inout ClassShape, at place: SourcePlace) {
    let known = Set(shape.members.map(\.stored.name))
    for constraint in shape.uniqueness {
      if let missing = constraint.first(where: { !known.contains($0) }), shape.superclass == nil {
        shape.reasons.append(
          SourceEntity.Reason("a uniqueness constraint names '\(missing)', which is no property", place: place))
      }
    }
    if Set(shape.uniqueness).count < shape.uniqueness.count {
      shape.reasons.append(SourceEntity.Reason("a uniqueness constraint is stated twice", place: place))
    }
  }

  private func fail(_ message: String, at member: ModelMember, shape: inout ClassShape) {
    shape.reasons.append(
      SourceEntity.Reason(property: member.stored.name, message, place: member.stored.place))
  }
}
