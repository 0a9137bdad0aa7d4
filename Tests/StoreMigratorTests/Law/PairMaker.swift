import StoreDataModel
import TestSupport

/// Makes random models, and random changes of them of every kind that a developer makes between two versions.
struct PairMaker {
  private var count = 0

  /// Two models of which the second is a change of the first.
  mutating func pair(_ random: inout SeededGenerator) throws -> (old: Model, new: Model) {
    let old = try model(&random)
    var entities = old.entities
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      var changed = entities
      change(&changed, &random)
      // What contradicts itself is no model; the change is left out then.
      if (try? Model(entities: changed)) != nil { entities = changed }
    }
    return (old, try Model(entities: entities))
  }

  private mutating func next(_ prefix: String) -> String {
    count += 1
    return prefix + String(count)
  }

  private mutating func model(_ random: inout SeededGenerator) throws -> Model {
    var entities: [Entity] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      var entity = Entity(name: next(pick(["E", "A", "Z"], &random)))
      if !entities.isEmpty, chance(3, &random) { entity.parent = pick(entities, &random).name }
      for _ in 0..<Int.random(in: 0...3, using: &random) { entity.properties.append(attribute(&random)) }
      if chance(8, &random) { entity.isAbstract = true }
      entities.append(entity)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) { relate(&entities, &random) }
    return try Model(entities: entities)
  }

  private func chance(_ most: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<most, using: &random) == 0
  }

  private func pick<Item>(_ items: [Item], _ random: inout SeededGenerator) -> Item {
    items[Int.random(in: 0..<items.count, using: &random)]
  }

  private static let types: [AttributeType] = [
    .string, .integer16, .integer32, .integer64, .double, .boolean, .date, .uuid, .binary, .decimal,
  ]

  private mutating func attribute(_ random: inout SeededGenerator) -> Property {
    var attribute = Attribute(type: pick(Self.types, &random))
    if chance(3, &random) { attribute.defaultValue = Self.value(attribute.type) }
    return Property(
      name: next(pick(["p", "b", "y"], &random)), isOptional: chance(2, &random), kind: .attribute(attribute))
  }

  private static func value(_ type: AttributeType) -> DefaultValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(3)
    case .string: .string("it's")
    case .double: .real(0.5)
    case .boolean: .boolean(true)
    default: nil
    }
  }

  private mutating func relate(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let (one, other) = (
      Int.random(in: 0..<entities.count, using: &random), Int.random(in: 0..<entities.count, using: &random)
    )
    let (name, inverse) = (next(pick(["r", "a"], &random)), next(pick(["r", "z"], &random)))
    func property(_ name: String, to destination: Int, inverse: String?, isToMany: Bool, isRequired: Bool) -> Property {
      Property(
        name: name, isOptional: !isRequired,
        kind: .relationship(
          Relationship(
            destination: entities[destination].name, inverse: inverse, maximumCount: isToMany ? 0 : 1)))
    }
    let kind = Int.random(in: 0..<8, using: &random)
    let isRequired = chance(4, &random)
    switch kind {
    case 0:
      entities[one].properties.append(
        property(name, to: other, inverse: nil, isToMany: false, isRequired: isRequired))
    default:
      // One to one, one to many, many to many.
      entities[one].properties.append(
        property(name, to: other, inverse: inverse, isToMany: kind > 2, isRequired: isRequired))
      entities[other].properties.append(
        property(inverse, to: one, inverse: name, isToMany: kind > 5, isRequired: false))
    }
  }

  // MARK: Changes

  private mutating func change(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<entities.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1, 2: entities[place].properties.append(attribute(&random))
    case 3:
      changeAttribute(place, &entities, &random) { entity, position, _, _ in entity.properties.remove(at: position) }
    case 4, 5: renameProperty(place, &entities, &random)
    case 6:
      changeAttribute(place, &entities, &random) { entity, position, _, _ in
        entity.properties[position].isOptional.toggle()
      }
    case 7:
      changeAttribute(place, &entities, &random) { entity, position, maker, random in
        guard var attribute = entity.properties[position].attribute else { return }
        attribute.type = maker.pick(Self.types, &random)
        attribute.defaultValue = nil
        entity.properties[position].kind = .attribute(attribute)
      }
    case 8: relate(&entities, &random)
    case 9: renameToMany(&entities, &random)
    case 10: changeCount(&entities, &random)
    case 11:
      let names = entities[place].properties.filter { $0.attribute.map { $0.type != .binary } ?? false }.map(\.name)
      if !names.isEmpty { entities[place].uniquenessConstraints.append([pick(names, &random)]) }
    case 12: entities[place].isAbstract.toggle()
    case 13:
      if chance(2, &random) {
        entities[place].parent = nil
      } else {
        entities.append(Entity(name: next("B"), properties: chance(2, &random) ? [attribute(&random)] : []))
        entities[place].parent = entities.last?.name
      }
    case 14: moveProperty(place, &entities, &random)
    case 15: renameEntity(place, &entities, &random)
    case 16:
      entities[place].properties.append(
        Property(
          name: next("d"), isOptional: true, isReadOnly: true,
          kind: .attribute(Attribute(type: .date, derivation: Derivation(expression: .text("now()"))))))
    case 17: changeInverse(&entities, &random)
    default: remove(place, &entities)
    }
  }

  private mutating func changeAttribute(
    _ place: Int, _ entities: inout [Entity], _ random: inout SeededGenerator,
    body: (inout Entity, Int, PairMaker, inout SeededGenerator) -> Void
  ) {
    let positions = entities[place].properties.indices.filter { position in
      entities[place].properties[position].attribute.map { $0.derivation == nil } ?? false
    }
    guard !positions.isEmpty else { return }
    body(&entities[place], pick(positions, &random), self, &random)
    let names = Set(entities[place].properties.map(\.name))
    entities[place].uniquenessConstraints.removeAll { !names.isSuperset(of: $0) }
  }

  /// With the oldest name as identifier, the last name, no identifier, or one that names nothing.
  private mutating func renameProperty(_ place: Int, _ entities: inout [Entity], _ random: inout SeededGenerator) {
    let name = next("n")
    changeAttribute(place, &entities, &random) { entity, position, maker, random in
      let old = entity.properties[position]
      let identifier: String? =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: nil
        case 1: old.name
        default: old.renamingIdentifier ?? old.name
        }
      if maker.chance(8, &random) {
        entity.properties[position].renamingIdentifier = name
      } else {
        entity.properties[position].name = name
        entity.properties[position].renamingIdentifier = identifier
        entity.uniquenessConstraints = entity.uniquenessConstraints.map { $0.map { $0 == old.name ? name : $0 } }
      }
    }
  }

  private typealias Side = (entity: Int, property: Int)

  private func sides(_ entities: [Entity], where isWanted: (Relationship) -> Bool) -> [Side] {
    entities.indices.flatMap { entity in
      entities[entity].properties.indices.filter { entities[entity].properties[$0].relationship.map(isWanted) ?? false }
        .map { (entity, $0) }
    }
  }

  private func other(of side: Side, _ entities: [Entity]) -> Side? {
    guard let relationship = entities[side.entity].properties[side.property].relationship,
      let inverse = relationship.inverse,
      let entity = entities.firstIndex(where: { $0.name == relationship.destination }),
      let property = entities[entity].properties.firstIndex(where: { $0.name == inverse })
    else { return nil }
    return (entity, property)
  }

  private func change(_ side: Side, _ entities: inout [Entity], body: (inout Relationship) -> Void) {
    guard var relationship = entities[side.entity].properties[side.property].relationship else { return }
    body(&relationship)
    entities[side.entity].properties[side.property].kind = .relationship(relationship)
  }

  private mutating func renameToMany(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let sides = sides(entities) { $0.isToMany && $0.inverse != nil }
    guard !sides.isEmpty else { return }
    let side = pick(sides, &random)
    let old = entities[side.entity].properties[side.property].name
    let name = next("m")
    guard let other = other(of: side, entities) else { return }
    entities[side.entity].properties[side.property].name = name
    entities[side.entity].properties[side.property].renamingIdentifier = chance(2, &random) ? old : nil
    change(other, &entities) { $0.inverse = name }
  }

  private mutating func changeCount(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let sides = sides(entities) { _ in true }
    guard !sides.isEmpty else { return }
    change(pick(sides, &random), &entities) { $0.maximumCount = $0.isToMany ? 1 : 0 }
  }

  /// Takes one side's inverse away, which goes or stays for itself, and gives it a new one or none.
  private mutating func changeInverse(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let sides = sides(entities) { $0.inverse != nil }
    guard !sides.isEmpty else { return }
    let side = pick(sides, &random)
    guard let other = other(of: side, entities), other != side else { return }
    let own = entities[side.entity].properties[side.property].name
    let name = chance(2, &random) ? next("v") : nil
    change(side, &entities) { $0.inverse = name }
    var former = entities[other.entity].properties[other.property]
    if chance(2, &random) {
      change(other, &entities) { $0.inverse = nil }
    } else {
      entities[other.entity].properties.remove(at: other.property)
    }
    guard let name, var relationship = former.relationship else { return }
    (former.name, former.renamingIdentifier) = (name, nil)
    relationship.inverse = own
    relationship.maximumCount = chance(2, &random) ? 0 : 1
    former.kind = .relationship(relationship)
    entities[other.entity].properties.append(former)
  }

  private mutating func moveProperty(_ place: Int, _ entities: inout [Entity], _ random: inout SeededGenerator) {
    guard let parent = entities[place].parent.flatMap({ name in entities.firstIndex { $0.name == name } }) else {
      return
    }
    let (from, to) = chance(2, &random) ? (place, parent) : (parent, place)
    guard let position = entities[from].properties.firstIndex(where: { $0.attribute != nil }) else { return }
    let property = entities[from].properties.remove(at: position)
    entities[from].uniquenessConstraints.removeAll { $0.contains(property.name) }
    if !entities[to].properties.contains(where: { $0.name == property.name }) {
      entities[to].properties.append(property)
    }
  }

  private mutating func renameEntity(_ place: Int, _ entities: inout [Entity], _ random: inout SeededGenerator) {
    let old = entities[place].name
    let name = next("R")
    entities[place].renamingIdentifier = chance(4, &random) ? nil : entities[place].renamingIdentifier ?? old
    entities[place].name = name
    for position in entities.indices {
      if entities[position].parent == old { entities[position].parent = name }
      for property in entities[position].properties.indices {
        change((position, property), &entities) { if $0.destination == old { $0.destination = name } }
      }
    }
  }

  /// Removes an entity that nothing leads to and nothing inherits from.
  private func remove(_ place: Int, _ entities: inout [Entity]) {
    let name = entities[place].name
    let isUsed = entities.contains { entity in
      entity.parent == name || entity.properties.contains { $0.relationship?.destination == name }
    }
    guard !isUsed, entities.count > 1, !entities[place].properties.contains(where: { $0.relationship != nil }) else {
      return
    }
    entities.remove(at: place)
  }
}

/// Two models under other names, in another order, with more in them: nothing that is said of a migration between them may
/// change.
struct OtherNames {
  private let prefixes: [String]
  /// The entities that get a property more. One that comes or goes, or gets another parent, would look more like others
  /// for it, or have one property more that moves.
  private let widened: Set<String>

  init(_ old: Model, _ new: Model, _ random: inout SeededGenerator) {
    prefixes = ["zz", "aa", "Mm", "k"].shuffled(using: &random)
    let roots = [old, new].map { model in Set(model.entities.filter { $0.parent == nil }.map(\.name)) }
    widened = roots[0].intersection(roots[1]).filter { root in
      let families = [old, new].map { model in
        Set(model.entities.map(\.name).filter { model.entity($0, isKindOf: root) })
      }
      return families[0] == families[1]
    }
  }

  func property(_ name: String) -> String { prefixes[name.utf8.reduce(0) { $0 + Int($1) } % prefixes.count] + name }

  func model(_ model: Model) throws -> Model {
    try Model(
      entities: model.entities.reversed().map { old in
        var entity = old
        entity.properties = old.properties.reversed().map(renamed)
        entity.uniquenessConstraints = old.uniquenessConstraints.map { $0.map(property) }
        if widened.contains(old.name) {
          entity.properties.append(
            Property(name: "unrelated", isOptional: true, kind: .attribute(Attribute(type: .string))))
        }
        return entity
      })
  }

  private func renamed(_ old: Property) -> Property {
    var new = old
    new.name = property(old.name)
    new.renamingIdentifier = old.renamingIdentifier.map(property)
    if var relationship = old.relationship {
      relationship.inverse = relationship.inverse.map(property)
      new.kind = .relationship(relationship)
    }
    return new
  }
}
