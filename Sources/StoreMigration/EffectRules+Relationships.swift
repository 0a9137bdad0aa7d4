import StoreDataModel

/// Changes of relationships.
extension EffectRules {
  func relationshipEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .destination(let old, let new): return destinationEffect(change, from: old, to: new)
    case .inverse(let old, let new): return .yes(inverseFollows(change, from: old, to: new) ? .a : .b, "links are kept")
    case .maximumCount(1, _): return .yes(.a, "links are kept")
    case .maximumCount(_, 1):
      guard let place = stored(change) else { return .yes(.d, "not known") }
      return .yes(
        .d, "one link is kept, not known which",
        .risk(
          .atMostOneLink(place.entities, property: place.property), met: .d, violated: .d, "several links, one place"))
    case .maximumCount, .minimumCount: return countEffect(change)
    case .ordered(let isOrdered):
      return .yes(.a, isOrdered ? "links are kept, in any order" : "links are kept, their order is lost")
    default: return .unknown("not known")
    }
  }

  // MARK: Destination and inverse

  private func destinationEffect(_ change: ModelChange, from old: String, to new: String) -> Effect {
    let destination = difference.destination
    let renamed = difference.destinationEntity(of: old)
    if renamed == new { return .yes(.b, "links are kept") }
    guard let place = stored(change) else { return .unknown("not known") }
    if let renamed, destination.entity(renamed, isKindOf: new) { return .yes(.b, "links are kept") }
    let isNarrower =
      renamed.map { destination.entity(new, isKindOf: $0) }
      ?? difference.sourceEntity(of: new).map { difference.source.entity($0, isKindOf: old) } ?? false
    if isNarrower {
      let within = RowCondition.linksWithin(
        place.entities, property: place.property, destinations: rows(of: new))
      return .yes(
        renamed == nil ? .b : .d, "links are kept; what becomes of links to other entities is not known",
        .risk(within, met: renamed == nil ? .b : .d, violated: .d, "a link to an entity that no longer fits"))
    }
    return Effect(
      inference: .unknown, grade: .c,
      rules: [
        .risk(
          .noValues(place.entities, property: place.property), met: .c, violated: .c, "the link is probably dropped")
      ], afterwards: "links are probably dropped")
  }

  /// Whether the inverse only took part in a rename.
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
    else { return .yes(.d, "unchanged") }
    // Xcode writes a minimum of 1 with a required to-one: its own rule says what happens.
    if !relationship.isToMany { return .yes(.b, "unchanged") }
    return .yes(
      .d, "unchanged; an object out of bounds fails at its next save",
      .risk(
        .linkCount(
          place.entities, property: place.property, minimum: relationship.minimumCount,
          maximum: relationship.maximumCount), met: .d, violated: .d, codeAtSave: 1580,
        "the number of links is out of bounds"))
  }
}
