import StoreDataModel

/// What lightweight migration makes of a change, as functions of the change.
struct EffectRules {
  let difference: ModelDifference
  /// For each entity of the destination itself and what is below it.
  private let families: [String: [String]]
  /// The same for the source.
  private let sourceFamilies: [String: [String]]
  /// For each entity of the destination the names its properties had in the source.
  let pasts: [String: [String: String]]
  /// For each entity of the destination the entities of the store whose rows are its rows, subentities included.
  private let rows: [String: [String]]
  /// New entities that bring together what had different roots.
  private let mergers: Set<String>

  init(_ difference: ModelDifference) {
    self.difference = difference
    families = Self.families(of: difference.destination)
    sourceFamilies = Self.families(of: difference.source)
    pasts = Dictionary(
      difference.destination.entities.map { ($0.name, difference.sourceProperties(of: $0.name)) }
    ) { first, _ in first }
    let rows = families.mapValues { $0.compactMap(difference.sourceEntity) }
    self.rows = rows
    let sourceRoots = Dictionary(grouping: difference.source.entities) {
      difference.source.root(of: $0.name)?.name ?? ""
    }
    .flatMap { root, members in members.map { ($0.name, root) } }
    let roots = Dictionary(sourceRoots) { first, _ in first }
    mergers = Set(
      rows.filter { entity, past in
        difference.sourceEntity(of: entity) == nil && Set(past.map { roots[$0] ?? "" }).count > 1
      }.keys)
  }

  private static func families(of model: Model) -> [String: [String]] {
    model.entities.reduce(into: [:]) { families, entity in
      for member in [entity] + model.ancestors(of: entity.name) {
        families[member.name, default: []].append(entity.name)
      }
    }
  }

  func effect(of change: ModelChange) -> Effect {
    let effect = rawEffect(of: change)
    guard !change.entersHash else { return effect }
    // Of a kind that is hashed, but nothing moved: nothing happens to the rows.
    return effect.inference == .notNeeded ? effect : unmoved(change)
  }

  private func unmoved(_ change: ModelChange) -> Effect {
    let isComposite = [sourceProperty(of: change), destinationProperty(of: change)].contains {
      $0?.attribute?.elements != nil
    }
    switch change.kind {
    case .renamed, .added, .removed:
      // The name of a composite is not hashed: a store opens in which its elements have another path.
      if isComposite { return .unhashed(.d, "the elements are read under the new name") }
    default: break
    }
    return .unhashed(.a, "nothing changes")
  }

  private func rawEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .versionIdentifiers, .configurationAdded, .configurationRemoved, .configurationMembers, .fetchRequestAdded,
      .fetchRequestRemoved, .fetchRequestChanged, .userInfo, .renamingIdentifier, .fetchedRequest, .className,
      .deleteRule, .locationComponents:
      .unhashed(.a, "unchanged")
    case .indexAdded, .indexRemoved, .indexChanged, .compoundIndexes, .indexedMark:
      .unhashed(.b, "unchanged; the store keeps the indexes it has until a migration runs")
    case .defaultValue: .unhashed(.a, "unchanged; old rows keep the value they have")
    case .validation: validation(change)
    case .valueClass, .valueTransformer: transformer(change)
    case .entityAdded, .entityRemoved, .entityRenamed, .parent, .abstract, .entityModifier, .constraintAdded,
      .constraintRemoved, .constraintChanged:
      entityEffect(of: change)
    case .added, .removed, .renamed, .moved, .propertyKind, .optional, .transient, .readOnly, .propertyModifier:
      propertyEffect(of: change)
    case .type, .externalStorage, .preservesValueInHistory, .derivation, .elements: attributeEffect(of: change)
    case .destination, .inverse, .maximumCount, .minimumCount, .ordered: relationshipEffect(of: change)
    }
  }

  // MARK: Changes that are not hashed but touch values

  private func validation(_ change: ModelChange) -> Effect {
    guard let place = stored(change), let attribute = destinationProperty(of: change)?.attribute else {
      return .unhashed(.a, "unchanged")
    }
    return .unhashed(
      .a, "unchanged; values beyond the bounds fail at their next save",
      .risk(
        .valid(place.entities, property: place.property, .init(attribute: attribute)), met: .a, violated: .a,
        codeAtSave: attribute.type == .string ? 1660 : 1610, "beyond the new bounds"))
  }

  private func transformer(_ change: ModelChange) -> Effect {
    guard let place = stored(change) else { return .unhashed(.a, "unchanged") }
    return .unhashed(
      .b, "unchanged; reading fails later if the bytes do not suit the new transformer or class",
      .risk(
        .noValues(place.entities, property: place.property), met: .b, violated: .b,
        "the bytes may not suit the new transformer"))
  }

  // MARK: Places

  /// The names in the source of what an entity of the destination has, inherited properties included.
  func past(of destinationEntity: String) -> [String: String] { pasts[destinationEntity] ?? [:] }

  func destinationProperty(of change: ModelChange) -> Property? {
    guard let entity = change.place.destinationEntity, let property = change.place.destinationProperty else {
      return nil
    }
    return difference.destination.property(property, of: entity)
  }

  func sourceProperty(of change: ModelChange) -> Property? {
    guard let entity = change.place.sourceEntity, let property = change.place.sourceProperty else { return nil }
    return difference.source.property(property, of: entity)
  }

  /// The property in the store, and the entities of the store whose rows carry it into the destination's.
  func stored(_ change: ModelChange) -> (entities: [String], property: String)? {
    guard let property = change.place.sourceProperty, let entity = change.place.destinationEntity else { return nil }
    let family = families[entity, default: []].filter {
      past(of: $0)[change.place.destinationProperty ?? ""] == property
    }
    return (family.compactMap(difference.sourceEntity), property)
  }

  /// The entities of the store whose rows are rows of a destination entity, subentities included.
  func rows(of destinationEntity: String) -> [String] { rows[destinationEntity] ?? [] }

  /// Two existing roots under one new parent cannot be inferred, by Apple's guide.
  func mergesHierarchies(_ destinationEntity: String) -> Bool {
    difference.destination.ancestors(of: destinationEntity).contains { mergers.contains($0.name) }
  }

  /// Of those, the ones that had no such property.
  func rowsWithout(_ property: String, of destinationEntity: String) -> [String] {
    families[destinationEntity, default: []].filter { past(of: $0)[property] == nil }
      .compactMap(difference.sourceEntity)
  }

  /// The entities of the store that have a property of `entity`'s, keep their rows, and lose what they hold in it.
  func rowsLosing(_ property: String, of entity: String) -> [String] {
    sourceFamilies[entity, default: []].filter { name in
      guard difference.source.entity(named: name)?.isAbstract == false,
        let new = difference.destinationEntity(of: name)
      else { return false }
      return !past(of: new).values.contains(property)
    }
  }
}
