import StoreDataModel

extension Model {
  /// The model with only the parts that the vectors contain, which are those that are hashed.
  func normalised() throws -> Model {
    try Model(
      entities: entities.map { entity in
        Entity(
          name: entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
          properties: entity.properties.map(\.normalised),
          uniquenessConstraints: entity.uniquenessConstraints.sorted {
            $0.joined(separator: ".") < $1.joined(separator: ".")
          }, versionHashModifier: entity.versionHashModifier)
      })
  }
}

extension Property {
  fileprivate var normalised: Property {
    var property = self
    property.renamingIdentifier = nil
    switch kind {
    case .attribute(let attribute):
      property.kind = .attribute(
        Attribute(
          type: attribute.type, allowsExternalStorage: attribute.allowsExternalStorage,
          preservesValueInHistory: attribute.preservesValueInHistory,
          elements: attribute.elements?.map(\.normalised).sorted { $0.name < $1.name }))
    case .relationship(var relationship):
      relationship.deleteRule = .nullify
      property.kind = .relationship(relationship)
    case .fetched: break
    }
    return property
  }
}
