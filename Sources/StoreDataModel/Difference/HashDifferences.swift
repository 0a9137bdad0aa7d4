import StoreWords

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
    let differing = old.lazy.filter { new[$0.key] != $0.value }.map(\.key) + new.keys.filter { old[$0] == nil }
    for name in differing {
      entities.insert(name)
      let names = Self.differing(source.propertyHashes(of: name), destination.propertyHashes(of: name))
      guard !names.isEmpty else { continue }
      for entity in [name] + (source.ancestors(of: name) + destination.ancestors(of: name)).map(\.name) {
        properties[entity, default: []].formUnion(names)
      }
    }
  }

  /// The names of two sorted lists that have another hash in the other, or none.
  private static func differing(
    _ old: [(name: String, hash: VersionHash)], _ new: [(name: String, hash: VersionHash)]
  ) -> Set<String> {
    var names: Set<String> = []
    var (left, right) = (old[...], new[...])
    while let before = left.first, let after = right.first {
      if before.name == after.name {
        if before.hash != after.hash { names.insert(before.name) }
        left.removeFirst()
        right.removeFirst()
      } else if codeUnitsPrecede(before.name, after.name) {
        names.insert(before.name)
        left.removeFirst()
      } else {
        names.insert(after.name)
        right.removeFirst()
      }
    }
    for rest in [left, right] { names.formUnion(rest.map(\.name)) }
    return names
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
