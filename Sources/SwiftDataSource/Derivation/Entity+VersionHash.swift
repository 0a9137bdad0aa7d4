import StoreDataModel

extension Entity {
  /// The version hash of an entity whose model is not at hand: of other entities the hash holds but their names.
  ///
  /// - Parameter ancestors: nearest first.
  func versionHash(ancestors: [Entity]) -> VersionHash? {
    let own = [self] + ancestors
    let names = Set(own.map(\.name))
    var destinations: [String: Entity] = [:]
    // A relationship of an ancestor is hashed as well, but an inverse that leads elsewhere is of no account.
    for entity in own {
      for property in entity.properties {
        guard let relationship = property.relationship, !names.contains(relationship.destination) else { continue }
        var destination = destinations[relationship.destination] ?? Entity(name: relationship.destination)
        if let inverse = relationship.inverse, destination.property(named: inverse) == nil {
          destination.properties.append(
            Property(
              name: inverse,
              kind: .relationship(Relationship(destination: entity.name, inverse: property.name, maximumCount: 1))))
        }
        destinations[relationship.destination] = destination
      }
    }
    return (try? Model(entities: own + destinations.values))?.versionHashes.byEntity[name]
  }
}
