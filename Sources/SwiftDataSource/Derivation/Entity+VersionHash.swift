import StoreDataModel

extension Entity {
  /// The version hash of an entity without its model: of other entities it contains only names.
  ///
  /// - Parameter ancestors: nearest first.
  func versionHash(ancestors: [Entity]) -> VersionHash? {
    let own = [self] + ancestors
    let names = Set(own.map(\.name))
    var destinations: [String: Entity] = [:]
    // Relationships of ancestors are hashed too; inverses in other entities do not matter.
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
