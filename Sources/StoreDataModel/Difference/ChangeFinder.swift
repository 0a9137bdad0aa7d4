import StoreWords
/// Finds the changes between two models whose entities have been paired.
struct ChangeFinder {
  let source: Model
  let destination: Model
  let entities: NameMatch
  private let hashes: HashDifferences
  private let forms: SourceForms
  private(set) var changes: [ModelChange] = []
  private(set) var likelyRenames: [LikelyRename] = []

  init(source: Model, destination: Model, entities: NameMatch) {
    self.source = source
    self.destination = destination
    self.entities = entities
    hashes = HashDifferences(source, destination)
    forms = SourceForms(source, destination)
  }

  mutating func find() {
    for entity in destination.entities {
      if let old = entities.sources[entity.name].flatMap(source.entity(named:)) {
        note(entityChanges(from: old, to: entity), at: Place(sourceEntity: old.name, destinationEntity: entity.name))
      } else {
        note([.entityAdded], at: Place(destinationEntity: entity.name))
      }
    }
    for entity in source.entities where entities.destinations[entity.name] == nil {
      note([.entityRemoved], at: Place(sourceEntity: entity.name))
    }
    var properties = PropertyPairing(source: source, destination: destination, entities: entities)
    properties.pair()
    for (place, kinds) in properties.changes { note(kinds, at: place) }
    likelyRenames = findLikelyRenames(
      added: properties.added, removed: properties.removed, between: properties.versionsBetween)
    changes = Self.inOrder(changes) + modelChanges()
  }

  private typealias Place = ModelChange.Place

  private mutating func note(_ kinds: [ModelChange.Kind], at place: ModelChange.Place) {
    guard !kinds.isEmpty else { return }
    let reaches = hashes.reach(place)
    changes += kinds.map {
      ModelChange(
        place: place, kind: $0, entersHash: (reaches || isCarriedAlong($0, at: place)) && $0.isHashed,
        isOfForm: !$0.isHashed && forms.isOfForm($0, at: place),
        unpairs: unpairs($0, at: place))
    }
  }

  /// Whether two equal names have other canonical names, in models between which a migration runs.
  private func unpairs(_ kind: ModelChange.Kind, at place: ModelChange.Place) -> Bool {
    guard case .renamingIdentifier(let old, let new) = kind, !hashes.entities.isEmpty else { return false }
    let name = place.property ?? place.entity
    return (old ?? name) != (new ?? name)
  }

  /// Whether a change of names alone, which no hash shows, takes effect because another change makes a migration run: two
  /// properties exchange their names, or one takes the name of another that goes.
  private func isCarriedAlong(_ kind: ModelChange.Kind, at place: ModelChange.Place) -> Bool {
    guard !hashes.entities.isEmpty else { return false }
    switch kind {
    case .added, .removed, .renamed:
      let old = [place.sourceProperty, place.destinationProperty].contains { name in
        isStored(name, of: place.sourceEntity, in: source)
      }
      return old
        && [place.sourceProperty, place.destinationProperty].contains { name in
          isStored(name, of: place.destinationEntity, in: destination)
        }
    default: return false
    }
  }

  /// Whether a model has a property that is stored under its own name; of a composite only the elements are.
  private func isStored(_ name: String?, of entity: String?, in model: Model) -> Bool {
    guard let name, let entity, let property = model.property(name, of: entity), !property.isTransient else {
      return false
    }
    return property.relationship != nil || property.attribute.map { $0.elements == nil } ?? false
  }

  /// By entity, first those of the entity itself, then by property; changes at one place keep their order.
  private static func inOrder(_ changes: [ModelChange]) -> [ModelChange] {
    let keyed = changes.enumerated().map { position, change in
      (entity: change.place.entity ?? "", property: change.place.property ?? "", position: position)
    }
    return keyed.sorted { left, right in
      if left.entity != right.entity { return codeUnitsPrecede(left.entity, right.entity) }
      if left.property != right.property { return codeUnitsPrecede(left.property, right.property) }
      return left.position < right.position
    }.map { changes[$0.position] }
  }

  // MARK: The model as a whole

  private func modelChanges() -> [ModelChange] {
    var kinds: [ModelChange.Kind] = []
    if source.versionIdentifiers != destination.versionIdentifiers {
      kinds.append(.versionIdentifiers(from: source.versionIdentifiers, to: destination.versionIdentifiers))
    }
    for name in Self.names(source.configurations.keys, destination.configurations.keys) {
      switch (source.configurations[name], destination.configurations[name]) {
      case (nil, _?): kinds.append(.configurationAdded(name))
      case (_?, nil): kinds.append(.configurationRemoved(name))
      case (let old?, let new?) where Set(old) != Set(new):
        let (oldSet, newSet) = (Set(old), Set(new))
        kinds.append(
          .configurationMembers(
            name, added: Self.names(newSet.subtracting(oldSet)), removed: Self.names(oldSet.subtracting(newSet))))
      case (_, _): break
      }
    }
    return (kinds + fetchRequestChanges()).map { ModelChange(place: Place(), kind: $0, entersHash: false) }
  }

  private func fetchRequestChanges() -> [ModelChange.Kind] {
    let old = Dictionary(grouping: source.fetchRequests, by: \.name)
    let new = Dictionary(grouping: destination.fetchRequests, by: \.name)
    return Self.names(old.keys, new.keys).compactMap { name in
      switch (old[name], new[name]) {
      case (nil, _): .fetchRequestAdded(name)
      case (_, nil): .fetchRequestRemoved(name)
      case (let old?, let new?): old == new ? nil : .fetchRequestChanged(name)
      }
    }
  }

  /// All names once, sorted.
  static func names(_ lists: any Collection<String>...) -> [String] {
    Set(lists.flatMap { Array($0) }).sorted(by: codeUnitsPrecede)
  }
}
