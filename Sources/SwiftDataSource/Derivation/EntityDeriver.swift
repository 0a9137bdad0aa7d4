import StoreWords
import StoreDataModel
import StoreSwiftDataSchemas

/// Derives the entities of one schema's classes.
struct EntityDeriver {
  let table: NameTable
  let typing: AttributeTyping
  /// The class of each entity name.
  let shapes: [String: ClassShape]
  /// Other classes with the same entity name.
  let rivals: [String: [ClassShape]]
  let inverses: Inverses
  let listed: Set<String>

  /// The entity of a class, with its variants.
  func entity(named name: String) -> SourceEntity? {
    guard let shape = shapes[name] else { return nil }
    var notes = EntityNotes()
    let first = reading(of: name, chosen: [:], notes: &notes)
    var entity = SourceEntity(
      className: table[shape.id].qualifiedName, place: table.place(of: shape.id), isListed: listed.contains(name),
      variants: [first])
    entity.propertyPlaces = Dictionary(shape.members.map { ($0.stored.name, $0.stored.place) }) { first, _ in first }
    entity.details = SwiftDataDetails(
      enums: EnumReader(table: table, members: typing.members).enums(of: shape), initialValues: shape.initialValues,
      options: shape.unmodelledOptions, lists: shape.lists)
    entity.unmeasured = notes.unmeasured.sorted()
    entity.reasons = notes.reasons
    entity.assumed = notes.assumed.sorted(by: codeUnitsPrecede)
    if notes.reasons.isEmpty {
      let properties = notes.choices.properties
      expand(&entity, name: name, met: notes.choices.met)
      entity.openProperties = Dictionary(
        uniqueKeysWithValues: entity.openRules.compactMap { rule in
          properties[rule].map { (rule, $0.sorted(by: codeUnitsPrecede)) }
        })
    }
    if !entity.reasons.isEmpty { entity.variants[0].hash = nil }
    return entity
  }

  /// Adds a variant for each combination of alternatives; variants with equal hashes are merged.
  private func expand(_ entity: inout SourceEntity, name: String, met: [ChoiceKey: [String]]) {
    guard !met.isEmpty else { return }
    // An alternative, such as a rival class, may depend on further rules, so all rules are collected first.
    var all = met
    for (key, options) in met where key.rule == .sameEntityName {
      for position in options.indices.dropFirst() {
        var notes = EntityNotes()
        _ = reading(of: name, chosen: [key: position], notes: &notes)
        entity.reasons += notes.reasons
        all.merge(notes.choices.met) { first, _ in first }
      }
    }
    guard entity.reasons.isEmpty else { return }
    guard let combinations = Choices.combinations(of: all, limit: SourceEntity.maximumVariants) else {
      let rules = Set(all.keys.map(\.rule)).sorted().map(\.rawValue).joined(separator: "; ")
      entity.reasons.append(
        SourceEntity.Reason(
          "its open rules make more than \(SourceEntity.maximumVariants) readings: \(rules)", place: entity.place))
      return
    }
    var variants: [SourceEntity.Variant] = []
    for chosen in combinations {
      var notes = EntityNotes()
      let variant = reading(of: name, chosen: chosen, notes: &notes)
      entity.unmeasured = Set(entity.unmeasured).union(notes.unmeasured).sorted()
      if let known = variants.firstIndex(where: { $0.hash == variant.hash }) {
        variants[known].frameworks = variants[known].frameworks.union(variant.frameworks)
      } else {
        variants.append(variant)
      }
    }
    entity.variants = variants
    entity.openRules = openRules(variants, rules: Set(all.keys.map(\.rule)))
  }

  /// The undecided rules. One that makes no difference, or only on old systems, does not count.
  private func openRules(_ variants: [SourceEntity.Variant], rules: Set<OpenRule>) -> [OpenRule] {
    let current = variants.filter(\.frameworks.isCurrent)
    return current.count > 1 ? rules.filter { !$0.leavesDerived }.sorted() : []
  }

  // MARK: One variant

  private func reading(
    of name: String, chosen: [ChoiceKey: Int], notes: inout EntityNotes
  ) -> SourceEntity.Variant {
    notes.choices = Choices(chosen)
    let chain = lineage(of: name)
    var entities: [Entity] = []
    for each in chain { entities.append(make(each, isFirst: each == chain.first, notes: &notes)) }
    let choices = notes.choices.met.keys.sorted().compactMap { key -> String? in
      guard let options = notes.choices.met[key], options.indices.contains(chosen[key] ?? 0) else { return nil }
      return "\(key.rule.rawValue)\(key.detail.isEmpty ? "" : " (\(key.detail))"): \(options[chosen[key] ?? 0])"
    }
    let frameworks = notes.choices.met.keys.reduce(FrameworkRange()) { range, key in
      range.intersection(key.rule.frameworks(ofReading: chosen[key] ?? 0))
    }
    return SourceEntity.Variant(
      choices: choices, frameworks: frameworks, entity: entities[0],
      hash: entities[0].versionHash(ancestors: Array(entities.dropFirst())))
  }

  /// A class and its superclasses that are entities of this schema, nearest first.
  private func lineage(of name: String) -> [String] {
    var chain = [name]
    while let parent = shapes[chain[chain.count - 1]]?.superclass.map({ table[$0].name }), shapes[parent] != nil,
      !chain.contains(parent), chain.count < Model.maximumInheritanceDepth
    {
      chain.append(parent)
    }
    return chain
  }

  private func make(_ name: String, isFirst: Bool, notes: inout EntityNotes) -> Entity {
    let shape = self.shape(of: name, &notes)
    notes.unmeasured.formUnion(shape.unmeasured)
    notes.reasons += shape.reasons
    var entity = Entity(name: name, indexes: shape.indexes)
    entity.uniquenessConstraints = shape.uniqueness
    if let parent = shape.superclass.map({ table[$0].name }), shapes[parent] != nil { entity.parent = parent }
    if hasSubclasses(name) {
      let options = [(name: "not abstract", value: false), (name: "abstract", value: true)]
      entity.isAbstract = notes.choices.pick(ChoiceKey(rule: .inheritance), from: options) ?? false
    }
    for member in shape.members where !member.stored.name.isEmpty {
      notes.choices.property = member.stored.name
      entity.properties.append(property(member, of: name, notes: &notes))
    }
    notes.choices.property = nil
    refuseTwice(&entity, shape: shape, notes: &notes)
    entity.properties.sort { codeUnitsPrecede($0.name, $1.name) }
    return entity
  }

  private func shape(of name: String, _ notes: inout EntityNotes) -> ClassShape {
    let own = shapes[name] ?? ClassShape(id: TypeID(number: 0), name: name)
    guard let others = rivals[name], !others.isEmpty else { return own }
    let options = ([own] + others).map { (name: table[$0.id].qualifiedName, value: $0) }
    return notes.choices.pick(ChoiceKey(rule: .sameEntityName, detail: name), from: options) ?? own
  }

  private func hasSubclasses(_ name: String) -> Bool {
    shapes.values.contains { $0.superclass.map { table[$0].name } == name && $0.name != name }
  }

  /// Keeps the first property of each name, since a model cannot have two.
  private func refuseTwice(_ entity: inout Entity, shape: ClassShape, notes: inout EntityNotes) {
    var names: Set<String> = []
    entity.properties.removeAll { property in
      guard !names.insert(property.name).inserted else { return false }
      notes.reasons.append(
        SourceEntity.Reason(property: property.name, "it is declared twice", place: table.place(of: shape.id)))
      return true
    }
  }

  // MARK: Properties

  private func property(_ member: ModelMember, of entity: String, notes: inout EntityNotes) -> Property {
    let original = member.options.originalName
    var property = Property(
      name: member.stored.name, isOptional: member.stored.isOptional, isTransient: member.options.isEphemeral,
      versionHashModifier: member.options.hashModifier,
      renamingIdentifier: original == member.stored.name ? nil : original,
      kind: .attribute(Attribute(type: .undefined)))
    if let relationship = member.relationship {
      property.kind = .relationship(self.relationship(relationship, of: member, of: entity, notes: &notes))
    } else if var attribute = attribute(of: member, &notes) {
      attribute.allowsExternalStorage = member.options.allowsExternalStorage
      attribute.preservesValueInHistory = member.options.preservesValue
      attribute.defaultValue = DefaultValue(
        initialValue(of: member.stored), of: attribute.type, typeText: member.stored.typeText)
      property.kind = .attribute(attribute)
    }
    return property
  }

  /// The initial value; for a constant of the source, `Schema1.start`, the literal that it is.
  private func initialValue(of member: StoredMember) -> SourceExpression? {
    let own = member.variable.initialValue
    guard var found = own.map({ (value: $0, scope: member.scope) }) else { return nil }
    for _ in 0..<Self.maximumSteps {
      switch found.value.kind {
      case .integer, .real, .string, .boolean: return found.value
      case .name, .member:
        guard let next = ValueLookup(table: table).value(found.value, in: found.scope) else { return own }
        found = next
      default: return own
      }
    }
    return own
  }

  private static let maximumSteps = 16

  private func attribute(of member: ModelMember, _ notes: inout EntityNotes) -> Attribute? {
    if let transformer = member.options.transformer {
      return Attribute(type: .transformable, valueTransformerName: transformer.isEmpty ? nil : transformer)
    }
    return member.stored.type.flatMap { typing.attribute($0, of: member.stored, notes: &notes) }
  }

  /// A to-one has minimum 0 and maximum 1, a to-many minimum 0 and maximum 0; neither is ordered.
  private func relationship(
    _ draft: RelationshipDraft, of member: ModelMember, of entity: String, notes: inout EntityNotes
  ) -> Relationship {
    let end = RelationshipEnd(entity: entity, property: member.stored.name)
    var inverse = inverses.certain[end]
    if let (key, options) = inverses.open[end] { inverse = notes.choices.pick(key, from: options) ?? nil }
    if let rule = inverses.unmeasured[end] { notes.unmeasured.insert(rule) }
    if let problem = inverses.problems[end] {
      notes.reasons.append(
        SourceEntity.Reason(property: member.stored.name, problem, place: member.stored.place))
    }
    return Relationship(
      destination: table[draft.target].name, inverse: inverse, minimumCount: draft.minimumCount ?? 0,
      maximumCount: draft.maximumCount ?? (draft.isToMany ? 0 : 1), deleteRule: draft.deleteRule)
  }
}
