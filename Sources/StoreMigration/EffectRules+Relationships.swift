import StoreDataModel

/// Changes of relationships.
extension EffectRules {
  func relationshipEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .destination(let old, let new): return destinationEffect(change, from: old, to: new)
    case .inverse(let old, let new):
      return .yes(inverseFollows(change, from: old, to: new) ? .a : .b, afterwards: "links are kept")
    case .maximumCount(1, _):
      if let crowded = linksWithoutRoom(change) { return crowded }
      guard let moved = orderOfOtherSide(change) else {
        // The guide says that links are kept; that those of the other side count was seen in no real store.
        return isKeptByOtherSide(change)
          ? .yes(.d, afterwards: "links are kept as the other side has them") : .yes(.a, afterwards: "links are kept")
      }
      return .yes(
        .a, afterwards: "links are kept; of their order at '\(moved.name)' that is not known", rules: moved.rule)
    case .maximumCount(_, 1):
      guard let place = stored(change) else { return .yes(.d, afterwards: "not known") }
      return .yes(
        .d, afterwards: "one link is kept, not known which",
        rules: .loss(
          .atMostOneLink(place.entities, property: place.property), violated: .d, words: "several links, one place"))
    case .maximumCount, .minimumCount: return countEffect(change)
    case .ordered(true): return .yes(.a, afterwards: "links are kept, in any order")
    case .ordered:
      guard let place = stored(change) else { return .yes(.a, afterwards: "links are kept, their order is lost") }
      return .yes(
        .a, afterwards: "links are kept, their order is lost",
        rules: .loss(
          .atMostOneLink(place.entities, property: place.property), words: "the order of several links is lost"))
    default: return .unknown("not known")
    }
  }

  /// Whether a to-one of a one-to-one relationship becomes to-many, so that the keys of the other side alone are its links.
  private func isKeptByOtherSide(_ change: ModelChange) -> Bool {
    guard let entity = change.place.destinationEntity, let property = change.place.destinationProperty,
      let new = difference.destination.property(property, of: entity)?.relationship,
      let old = sourceProperty(of: change)?.relationship
    else { return false }
    let newInverse = new.inverse.flatMap { difference.destination.property($0, of: new.destination)?.relationship }
    let oldInverse = old.inverse.flatMap { difference.source.property($0, of: old.destination)?.relationship }
    return newInverse?.isToMany == false && oldInverse?.isToMany == false
  }

  /// The effect on a to-one that becomes to-many but has no join table, so that an object can be the end of one link only;
  /// nil where it has one, or where it had one end already.
  private func linksWithoutRoom(_ change: ModelChange) -> Effect? {
    guard let entity = change.place.destinationEntity, let property = change.place.destinationProperty,
      let new = difference.destination.property(property, of: entity)?.relationship,
      let old = sourceProperty(of: change)?.relationship
    else { return nil }
    let newInverse = new.inverse.flatMap { difference.destination.property($0, of: new.destination)?.relationship }
    let oldInverse = old.inverse.flatMap { difference.source.property($0, of: old.destination)?.relationship }
    guard newInverse?.isToMany != true, oldInverse?.isToMany != false else { return nil }
    var effect = Effect.yes(.d, afterwards: "one link to each object is kept, not known which")
    if let name = old.inverse, oldInverse != nil {
      let owners = difference.source.entities.map(\.name).filter {
        difference.source.entity($0, isKindOf: old.destination)
      }
      effect.rules = [
        .loss(.atMostOneLink(owners, property: name), violated: .d, words: "several links, one place")
      ]
    }
    return effect
  }

  /// The order of the links at the other side of a to-one that becomes to-many: it stood in the rows of the to-one's entity
  /// and has to stand in a join table. Nil where the other side is not ordered before and after.
  ///
  /// That it is lost is assumed: duckduckgo's app reads the order before such a migration and puts it back after it.
  private func orderOfOtherSide(_ change: ModelChange) -> (name: String, rule: RowRule)? {
    guard let entity = change.place.sourceEntity, let property = change.place.sourceProperty,
      let own = difference.source.property(property, of: entity)?.relationship, let name = own.inverse,
      let other = difference.source.property(name, of: own.destination)?.relationship, other.isOrdered,
      let newEntity = change.place.destinationEntity, let newProperty = change.place.destinationProperty,
      let new = difference.destination.property(newProperty, of: newEntity)?.relationship, let newName = new.inverse,
      difference.destination.property(newName, of: new.destination)?.relationship?.isOrdered == true
    else { return nil }
    let owners = difference.source.entities.map(\.name).filter {
      difference.source.entity($0, isKindOf: own.destination)
    }
    return (
      "\(own.destination).\(name)",
      .loss(.atMostOneLink(owners, property: name), violated: .d, words: "the order of several links may be lost")
    )
  }

  // MARK: Removal of one side

  /// The effect on the links of a removed relationship whose inverse stays and holds the same links; nil if it does
  /// not stay. If both sides were to-many, the remaining side without inverse has room for only one owner per object
  /// (`store-format.md`, hidden keys); that no more than one link is kept is an assumption.
  func keptLinks(_ property: String, of entity: String) -> Effect? {
    guard let relationship = difference.source.property(property, of: entity)?.relationship,
      let name = relationship.inverse,
      let other = difference.source.property(name, of: relationship.destination)?.relationship,
      let stays = keptOtherSide(name, of: relationship.destination)
    else { return nil }
    let words = "links are kept at '\(relationship.destination).\(name)'"
    guard relationship.isToMany, other.isToMany else { return .yes(.b, afterwards: words) }
    let inverse = stays.inverse.flatMap { difference.destination.property($0, of: stays.destination)?.relationship }
    guard inverse?.isToMany != true else { return .yes(.c, afterwards: words) }
    let rows = rowsLosing(property, of: entity)
    return .yes(
      .b, afterwards: words + ", one for each object",
      rules: .loss(.atMostOneLink(rows, property: property), violated: .d, words: "several links, one place"))
  }

  /// The inverse of a to-many relationship of the destination that holds its links and is kept by its own name; nil where
  /// there is none.
  func keptOtherSide(of property: Property) -> Relationship? {
    guard let relationship = property.relationship, relationship.isToMany, let inverse = relationship.inverse,
      let past = past(of: relationship.destination)[inverse],
      let holder = difference.sourceEntity(of: relationship.destination)
    else { return nil }
    return keptOtherSide(past, of: holder)
  }

  /// The relationship in the destination, if all rows that have it in the source keep it and it is stored.
  private func keptOtherSide(_ name: String, of entity: String) -> Relationship? {
    let declarer = difference.source.topmostDeclarer(of: name, in: entity) ?? entity
    var found: Relationship?
    for holder in concreteFamily(declarer) {
      guard !loses(name, of: holder), let new = difference.destinationEntity(of: holder),
        let now = past(of: new)[name] == name ? name : past(of: new).first(where: { $0.value == name })?.key,
        let property = difference.destination.property(now, of: new), Self.isStored(property),
        let relationship = property.relationship
      else { return nil }
      found = found ?? relationship
    }
    return found
  }

  // MARK: Destination and inverse

  private func destinationEffect(_ change: ModelChange, from old: String, to new: String) -> Effect {
    let destination = difference.destination
    let renamed = difference.destinationEntity(of: old)
    if renamed == new { return .yes(.b, afterwards: "links are kept") }
    guard let place = stored(change) else { return .unknown("not known") }
    if let renamed, destination.entity(renamed, isKindOf: new) { return .yes(.b, afterwards: "links are kept") }
    let isNarrower =
      renamed.map { destination.entity(new, isKindOf: $0) }
      ?? difference.sourceEntity(of: new).map { difference.source.entity($0, isKindOf: old) } ?? false
    if isNarrower {
      let within = RowCondition.linksWithin(
        place.entities, property: place.property, destinations: rows(of: new))
      return .yes(
        renamed == nil ? .b : .d, afterwards: "links are kept; what becomes of links to other entities is not known",
        rules: .risk(
          within, met: renamed == nil ? .b : .d, violated: .d, words: "a link to an entity that no longer fits"))
    }
    return Effect(
      inference: .unknown, grade: .c,
      rules: [
        .loss(.noValues(place.entities, property: place.property), violated: .c, words: "the link is probably dropped")
      ], afterwards: "links are probably dropped")
  }

  /// Whether the inverse changed only because it was renamed.
  private func inverseFollows(_ change: ModelChange, from old: String?, to new: String?) -> Bool {
    guard let old, let new, let entity = destinationProperty(of: change)?.relationship?.destination else {
      return false
    }
    return past(of: entity)[new] == old
  }

  // MARK: Counts

  private func countEffect(_ change: ModelChange) -> Effect {
    guard let property = destinationProperty(of: change), let relationship = property.relationship,
      let place = stored(change)
    else { return .yes(.d, afterwards: "unchanged") }
    // Xcode writes a minimum of 1 for a required to-one relationship; the rule for required relationships covers it.
    if !relationship.isToMany { return .yes(.b, afterwards: "unchanged") }
    return .yes(
      .d, afterwards: "unchanged; an object out of bounds fails at its next save",
      rules: .risk(
        .linkCount(
          place.entities, property: place.property, minimum: relationship.minimumCount,
          maximum: relationship.maximumCount), met: .d, violated: .d, codeAtSave: 1580,
        words: "the number of links is out of bounds"))
  }
}
