import StoreDataModel
import StoreSwiftDataSchemas

/// Finds the model's attribute for a property of a Swift type.
struct AttributeTyping {
  let table: NameTable
  /// The stored members of a struct.
  let members: (TypeID) -> [StoredMember]

  static let transformer = "NSSecureUnarchiveFromData"

  /// Nil where the type is not known; the reason goes into `notes`.
  func attribute(
    _ type: ResolvedType, of member: StoredMember, notes: inout EntityNotes
  ) -> Attribute? {
    if let attribute = assumed(type, of: member, notes: &notes) { return attribute }
    switch type {
    case .foreign(let name): return foreign(name, of: member, notes: &notes)
    case .declared(let id): return declared(id, of: member, notes: &notes)
    case .array(let element): return array(of: element, member: member, notes: &notes)
    case .set(let element): return collection(of: [element], in: member, notes: &notes)
    case .dictionary(let key, let value): return dictionary(of: key, to: value, in: member, notes: &notes)
    case .optional: return unknown(member, message: "an optional of an optional", notes: &notes)
    case .failed(let failure): return unknown(member, failure: failure, notes: &notes)
    }
  }

  // MARK: Assumptions

  /// What a type, or the elements of an array, are taken for on the command line.
  private func assumed(_ type: ResolvedType, of member: StoredMember, notes: inout EntityNotes) -> Attribute? {
    guard !table.assumedTypes.isEmpty else { return nil }
    if case .array(let element) = type {
      guard let (name, kind) = assumption(element) else { return nil }
      notes.assumed.insert(
        "\(notes.choices.property ?? member.name): \(name) is taken for \(kind.name), and an array of it for Transformable"
      )
      return Self.transformable
    }
    guard let (name, kind) = assumption(type) else { return nil }
    notes.assumed.insert("\(notes.choices.property ?? member.name): \(name) is taken for \(kind.name)")
    return kind == .transformable ? Self.transformable : Attribute(type: kind)
  }

  private func assumption(_ type: ResolvedType) -> (name: String, kind: AttributeType)? {
    let names: [String]
    switch type {
    case .foreign(let name): names = [name, String(name.prefix { $0 != "<" })]
    case .declared(let id): names = [table[id].qualifiedName, table[id].name]
    case .failed(.generic(let name)), .failed(.ambiguous(let name, _)), .failed(.notNominal(let name)): names = [name]
    case .array, .set, .dictionary, .optional, .failed: return nil
    }
    return names.lazy.compactMap { name in table.assumedTypes[name].map { (name, $0) } }.first
  }

  // MARK: Types from elsewhere

  private func foreign(_ name: String, of member: StoredMember, notes: inout EntityNotes) -> Attribute? {
    switch ScalarType(name) {
    case .sure(let type, let rule)?:
      if let rule { notes.unmeasured.insert(rule) }
      return Attribute(type: type)
    case .open(let rule, let types)?:
      return notes.choices.pick(ChoiceKey(rule: rule), from: types.map { ($0.name, $0) }).map { Attribute(type: $0) }
    case nil:
      if name == "Color.Resolved" { return CompositeBuilder.colorResolved(in: member) }
      unknown(name, of: member, notes: &notes)
      return nil
    }
  }

  private func unknown(_ name: String, of member: StoredMember, notes: inout EntityNotes) {
    let isOfSystem = ScalarType.isOfSystem(name)
    notes.reasons.append(
      SourceEntity.Reason(
        property: member.name, type: name,
        isOfSystem
          ? "how SwiftData stores \(name), a type of Apple's frameworks, is not known"
          : "\(name) is not declared in the sources",
        remedy: isOfSystem
          ? "give a store that was written with these classes as the model instead"
          : "give the sources of the module that declares it as well",
        place: member.place))
  }

  // MARK: Types of the sources

  private func declared(_ id: TypeID, of member: StoredMember, notes: inout EntityNotes) -> Attribute? {
    var builder = CompositeBuilder(table: table, members: members, member: member)
    return builder.attribute(of: id, &notes)
  }

  // MARK: Collections

  private func array(of element: ResolvedType, member: StoredMember, notes: inout EntityNotes) -> Attribute? {
    guard case .foreign(let name) = element, let scalar = ScalarType(name) else {
      return collection(of: [element], in: member, notes: &notes)
    }
    if !["String", "UInt32", "UUID", "Data"].contains(name) { notes.unmeasured.insert(.arrayOfOtherScalars) }
    if case .open = scalar { notes.unmeasured.insert(.arrayOfOtherScalars) }
    return Self.transformable
  }

  /// A dictionary of `Codable` structs is Binary, as the hashes of real stores prove; others may be Transformable.
  private func dictionary(
    of key: ResolvedType, to value: ResolvedType, in member: StoredMember, notes: inout EntityNotes
  ) -> Attribute? {
    if case .foreign("String") = key, case .declared(let id) = value, table[id].kind == .struct {
      return Attribute(type: .binary)
    }
    return collection(of: [key, value], in: member, notes: &notes)
  }

  /// Transformable or Binary for other collections of values; no store has decided which.
  private func collection(
    of elements: [ResolvedType], in member: StoredMember, notes: inout EntityNotes
  ) -> Attribute? {
    for element in elements {
      if let problem = obstacle(element, depth: 0) {
        switch problem {
        case .failure(let failure): return unknown(member, failure: failure, notes: &notes)
        case .foreign(let name):
          unknown(name, of: member, notes: &notes)
          return nil
        case .text(let text): return unknown(member, message: text, notes: &notes)
        }
      }
    }
    let options = [("Transformable", Self.transformable), ("Binary", Attribute(type: .binary))]
    return notes.choices.pick(ChoiceKey(rule: .collectionOfValues), from: options.map { (name: $0.0, value: $0.1) })
  }

  private static let transformable = Attribute(type: .transformable, valueTransformerName: transformer)

  private enum Obstacle {
    case failure(NameFailure)
    case foreign(String)
    case text(String)
  }

  private func obstacle(_ element: ResolvedType, depth: Int) -> Obstacle? {
    guard depth < 8 else { return .text("collections nested deeper than 8 levels") }
    switch element {
    case .foreign(let name): return ScalarType(name) == nil && name != "Color.Resolved" ? .foreign(name) : nil
    case .array(let inner), .set(let inner), .optional(let inner): return obstacle(inner, depth: depth + 1)
    case .dictionary(let key, let value):
      return obstacle(key, depth: depth + 1) ?? obstacle(value, depth: depth + 1)
    case .failed(let failure): return .failure(failure)
    case .declared(let id):
      switch table[id].kind {
      case .struct, .enum: return nil
      case .class:
        return .text(table[id].isModel ? "only arrays of model classes are relationships" : "a class as a value")
      case .actor, .protocol, .extension: return .text("\(table[id].name) is no value type")
      }
    }
  }

  // MARK: Reasons

  private func unknown(_ member: StoredMember, failure: NameFailure, notes: inout EntityNotes) -> Attribute? {
    switch failure {
    case .ambiguous(let name, let places):
      let list = places.prefix(4).map(\.description).joined(separator: ", ")
      // Several declarations in one file are usually in an `#if`.
      let isOneFile = Set(places.map(\.file)).count == 1
      return unknown(
        member, message: "\(name) is declared more than once: \(list)",
        remedy: isOneFile ? "leave one, or decide its #if with --define" : "give the files that belong together",
        isDoubt: true, notes: &notes
      )
    case .endlessAlias(let name):
      return unknown(member, message: "\(name) is a typealias that leads nowhere", notes: &notes)
    case .generic(let name): return unknown(member, message: "\(name) is generic", notes: &notes)
    case .notNominal(let text): return unknown(member, message: "SwiftData stores no \(text)", notes: &notes)
    }
  }

  private func unknown(
    _ member: StoredMember, message: String, remedy: String? = nil, isDoubt: Bool = false, notes: inout EntityNotes
  ) -> Attribute? {
    notes.reasons.append(
      SourceEntity.Reason(
        property: member.name, type: member.typeText, message, remedy: remedy, isDoubt: isDoubt, place: member.place))
    return nil
  }
}
