/// Where the version hashes of two models differ, by name. Decides whether a change affects a hash.
struct HashDifferences {
  /// Entities whose hash differs, or that only one side has.
  private(set) var entities: Set<String> = []
  /// For each entity, the property names whose hash differs in it or one of its subentities, or that only one side has
  /// there.
  private(set) var properties: [String: Set<String>] = [:]

  init(_ source: Model, _ destination: Model) {
    let old = source.versionHashes.byEntity
    let new = destination.versionHashes.byEntity
    for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
      entities.insert(name)
      let oldProperties = source.propertyHashes(of: name)
      let newProperties = destination.propertyHashes(of: name)
      let names = Set(oldProperties.keys).union(newProperties.keys).filter { oldProperties[$0] != newProperties[$0] }
      guard !names.isEmpty else { continue }
      for entity in [name] + (source.ancestors(of: name) + destination.ancestors(of: name)).map(\.name) {
        properties[entity, default: []].formUnion(names)
      }
    }
  }

  /// Whether a change at this place affects a hash, provided that its kind is hashed.
  func reach(_ place: ModelChange.Place) -> Bool {
    if place.sourceProperty != nil || place.destinationProperty != nil {
      return reach(place.sourceEntity, property: place.sourceProperty)
        || reach(place.destinationEntity, property: place.destinationProperty)
    }
    return [place.sourceEntity, place.destinationEntity].contains { $0.map(entities.contains) ?? false }
  }

  private func reach(_ entity: String?, property: String?) -> Bool {
    guard let entity, let property else { return false }
    return properties[entity]?.contains(property) ?? false
  }
}
