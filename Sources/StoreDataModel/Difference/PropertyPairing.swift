import StoreWords
/// Pairs the properties of two models where they are declared, and finds those that moved within the inheritance.
struct PropertyPairing {
  let source: Model
  let destination: Model
  let entities: NameMatch
  /// The changes found, by place.
  private(set) var changes: [(place: ModelChange.Place, kinds: [ModelChange.Kind])] = []
  /// For each entity of the destination, the properties that it did not have in the source.
  private(set) var added: [String: [Property]] = [:]
  /// For each entity of the source, the properties that it no longer has in the destination.
  private(set) var removed: [String: [Property]] = [:]
  /// Properties that are not paired, because the renaming identifier names the version between.
  private(set) var versionsBetween: [ModelChange.Place] = []

  private let matcher: PropertyMatcher
  /// Declarations that a property moved to or from; they are neither additions nor removals.
  private var arrived: Set<Declaration> = []
  private var departed: Set<Declaration> = []

  private struct Declaration: Hashable { var entity, property: String }

  init(source: Model, destination: Model, entities: NameMatch) {
    self.source = source
    self.destination = destination
    self.entities = entities
    matcher = PropertyMatcher(source: source, destination: destination, entities: entities)
  }

  mutating func pair() {
    let below = (old: source.descendants, new: destination.descendants)
    for entity in destination.entities { pairOwn(of: entity) }
    for entity in source.entities where entities.destinations[entity.name] == nil {
      removed[entity.name] = entity.properties
    }
    for (entity, properties) in removed.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) where !properties.isEmpty {
      let futures =
        entities.destinations[entity].map { [$0] } ?? names(below.old[entity], others: entities.destinations)
      removed[entity] = unmoved(up: properties, of: entity, to: futures)
    }
    for (entity, properties) in added.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) where !properties.isEmpty {
      let pasts = entities.sources[entity].map { [$0] } ?? names(below.new[entity], others: entities.sources)
      added[entity] = unmoved(down: properties, of: entity, from: pasts)
    }
    keepWhatConcernsRows(below.old, below.new)
    noteAdditionsAndRemovals()
  }

  // MARK: Steps

  /// Pairs the properties an entity declares on both sides; the others go to `added` and `removed`.
  private mutating func pairOwn(of new: Entity) {
    guard let old = entities.sources[new.name].flatMap(source.entity(named:)) else {
      added[new.name] = new.properties
      return
    }
    guard !pairByNames(old, new) else { return }
    let match = matcher.declared(old, new)
    versionsBetween += match.versionsBetween.map { name, past in
      .init(sourceEntity: old.name, sourceProperty: past, destinationEntity: new.name, destinationProperty: name)
    }
    let byName = Dictionary(old.properties.map { ($0.name, $0) }) { first, _ in first }
    for property in new.properties {
      guard let before = match.sources[property.name].flatMap({ byName[$0] }) else { continue }
      note(property.changes(since: before), from: before, of: old.name, to: property, of: new.name)
    }
    added[new.name] = new.properties.filter { match.sources[$0.name] == nil }
    removed[old.name] = old.properties.filter { match.destinations[$0.name] == nil }
  }

  /// Pairs equal names in one pass through two sorted lists, where nothing was renamed: so it is with most entities.
  ///
  /// - Returns: false if names alone do not decide; then nothing was noted.
  private mutating func pairByNames(_ old: Entity, _ new: Entity) -> Bool {
    guard !old.properties.contains(where: \.matchableName.isRenamed),
      !new.properties.contains(where: \.matchableName.isRenamed)
    else { return false }
    var (gone, come, changed): ([Property], [Property], [(old: Int, new: Int)]) = ([], [], [])
    var (left, right) = (old.properties.startIndex, new.properties.startIndex)
    while left < old.properties.endIndex, right < new.properties.endIndex {
      let (before, after) = (old.properties[left], new.properties[right])
      if before.name == after.name {
        if before != after || before.userInfo != after.userInfo { changed.append((left, right)) }
        (left, right) = (left + 1, right + 1)
      } else if codeUnitsPrecede(before.name, after.name) {
        gone.append(before)
        left += 1
      } else {
        come.append(after)
        right += 1
      }
    }
    gone += old.properties[left...]
    come += new.properties[right...]
    // A to-many relationship may be another's that goes, and equal names may have other code units.
    guard gone.isEmpty || come.allSatisfy({ $0.relationship?.isToMany != true }),
      gone.isEmpty || come.isEmpty || (gone + come).allSatisfy({ $0.name.utf8.allSatisfy { $0 < 128 } })
    else { return false }
    for (before, after) in changed {
      let (before, after) = (old.properties[before], new.properties[after])
      note(after.changes(since: before), from: before, of: old.name, to: after, of: new.name)
    }
    (added[new.name], removed[old.name]) = (come, gone)
    return true
  }

  private func names(_ list: [String]?, others: [String: String]) -> [String] {
    (list ?? []).compactMap { others[$0] }
  }

  /// From the properties an entity lost, those that no ancestor declares now; the others moved up.
  private mutating func unmoved(up properties: [Property], of entity: String, to futures: [String]) -> [Property] {
    let indexes = futures.map { AncestorIndex(destination, $0) }
    let inherited = AncestorIndex(source, entity)
    return properties.filter { property in
      guard let (ancestor, found) = indexes.lazy.compactMap({ $0.destination(of: property) }).first else { return true }
      let movement = inherited.contains(property.name) ? ModelChange.Movement.redeclarationRemoved : .up
      note(
        [.moved(found.kindName, movement)] + found.changes(since: property), from: property, of: entity, to: found,
        of: ancestor)
      arrived.insert(Declaration(entity: ancestor, property: found.name))
      return false
    }
  }

  /// From the properties an entity gained, those that no ancestor declared before; the others moved down.
  private mutating func unmoved(down properties: [Property], of entity: String, from pasts: [String]) -> [Property] {
    let indexes = pasts.map { AncestorIndex(source, $0) }
    let inherited = AncestorIndex(destination, entity)
    return properties.filter { property in
      guard let (ancestor, found) = indexes.lazy.compactMap({ $0.source(of: property) }).first else { return true }
      let movement = inherited.contains(property.name) ? ModelChange.Movement.redeclared : .down
      note(
        [.moved(property.kindName, movement)] + property.changes(since: found), from: found, of: ancestor, to: property,
        of: entity)
      departed.insert(Declaration(entity: ancestor, property: found.name))
      return false
    }
  }

  /// Properties of a new or removed entity are only reported separately if subentities have rows that gain or lose
  /// them.
  private mutating func keepWhatConcernsRows(_ belowOld: [String: [String]], _ belowNew: [String: [String]]) {
    for entity in Array(added.keys) {
      let concernsRows = ([entity] + (belowNew[entity] ?? [])).contains { entities.sources[$0] != nil }
      added[entity]?.removeAll { !concernsRows || arrived.contains(Declaration(entity: entity, property: $0.name)) }
    }
    for entity in Array(removed.keys) {
      let concernsRows = ([entity] + (belowOld[entity] ?? [])).contains { entities.destinations[$0] != nil }
      removed[entity]?.removeAll { !concernsRows || departed.contains(Declaration(entity: entity, property: $0.name)) }
    }
  }

  private mutating func noteAdditionsAndRemovals() {
    for (entity, properties) in added.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      for property in properties {
        let place = ModelChange.Place(
          sourceEntity: entities.sources[entity], destinationEntity: entity, destinationProperty: property.name)
        changes.append((place, [.added(property.kindName)]))
      }
    }
    for (entity, properties) in removed.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      for property in properties {
        let place = ModelChange.Place(
          sourceEntity: entity, sourceProperty: property.name, destinationEntity: entities.destinations[entity])
        changes.append((place, [.removed(property.kindName)]))
      }
    }
  }

  private mutating func note(
    _ kinds: [ModelChange.Kind], from old: Property, of oldEntity: String, to new: Property, of newEntity: String
  ) {
    let place = ModelChange.Place(
      sourceEntity: oldEntity, sourceProperty: old.name, destinationEntity: newEntity, destinationProperty: new.name)
    let renamed: [ModelChange.Kind] = old.name == new.name ? [] : [.renamed(new.kindName)]
    changes.append((place, renamed + kinds))
  }
}
