import StoreMigration
import StoreDataModel

/// A model's entities while they are being changed.
struct EntityDraft {
  private(set) var entities: [Entity]

  init(_ model: Model) { entities = model.entities }

  /// Changes the entity of that name, if there is one.
  mutating func change(_ name: String, body: (inout Entity) -> Void) {
    guard let place = entities.firstIndex(where: { $0.name == name }) else { return }
    body(&entities[place])
  }

  /// Changes the property of that name, if the entity declares one.
  mutating func change(_ entity: String, property: String, body: (inout Property) -> Void) {
    change(entity) { entity in
      guard let place = entity.properties.firstIndex(where: { $0.name == property }) else { return }
      body(&entity.properties[place])
    }
  }

  /// A model with these entities; nil if they contradict each other.
  func model(like other: Model, versionIdentifiers: [String]? = nil) -> Model? {
    try? Model(
      entities: entities, configurations: other.configurations,
      versionIdentifiers: versionIdentifiers ?? other.versionIdentifiers, fetchRequests: other.fetchRequests,
      keepsFaults: true)
  }
}

/// Determines what stages between two models have to do.
struct StageAdviceMaker {
  let inference: MigrationInference
  var bridge: EntityDraft
  var destination: EntityDraft
  private(set) var before: [StageTask] = []
  private(set) var after: [StageTask] = []
  private(set) var identifiers: [StageAdvice.RenamingIdentifier] = []
  private(set) var unsolved: [ModelChange] = []
  private(set) var needsBridge = false

  init(_ inference: MigrationInference) {
    self.inference = inference
    bridge = EntityDraft(inference.difference.destination)
    destination = EntityDraft(inference.difference.destination)
  }

  private var old: Model { inference.difference.source }
  private var new: Model { inference.difference.destination }

  mutating func make() {
    for (change, effect) in inference.judged where change.entersHash {
      if case .impossible = effect.inference {
        treat(obstacle: change)
      } else {
        for rule in effect.rules { treat(rule, change: change) }
      }
    }
    // A conversion may make values equal, so duplicates are merged after it.
    for (entity, properties) in dedupeAfter { after.append(.dedupe(entity: entity, properties: properties)) }
  }

  // MARK: Changes that cannot be inferred

  private mutating func treat(obstacle change: ModelChange) {
    switch change.kind {
    case .type: convert(change)
    case .propertyKind(from: .attribute, to: .relationship): link(change)
    default: unsolved.append(change)
    }
  }

  /// Solves a type change with a bridge version that has both attributes.
  private mutating func convert(_ change: ModelChange) {
    guard let entity = change.place.destinationEntity, let place = both(change),
      let added = new.entity(named: entity)?.property(named: place.new)
    else {
      unsolved.append(change)
      return
    }
    let name = keepBoth(place, in: entity, added: added)
    after.append(.convert(entity: entity, from: place.old.name, to: name, isRequired: !added.isOptional))
  }

  private mutating func link(_ change: ModelChange) {
    guard let entity = change.place.destinationEntity, let place = both(change),
      let added = new.entity(named: entity)?.property(named: place.new), let relationship = added.relationship,
      !relationship.isToMany
    else {
      unsolved.append(change)
      return
    }
    let name = keepBoth(place, in: entity, added: added)
    if let inverse = relationship.inverse {
      let declarer = new.topmostDeclarer(of: inverse, in: relationship.destination) ?? relationship.destination
      bridge.change(declarer, property: inverse) { property in
        guard var back = property.relationship else { return }
        back.inverse = name
        property.kind = .relationship(back)
      }
    }
    after.append(.link(entity: entity, attribute: place.old.name, relationship: name))
  }

  /// The old property, and the name of the new one.
  private func both(_ change: ModelChange) -> (old: Property, new: String)? {
    guard let entity = change.place.sourceEntity, let property = change.place.sourceProperty,
      let name = change.place.destinationProperty, let was = old.property(property, of: entity)
    else { return nil }
    return (was, name)
  }

  /// Puts the old property and the new one into the bridge, both optional, and returns the name of the new one there.
  private mutating func keepBoth(_ place: (old: Property, new: String), in entity: String, added: Property) -> String {
    needsBridge = true
    let isRenamed = place.old.name != place.new
    let name = isRenamed ? place.new : freeName(place.new + "New", in: entity)
    var (kept, next) = (place.old, added)
    (kept.isOptional, next.isOptional) = (true, true)
    (next.name, next.renamingIdentifier) = (name, nil)
    if var relationship = next.relationship {
      relationship.minimumCount = 0
      next.kind = .relationship(relationship)
    }
    bridge.change(entity) { entity in
      entity.properties.removeAll { $0.name == place.new || $0.name == kept.name }
      entity.properties += [kept, next]
      // The constraint can only hold after the conversion.
      entity.uniquenessConstraints.removeAll { $0.contains(place.new) }
    }
    for constraint in new.entity(named: entity)?.uniquenessConstraints ?? [] where constraint.contains(place.new) {
      dedupeAfter.append((entity, constraint.map { $0 == place.new ? name : $0 }))
    }
    let identifier = isRenamed ? nil : name
    destination.change(entity, property: place.new) { $0.renamingIdentifier = identifier }
    identifiers.append(.init(entity: entity, property: place.new, identifier: identifier))
    return name
  }

  private var dedupeAfter: [(String, [String])] = []

  /// A name that no property has in either version.
  private func freeName(_ base: String, in entity: String) -> String {
    let taken = Set((old.entities + new.entities).flatMap(\.properties).map(\.name))
    var (name, number) = (base, 2)
    while taken.contains(name) {
      name = base + String(number)
      number += 1
    }
    return name
  }

  // MARK: Rows that would block

  private mutating func treat(_ rule: RowRule, change: ModelChange) {
    guard case .blocks(let failure) = rule.consequence else { return }
    switch rule.condition {
    case .noNulls(let entities, let property):
      if let entity = entities.first { add(before: .fill(entity: entity, property: property)) }
    case .noDuplicates(let entity, _, let properties, _):
      if case .constraintAdded(let names) = change.kind, names.count > properties.count {
        distinguish(names, change: change)
      } else {
        add(before: .dedupe(entity: entity, properties: properties))
      }
    case .atMostOneRow:
      if case .constraintAdded(let names) = change.kind { distinguish(names, change: change) }
    case .noRows: fillLater(change, isRelationship: failure == .missingRelationship)
    default: unsolved.append(change)
    }
  }

  private mutating func add(before task: StageTask) { if !before.contains(task) { before.append(task) } }

  /// Makes a newly required property optional in the bridge, to be filled there.
  private mutating func fillLater(_ change: ModelChange, isRelationship: Bool) {
    guard let entity = change.place.destinationEntity, let property = change.place.destinationProperty else { return }
    needsBridge = true
    bridge.change(entity, property: property) { property in
      property.isOptional = true
      guard var relationship = property.relationship else { return }
      relationship.minimumCount = 0
      property.kind = .relationship(relationship)
    }
    after.append(.fill(entity: entity, property: property))
  }

  /// A new attribute with a default is equal in all rows, so the constraint is only added after they got different
  /// values.
  private mutating func distinguish(_ names: [String], change: ModelChange) {
    guard let entity = change.place.destinationEntity,
      let property = names.first(where: {
        old.property($0, of: inference.difference.sourceEntity(of: entity) ?? "") == nil
      })
    else { return }
    needsBridge = true
    bridge.change(entity) { $0.uniquenessConstraints.removeAll { $0 == names } }
    after.append(.distinguish(entity: entity, property: property))
  }
}
