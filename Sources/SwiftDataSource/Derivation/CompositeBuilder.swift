import StoreDataModel
import StoreSwiftDataSchemas

/// Builds the composite attribute of a struct or enum.
struct CompositeBuilder {
  let table: NameTable
  let members: (TypeID) -> [StoredMember]
  /// The model's property with that type.
  let member: StoredMember
  private var leaves = 0

  init(table: NameTable, members: @escaping (TypeID) -> [StoredMember], member: StoredMember) {
    self.table = table
    self.members = members
    self.member = member
  }

  private static let maximumDepth = 32
  private static let maximumLeaves = 1_000

  /// Nil where something in the type is not known.
  mutating func attribute(of id: TypeID, _ notes: inout EntityNotes) -> Attribute? {
    elements(of: id, named: member.name, isOptional: member.isOptional, isOuter: true, depth: 0, &notes).map {
      Attribute(type: .composite, elements: $0)
    }
  }

  /// SwiftUI's `Color.Resolved` has the elements linearRed, linearGreen, linearBlue and opacity, each Float, and
  /// required if the property is.
  static func colorResolved(in member: StoredMember) -> Attribute {
    Attribute(
      type: .composite,
      elements: ["linearRed", "linearGreen", "linearBlue", "opacity"].map {
        Property(name: $0, isOptional: member.isOptional, kind: .attribute(Attribute(type: .float)))
      })
  }

  private mutating func elements(
    of id: TypeID, named name: String, isOptional: Bool, isOuter: Bool, depth: Int, _ notes: inout EntityNotes
  ) -> [Property]? {
    let type = table[id]
    guard depth < Self.maximumDepth else {
      return fail("structs nested deeper than \(Self.maximumDepth) levels", notes: &notes)
    }
    guard !(type.declaration?.isGeneric ?? false) else { return fail("\(type.name) is generic", notes: &notes) }
    guard !(type.declaration?.hasError ?? false) else {
      return fail("the source of \(type.name) has a syntax error, so members may be missing", notes: &notes)
    }
    switch type.kind {
    case .struct: return structure(id, isOptional: isOptional, depth: depth, notes: &notes)
    case .enum: return enumeration(id, named: name, isOptional: isOptional, isOuter: isOuter, notes: &notes)
    case .class: return fail("\(type.name) is a class that is no model", notes: &notes)
    case .actor, .protocol, .extension: return fail("\(type.name) is no value type", notes: &notes)
    }
  }

  // MARK: Structs

  /// The elements are the struct's stored properties.
  private mutating func structure(
    _ id: TypeID, isOptional: Bool, depth: Int, notes: inout EntityNotes
  ) -> [Property]? {
    let type = table[id]
    if type.conforms(to: "OptionSet") || type.conforms(to: "RawRepresentable") {
      return fail("\(type.name) is coded by its raw value", notes: &notes)
    }
    let functions = type.parts.flatMap(\.declaration.members.functions)
    if functions.contains(where: { $0.name == "encode" && $0.labels == ["to"] }) { notes.unmeasured.insert(.ownCoding) }
    var elements: [Property] = []
    for field in members(id) {
      notes.unmeasured.formUnion(field.unmeasured)
      let known = notes.reasons.count
      notes.reasons += field.reasons
      var made: Property?
      if let type = field.type {
        made = element(field, type: type, isOptional: isOptional, depth: depth, notes: &notes)
      }
      // A problem of the struct's variable is one of the model's property.
      for position in notes.reasons.indices.dropFirst(known) where notes.reasons[position].place == field.place {
        notes.reasons[position].message = "\(type.name).\(field.name): \(notes.reasons[position].message)"
        notes.reasons[position].property = member.name
      }
      guard let made, field.reasons.isEmpty else { return nil }
      elements.append(made)
    }
    return elements
  }

  private mutating func element(
    _ field: StoredMember, type: ResolvedType, isOptional: Bool, depth: Int, notes: inout EntityNotes
  ) -> Property? {
    leaves += 1
    guard leaves <= Self.maximumLeaves else { return fail("more than \(Self.maximumLeaves) elements", notes: &notes) }
    let isOptionalHere = isOptional || field.isOptional
    switch type {
    case .declared(let id):
      guard
        let inner = elements(
          of: id, named: field.name, isOptional: isOptionalHere, isOuter: false, depth: depth + 1, &notes)
      else { return nil }
      return Property(
        name: field.name, isOptional: isOptionalHere,
        kind: .attribute(Attribute(type: .composite, elements: inner)))
    case .array(let element):
      // Inside a composite, an array is Binary and not Transformable.
      if case .declared = element {} else { notes.unmeasured.insert(.arrayInStruct) }
      return leaf(field, type: .binary, isOptional: isOptional, notes: &notes)
    case .set, .dictionary:
      let types: [(name: String, value: AttributeType)] = [("Binary", .binary), ("Transformable", .transformable)]
      return notes.choices.pick(ChoiceKey(rule: .collectionInStruct), from: types).flatMap {
        leaf(field, type: $0, isOptional: isOptional, notes: &notes)
      }
    case .foreign("Color.Resolved"):
      return fail("Color.Resolved inside a struct", notes: &notes)
    case .foreign, .optional, .failed:
      let typing = AttributeTyping(table: table, members: members)
      guard let attribute = typing.attribute(type, of: field, notes: &notes) else { return nil }
      return leaf(field, type: attribute.type, isOptional: isOptional, notes: &notes)
    }
  }

  /// A leaf is optional if its own type is, or the model's property is.
  private func leaf(
    _ field: StoredMember, type: AttributeType, isOptional: Bool, notes: inout EntityNotes
  ) -> Property? {
    var isLeafOptional = field.isOptional || isOptional
    if !field.isOptional {
      if isOptional {
        let options = [(name: "inherited", value: true), (name: "of their own type", value: false)]
        isLeafOptional = notes.choices.pick(ChoiceKey(rule: .oldLeaves), from: options) ?? true
      } else {
        let options = [(name: "required", value: false), (name: "optional", value: true)]
        isLeafOptional = notes.choices.pick(ChoiceKey(rule: .requiredLeaves), from: options) ?? false
      }
    }
    return Property(name: field.name, isOptional: isLeafOptional, kind: .attribute(Attribute(type: type)))
  }

  // MARK: Enums

  private mutating func enumeration(
    _ id: TypeID, named name: String, isOptional: Bool, isOuter: Bool, notes: inout EntityNotes
  ) -> [Property]? {
    let type = table[id]
    let isWritten = type.parts.contains { $0.declaration.members.variables.contains { $0.name == "rawValue" } }
    guard !isWritten, !type.conforms(to: "RawRepresentable") || table.rawType(of: id) != nil else {
      return fail("\(type.name) has raw values of its own making", notes: &notes)
    }
    if let raw = table.rawType(of: id), case .sure(let number, _)? = ScalarType(raw) {
      return rawValue(number, named: name, isOptional: isOptional, isOuter: isOuter, notes: &notes)
    }
    let scope = Scope(file: type.file, type: id)
    for inherited in type.declaration?.inherited.prefix(1) ?? [] {
      guard case .foreign(let raw) = table.resolve(inherited, in: scope) else { continue }
      guard KnownProtocols.contain(raw) else {
        return fail("\(type.name) may have raw values: \(raw) is not declared in the sources", notes: &notes)
      }
    }
    return cases(of: type, isOuter: isOuter, &notes)
  }

  /// An enum with raw values has one leaf, with the property's name and the raw type; it is always optional.
  private func rawValue(
    _ type: AttributeType, named name: String, isOptional: Bool, isOuter: Bool, notes: inout EntityNotes
  ) -> [Property] {
    var isLeafOptional = true
    if !isOuter, !isOptional {
      let options = [(name: "always optional", value: true), (name: "required", value: false)]
      isLeafOptional = notes.choices.pick(ChoiceKey(rule: .rawValueInStruct), from: options) ?? true
    }
    return [Property(name: name, isOptional: isLeafOptional, kind: .attribute(Attribute(type: type)))]
  }

  /// An enum without raw values has a String leaf for each case, with the case's name; it is always optional, since all but
  /// one are empty.
  private func cases(
    of type: DeclaredType, isOuter: Bool, _ notes: inout EntityNotes
  ) -> [Property]? {
    let cases = type.declaration?.members.cases ?? []
    guard isOuter else { return fail("\(type.name) is an enum without raw values inside a struct", notes: &notes) }
    guard !cases.isEmpty, cases.count <= Self.maximumLeaves else {
      return fail("\(type.name) has \(cases.isEmpty ? "no" : "too many") cases", notes: &notes)
    }
    if let payload = cases.first(where: \.hasPayload) {
      return fail("\(type.name).\(payload.name) carries values", notes: &notes)
    }
    for each in cases {
      if case .undecided(let condition) = each.condition {
        return fail(
          "\(type.name).\(each.name) depends on '\(condition)'", remedy: "decide it with --define", notes: &notes)
      }
    }
    return cases.map {
      Property(name: $0.name, isOptional: true, kind: .attribute(Attribute(type: .string)))
    }
  }

  // MARK: Reasons

  private func fail<Made>(_ message: String, remedy: String? = nil, notes: inout EntityNotes) -> Made? {
    notes.reasons.append(
      SourceEntity.Reason(
        property: member.name, type: member.typeText, message, remedy: remedy, place: member.place))
    return nil
  }
}
