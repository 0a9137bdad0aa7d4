import StoreDataModel

/// Determines the effect of lightweight migration on each change.
struct EffectRules {
  let difference: ModelDifference
  /// For each entity of the destination: itself and its subentities.
  private let families: [String: [String]]
  /// The same for the source.
  private let sourceFamilies: [String: [String]]
  /// For each entity of the destination: the source name of each of its properties.
  let pasts: [String: [String: String]]
  /// For each entity of the destination: the destination name of each property of the entity that it was.
  private let futures: [String: [String: String]]
  /// For each entity of the destination: the entities of the store whose rows become its rows, subentities included.
  private let rows: [String: [String]]
  /// New entities of the destination that unite entities with different roots in the source.
  private let mergers: Set<String>
  /// For each concrete entity of the source whose rows are kept: the stored properties the destination lacks.
  private let lost: [String: Set<String>]
  /// Properties of the source whose loss a change of its own reports.
  private let told: Set<Declaration>
  /// Removals that are one half of a rename whose identifier names the version between.
  private let versionsBetween: Set<Declaration>
  /// Properties and entities of the destination that are paired by an equal name alone.
  private let doubtful: Set<Declaration>

  /// A property where a model declares it.
  private struct Declaration: Hashable {
    var entity: String
    /// Nil for the entity itself.
    var property: String?
  }

  init(_ difference: ModelDifference) {
    self.difference = difference
    families = difference.destination.families
    sourceFamilies = difference.source.families
    var (pasts, futures): ([String: [String: String]], [String: [String: String]]) = ([:], [:])
    for entity in difference.destination.entities {
      (pasts[entity.name], futures[entity.name]) = difference.pairedProperties(of: entity.name)
    }
    self.pasts = pasts
    self.futures = futures
    let rows = families.mapValues { $0.compactMap(difference.sourceEntity) }
    self.rows = rows
    let roots = difference.source.roots
    mergers = Set(
      rows.filter { entity, past in
        difference.sourceEntity(of: entity) == nil && Set(past.map { roots[$0] ?? "" }).count > 1
      }.keys)
    lost = Self.lost(difference, futures: futures)
    versionsBetween = Set(
      difference.likelyRenames.filter { $0.reason == .namesTheVersionBetween }.map {
        Declaration(entity: $0.place.sourceEntity ?? "", property: $0.place.sourceProperty)
      })
    doubtful = Set(
      difference.changes.filter(\.unpairs).map {
        Declaration(entity: $0.place.destinationEntity ?? "", property: $0.place.destinationProperty)
      })
    told = Set(
      difference.changes.compactMap { change in
        guard let entity = change.place.sourceEntity, let property = change.place.sourceProperty else { return nil }
        switch change.kind {
        case .removed, .moved(_, .down): return Declaration(entity: entity, property: property)
        default: return nil
        }
      })
  }

  private static func lost(
    _ difference: ModelDifference, futures: [String: [String: String]]
  ) -> [String: Set<String>] {
    difference.source.entities.reduce(into: [:]) { lost, entity in
      guard !entity.isAbstract, let new = difference.destinationEntity(of: entity.name) else { return }
      let future = futures[new, default: [:]]
      let properties = difference.source.properties(of: entity.name)
      // Each becomes one property at most, so that where they are as many none is lost.
      guard future.count < properties.count else { return }
      lost[entity.name] = Set(
        properties.lazy.filter { future[$0.key] == nil && isStored($0.value.property) }.map(\.key))
    }
  }

  func effect(of change: ModelChange) -> Effect {
    let effect = doubted(weighed(rawEffect(of: change), of: change), of: change)
    guard !change.takesEffect else { return effect }
    // Of a hashed kind, but no hash differs: nothing happens to the rows.
    return effect.inference == .notNeeded ? effect : unmoved(change)
  }

  /// A loss that rests on comparing identifiers with each other, which was measured on devices.
  private func weighed(_ effect: Effect, of change: ModelChange) -> Effect {
    guard change.kind.isRemoval, let entity = change.place.sourceEntity,
      versionsBetween.contains(Declaration(entity: entity, property: change.place.sourceProperty))
    else { return effect }
    var weighed = effect
    weighed.grade = max(effect.grade, .b)
    for position in weighed.rules.indices {
      weighed.rules[position].gradeWhenViolated = max(weighed.rules[position].gradeWhenViolated, .b)
    }
    return weighed
  }

  /// What is said of two properties or entities holds only as far as they are the same.
  private func doubted(_ effect: Effect, of change: ModelChange) -> Effect {
    guard !change.unpairs, change.takesEffect, let entity = change.place.destinationEntity,
      doubtful.contains(Declaration(entity: entity))
        || change.place.destinationProperty.map({ doubtful.contains(Declaration(entity: entity, property: $0)) })
          == true
    else { return effect }
    var doubted = effect
    doubted.grade = .d
    for position in doubted.rules.indices { doubted.rules[position].gradeWhenViolated = .d }
    return doubted
  }

  private func unmoved(_ change: ModelChange) -> Effect {
    let isComposite = [sourceProperty(of: change), destinationProperty(of: change)].contains {
      $0?.attribute?.elements != nil
    }
    switch change.kind {
    case .renamed, .added, .removed:
      // The name of a composite is not hashed: the store opens although its elements have another path now.
      if isComposite { return .unhashed(.d, afterwards: "the elements are read under the new name") }
    default: break
    }
    return .unhashed(.a, afterwards: "nothing changes")
  }

  private func rawEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .versionIdentifiers, .configurationAdded, .configurationRemoved, .configurationMembers, .fetchRequestAdded,
      .fetchRequestRemoved, .fetchRequestChanged, .userInfo, .fetchedRequest, .className, .deleteRule,
      .locationComponents:
      .unhashed(.a, afterwards: "unchanged")
    case .renamingIdentifier: identifierEffect(of: change)
    case .indexAdded, .indexRemoved, .indexChanged, .compoundIndexes, .indexedMark:
      .unhashed(.b, afterwards: "unchanged; the store keeps the indexes it has until a migration runs")
    case .defaultValue: .unhashed(.a, afterwards: "unchanged; old rows keep the value they have")
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

  /// A renaming identifier that leads elsewhere than the equal name: by the documented rule the two are not the same, and
  /// nothing shows that an equal name is enough.
  private func identifierEffect(of change: ModelChange) -> Effect {
    guard change.unpairs, let entity = change.place.sourceEntity else { return .unhashed(.a, afterwards: "unchanged") }
    let doubt = "lost, if an equal name is not enough"
    guard change.place.sourceProperty != nil else {
      var effect = Effect.yes(.d, afterwards: "its rows are kept, or \(doubt): not known")
      if difference.source.entity(named: entity)?.isAbstract == false {
        effect.rules = [.loss(.noRows([entity]), violated: .d, words: doubt)]
      }
      return effect
    }
    guard let place = stored(change), let property = destinationProperty(of: change), Self.isStored(property),
      sourceProperty(of: change).map(Self.isStored) == true, keptOtherSide(of: property) == nil
    else { return .unhashed(.a, afterwards: "unchanged") }
    var effect = Effect.yes(.d, afterwards: "kept, or \(doubt): not known")
    if !place.entities.isEmpty {
      effect.rules = [.loss(.noValues(place.entities, property: place.property), violated: .d, words: doubt)]
    }
    if !property.isFilled {
      effect.rules.append(
        .risk(.noRows(place.entities), met: .d, violated: .d, words: "134110, if an equal name is not enough"))
    }
    return effect
  }

  private func validation(_ change: ModelChange) -> Effect {
    guard let place = stored(change), let attribute = destinationProperty(of: change)?.attribute else {
      return .unhashed(.a, afterwards: "unchanged")
    }
    return .unhashed(
      .a, afterwards: "unchanged; values beyond the bounds fail at their next save",
      rules: .risk(
        .valid(place.entities, property: place.property, .init(attribute: attribute)), met: .a, violated: .a,
        codeAtSave: attribute.type == .string ? 1660 : 1610, words: "beyond the new bounds"))
  }

  private func transformer(_ change: ModelChange) -> Effect {
    // A name that one side cannot tell is no other name: Swift source states no classes of values.
    guard !change.isOfForm, let place = stored(change) else { return .unhashed(.a, afterwards: "unchanged") }
    return .unhashed(
      .b, afterwards: "unchanged; reading fails later if the bytes do not suit the new transformer or class",
      rules: .risk(
        .noValues(place.entities, property: place.property), met: .b, violated: .b,
        words: "the bytes may not suit the new transformer"))
  }

  // MARK: Places

  /// The source names of the properties of a destination entity, inherited ones included.
  func past(of destinationEntity: String) -> [String: String] { pasts[destinationEntity] ?? [:] }

  /// The destination name of what a property of the entity that `destinationEntity` was became.
  func future(of property: String, in destinationEntity: String) -> String? { futures[destinationEntity]?[property] }

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

  /// The source name of the property, and the entities of the store whose rows carry it over.
  func stored(_ change: ModelChange) -> (entities: [String], property: String)? {
    guard let property = change.place.sourceProperty, let entity = change.place.destinationEntity else { return nil }
    let family = families[entity, default: []].filter {
      past(of: $0)[change.place.destinationProperty ?? ""] == property
    }
    return (family.compactMap(difference.sourceEntity), property)
  }

  /// The entities of the store whose rows become rows of a destination entity, subentities included.
  func rows(of destinationEntity: String) -> [String] { rows[destinationEntity] ?? [] }

  /// Whether it unites several existing roots under a new parent, which Apple's guide says cannot be inferred.
  func mergesHierarchies(_ destinationEntity: String) -> Bool {
    difference.destination.ancestors(of: destinationEntity).contains { mergers.contains($0.name) }
  }

  /// The entities among `rows(of:)` that did not have the property.
  func rowsWithout(_ property: String, of destinationEntity: String) -> [String] {
    families[destinationEntity, default: []].filter { past(of: $0)[property] == nil }
      .compactMap(difference.sourceEntity)
  }

  /// The entities of the store that have a property of `entity`, whose rows are kept but lose its values.
  func rowsLosing(_ property: String, of entity: String) -> [String] {
    concreteFamily(entity).filter { loses(property, of: $0) }
  }

  /// Whether the rows of a concrete entity of the store are kept but lose a property.
  func loses(_ property: String, of entity: String) -> Bool { lost[entity]?.contains(property) == true }

  /// The properties that rows of `entities` inherited from old ancestors of `entity` and lose, with the entities that
  /// lose them; those whose loss a change of its own reports are left out.
  func lossesByNewParent(of entity: String, _ entities: [String]) -> [(property: String, entities: [String])] {
    let inherited = difference.source.ancestors(of: entity).flatMap { ancestor in
      ancestor.properties.filter { !told.contains(Declaration(entity: ancestor.name, property: $0.name)) }.map(\.name)
    }
    let losing = Set(entities.compactMap { lost[$0] }.joined())
    var seen: Set<String> = []
    return inherited.filter { losing.contains($0) && seen.insert($0).inserted }.map { property in
      (property, entities.filter { loses(property, of: $0) })
    }
  }

  /// Whether the store holds values or links of the property.
  static func isStored(_ property: Property) -> Bool {
    if case .fetched = property.kind { false } else { !property.isTransient }
  }

  /// An entity of the source and its subentities, without abstract ones.
  func concreteFamily(_ sourceEntity: String) -> [String] {
    sourceFamilies[sourceEntity, default: []].filter { difference.source.entity(named: $0)?.isAbstract == false }
  }
}
