import CoreDataModel

extension Entity {
  /// The version hash of an entity whose model is not at hand: of other entities the hash holds but their names.
  ///
  /// - Parameter ancestors: nearest first.
  func versionHash(ancestors: [Entity]) -> VersionHash? {
    let own = [self] + ancestors
    let names = Set(own.map(\.name))
    var stubs: [String: Entity] = [:]
    // A relationship of an ancestor is hashed as well, but an inverse that leads elsewhere is the stub's business.
    for entity in own {
      for property in entity.properties {
        guard let relationship = property.relationship, !names.contains(relationship.destination) else { continue }
        var stub = stubs[relationship.destination] ?? Entity(name: relationship.destination)
        if let inverse = relationship.inverse, stub.property(named: inverse) == nil {
          stub.properties.append(
            Property(
              name: inverse,
              kind: .relationship(Relationship(destination: entity.name, inverse: property.name, maximumCount: 1))))
        }
        stubs[relationship.destination] = stub
      }
    }
    return (try? Model(entities: own + stubs.values))?.versionHashes.byEntity[name]
  }
}
