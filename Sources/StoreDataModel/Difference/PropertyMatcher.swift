import StoreWords

/// Pairs the properties of two entities: by their names, and relationships also by the place where their links stand.
///
/// The links of a to-many relationship stand in the keys of its inverse, or in the join table that both share. Where the
/// inverse stays, the links stay, whatever the to-many side is called.
struct PropertyMatcher {
  let source: Model
  let destination: Model
  let entities: NameMatch

  /// Pairs what two entities declare themselves.
  func declared(_ old: Entity, _ new: Entity) -> NameMatch {
    var match = NameMatch(old.properties.map(\.matchableName), new.properties.map(\.matchableName))
    let gone = old.properties.map(\.name).filter { match.destinations[$0] == nil }
    if !gone.isEmpty { pairByPlace(old.name, gone: gone, with: new.properties.compactMap(ToMany.init), &match) }
    return match
  }

  /// Pairs all properties of two entities, including inherited ones.
  func effective(_ old: String, _ new: String) -> NameMatch {
    var match = byName(old, new)
    let gone = source.matchableProperties(of: old).map(\.name).filter { match.destinations[$0] == nil }
    if !gone.isEmpty { pairByPlace(old, gone: gone, with: destination.toManys(of: new), &match) }
    return match
  }

  private func byName(_ old: String, _ new: String) -> NameMatch {
    let (before, after) = (source.matchableProperties(of: old), destination.matchableProperties(of: new))
    if before == after { return destination.identity(of: new, after) }
    // Where nothing was renamed, the pairing is that of equal names, without those that came.
    guard let came = MatchableName.added(to: before, in: after) else { return NameMatch(before, after) }
    return destination.identity(of: new, after).without(came)
  }

  private func pairByPlace(
    _ old: String, gone: [String], with new: [ToMany], _ match: inout NameMatch
  ) {
    for property in new where match.sources[property.name] == nil {
      guard let past = pastByInverse(property.relationship, of: property.name), gone.contains(past),
        match.destinations[past] == nil, source.property(past, of: old)?.isTransient == false
      else { continue }
      match.pair(past, with: property.name)
    }
  }

  /// The relationship of the source whose links stand where those of a to-many relationship of the destination do; nil
  /// if its inverse is new, or has its links elsewhere.
  private func pastByInverse(_ relationship: Relationship, of name: String) -> String? {
    guard let inverse = relationship.inverse,
      let new = destination.property(inverse, of: relationship.destination)?.relationship, new.inverse == name,
      let holder = entities.sources[relationship.destination],
      let past = byName(holder, relationship.destination).sources[inverse],
      let old = source.property(past, of: holder)?.relationship, old.isToMany == new.isToMany,
      let other = old.inverse, let counterpart = source.property(other, of: old.destination)?.relationship,
      counterpart.isToMany, counterpart.inverse == past
    else { return nil }
    return other
  }
}

/// A to-many relationship that is stored.
private struct ToMany: Sendable {
  var name: String
  var relationship: Relationship

  /// Nil for another property.
  init?(_ property: Property) {
    guard let relationship = property.relationship, relationship.isToMany, !property.isTransient else { return nil }
    (name, self.relationship) = (property.name, relationship)
  }
}

extension Model {
  /// The to-many relationships of an entity, inherited ones included.
  fileprivate func toManys(of entity: String) -> [ToMany] {
    derived.value(.toManys(entity: entity), weight: \.count) { effectiveProperties(of: entity).compactMap(ToMany.init) }
  }

  fileprivate func matchableProperties(of entity: String) -> [MatchableName] {
    derived.value(.names(entity: entity), weight: \.count) { effectiveProperties(of: entity).map(\.matchableName) }
  }

  fileprivate func identity(of entity: String, _ names: [MatchableName]) -> NameMatch {
    derived.value(.identity(entity: entity), weight: { $0.sources.count }) { NameMatch(same: names) }
  }

  fileprivate func effectiveProperties(of entity: String) -> [Property] {
    properties(of: entity).values.map(\.property).sorted { codeUnitsPrecede($0.name, $1.name) }
  }
}
