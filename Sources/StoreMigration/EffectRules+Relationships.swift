import StoreDataModel

/// Changes of relationships.
extension EffectRules {
  func relationshipEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .destination(let old, let new): return destinationEffect(change, from: old, to: new)
    case .inverse(let old, let new):
      if inverseFollows(change, from: old, to: new) { return .yes(.a, afterwards: "links are kept") }
      return pairedAnew(change, from: old, to: new) ?? .yes(.b, afterwards: "links are kept")
    case .maximumCount(1, _):
      if let crowded = linksWithoutRoom(change) ?? linksOfAnotherPair(change) { return crowded }
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
    guard let sides = bothSides(of: change) else { return false }
    return sides.newInverse?.isToMany == false && sides.oldInverse?.isToMany == false
  }

  /// A relationship before and after, and the inverses of both.
  private func bothSides(
    of change: ModelChange
  ) -> (old: Relationship, oldInverse: Relationship?, newInverse: Relationship?)? {
    guard let new = destinationProperty(of: change)?.relationship, let old = sourceProperty(of: change)?.relationship
    else { return nil }
    return (
      old, old.inverse.flatMap { difference.source.property($0, of: old.destination)?.relationship },
      new.inverse.flatMap { difference.destination.property($0, of: new.destination)?.relationship }
    )
  }

  /// The effect on a to-one that becomes to-many but has no join table, so that an object can be the end of one link only;
  /// nil where it has one, or where it had one end already and the other side keeps the links.
  private func linksWithoutRoom(_ change: ModelChange) -> Effect? {
    guard let (old, oldInverse, newInverse) = bothSides(of: change), newInverse?.isToMany != true,
      oldInverse?.isToMany != false || newInverse == nil
    else { return nil }
    var effect = Effect.yes(.d, afterwards: "one link to each object is kept, not known which")
    if let name = old.inverse, oldInverse?.isToMany == true {
      let owners = difference.source.entities.map(\.name).filter {
        difference.source.entity($0, isKindOf: old.destination)
      }
      effect.rules = [
        .loss(.atMostOneLink(owners, property: name), violated: .d, words: "several links, one place")
      ]
    } else if let place = stored(change), let entity = place.entities.first {
      effect.rules = [
        .risk(
          .noDuplicates(
            entity: entity, among: place.entities, properties: [place.property], nullsAreEqual: false),
          met: .d, violated: .d, words: "they lead to an object that others lead to, and it has one place")
      ]
    }
    return effect
  }

  /// The effect on a to-one that becomes one side of a many-to-many relationship whose other side was not its inverse; nil
  /// where it was, or there is no join table.
  private func linksOfAnotherPair(_ change: ModelChange) -> Effect? {
    guard let old = sourceProperty(of: change)?.relationship, let place = stored(change),
      let new = destinationProperty(of: change)?.relationship, let inverse = new.inverse,
      difference.destination.property(inverse, of: new.destination)?.relationship?.isToMany == true,
      old.inverse == nil || past(of: new.destination)[inverse] != old.inverse
    else { return nil }
    if old.inverse == nil, past(of: new.destination)[inverse] == nil {
      return .yes(.d, afterwards: "links are kept, and the new inverse has them too; no store shows it")
    }
    return unfollowedLinks(place)
  }

  private func unfollowedLinks(_ place: (entities: [String], property: String)) -> Effect {
    var effect = Effect.yes(.d, afterwards: "the two sides are paired anew; whether links are kept is not known")
    if !place.entities.isEmpty {
      effect.rules = [
        .risk(
          .noValues(place.entities, property: place.property), met: .d, violated: .d,
          words: "lost, if links do not follow to another inverse")
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
    // That links leave a join table for keys was seen in no store.
    return .yes(
      .d, afterwards: words + ", one for each object",
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

  /// The effect on a to-many relationship that gets another inverse while the former one stays without it, or the new one
  /// was there before with links of its own, or a join table comes or goes: its links stand in a place that is no longer
  /// its. Nil where the place of the links only changes its form.
  private func pairedAnew(_ change: ModelChange, from old: String?, to new: String?) -> Effect? {
    guard let before = sourceProperty(of: change)?.relationship, before.isToMany, let place = stored(change),
      let after = destinationProperty(of: change)?.relationship, after.isToMany
    else { return nil }
    let oldInverse = old.flatMap { difference.source.property($0, of: before.destination)?.relationship }
    let newInverse = new.flatMap { difference.destination.property($0, of: after.destination)?.relationship }
    let oldStays = old.map { keptOtherSide($0, of: before.destination) != nil } ?? false
    // That a key without inverse gets one was seen to keep the links.
    let newWasThere = old != nil && new.map { past(of: after.destination)[$0] != nil } ?? false
    let joins = oldInverse?.isToMany == true ? new != nil : newInverse?.isToMany == true
    // A key whose relationship loses its inverse was seen to keep the links on both sides, which no join table was.
    guard new == nil ? oldStays && oldInverse?.isToMany == true : oldStays || newWasThere || joins else { return nil }
    return unfollowedLinks(place)
  }

  // MARK: Rows that go

  /// What becomes of links between rows of an entity of the source, which go or leave their hierarchy, and rows that stay,
  /// where the links do not stand in the rows that go.
  func rulesForLinks(at leaving: String) -> [RowRule] {
    // Where a renaming identifier gives its name to another, the rows were seen to stay all the same (`GenericAsset` and
    // `Asset` of Photos).
    let isTaken =
      difference.destinationEntity(of: leaving) == nil && difference.destination.entity(named: leaving) != nil
    guard !isTaken else { return [] }
    var rules: [RowRule] = []
    for (entity, properties) in difference.source.storedRelationships {
      for property in properties {
        guard let relationship = property.relationship else { continue }
        let inverse = relationship.inverse.flatMap {
          difference.source.property($0, of: relationship.destination)?.relationship
        }
        // A to-many without inverse has its links in the rows it leads to, one whose inverse is to-one in the inverse's keys.
        if relationship.isToMany, inverse?.isToMany != true {
          if inverse == nil, difference.source.entity(leaving, isKindOf: entity), isKept(property, of: entity) {
            rules.append(leavingRisk(.noValues([leaving], property: property.name), .c))
          }
          // They go with rows that go.
          if difference.destinationEntity(of: leaving) == nil { continue }
        }
        guard difference.source.entity(leaving, isKindOf: relationship.destination),
          let new = difference.destinationEntity(of: relationship.destination), !isStill(leaving, below: new)
        else { continue }
        let owners = concreteFamily(entity).filter { keeps(property.name, of: $0, leadingTo: new) }
        guard !owners.isEmpty else { continue }
        // Links of join tables that lead nowhere were seen to pass in real stores; of keys one report says so.
        rules.append(
          leavingRisk(
            .linksWithin(owners, property: property.name, destinations: rows(of: new)),
            inverse?.isToMany == true && relationship.isToMany ? .b : .c))
      }
    }
    return rules
  }

  private func leavingRisk(_ condition: RowCondition, _ grade: Grade) -> RowRule {
    .risk(
      condition, met: .a, violated: grade, words: "a link with an end that goes, and what becomes of it is not known")
  }

  private func isStill(_ entity: String, below destination: String) -> Bool {
    difference.destinationEntity(of: entity).map { difference.destination.entity($0, isKindOf: destination) } ?? false
  }

  private func isKept(_ property: Property, of entity: String) -> Bool {
    concreteFamily(entity).contains { owner in
      difference.destinationEntity(of: owner) != nil && !loses(property.name, of: owner)
    }
  }

  /// Whether rows of a concrete entity keep a relationship, which leads to `destination` now.
  private func keeps(_ property: String, of owner: String, leadingTo destination: String) -> Bool {
    guard let new = difference.destinationEntity(of: owner), !loses(property, of: owner),
      let name = future(of: property, in: new), let kept = difference.destination.property(name, of: new),
      Self.isStored(kept)
    else { return false }
    return kept.relationship?.destination == destination
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
