import StoreDataModel

/// Which entity and property of the model before each of the model after was, in one step.
package struct NamePairs: Sendable {
  /// The entities before, with what each becomes.
  var entities: [(old: String, new: String)]
  /// For each entity after, the former name of each of its properties; a new one is missing.
  var pasts: [String: [String: String]]

  /// The former name of a property, as an entity of the model after has it; nil for a new one.
  func past(_ property: String, of entity: String) -> String? { pasts[entity]?[property] }

  /// As a lightweight migration pairs them.
  init(_ map: PropertyMap) {
    entities = map.source.entities.compactMap { entity in
      map.difference.destinationEntity(of: entity.name).map { (entity.name, $0) }
    }
    pasts = map.pasts
  }

  /// By a mapping model: a property was the one that its value or links are taken from.
  init(_ mapped: MappedModel) {
    entities = mapped.entities.map { ($0.source, $0.destination) }
    pasts = [:]
    for entity in mapped.entities {
      var names: [String: String] = [:]
      for (attribute, value) in entity.values {
        if case .path(let path, then: nil) = value, path.count == 1 { names[attribute] = path[0] }
      }
      for (relationship, links) in entity.links where links.path.count == 1 { names[relationship] = links.path[0] }
      pasts[entity.destination] = names
    }
  }
}
