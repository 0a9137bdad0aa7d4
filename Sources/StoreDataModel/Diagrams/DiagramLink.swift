/// A line between two entities of a diagram: a relationship with its inverse, drawn once.
struct DiagramLink {
  /// The entity that declares the relationship, by its position in the model.
  var source: Int
  /// The destination entity, by its position in the model.
  var destination: Int
  /// "folder", or "folder / notes" with an inverse.
  var label: String
  /// The number of source objects a destination has, from the inverse; nil without one.
  var sourceCount: String?
  /// The number of destination objects a source has.
  var destinationCount: String

  /// The links of a model, in the order of entities and relationships.
  static func all(in model: Model) -> [DiagramLink] {
    let positions = Dictionary(uniqueKeysWithValues: model.entities.enumerated().map { ($1.name, $0) })
    return model.entities.enumerated().flatMap { source, entity in
      entity.properties.compactMap { property in
        guard let relationship = property.relationship, let destination = positions[relationship.destination] else {
          return nil
        }
        return DiagramLink(property, relationship, from: source, to: destination, in: model)
      }
    }
  }

  /// Nil for the second of two relationships that are each other's inverse.
  private init?(
    _ property: Property, _ relationship: Relationship, from source: Int, to destination: Int, in model: Model
  ) {
    self.source = source
    self.destination = destination
    destinationCount = relationship.count(isOptional: property.isOptional)
    label = property.name
    guard let name = relationship.inverse,
      let inverse = model.entities[destination].property(named: name), let back = inverse.relationship
    else { return }
    let isMutual = back.inverse == property.name && back.destination == model.entities[source].name
    if isMutual, (destination, name) != (source, property.name) {
      guard (source, property.name) < (destination, name) else { return nil }
    }
    sourceCount = back.count(isOptional: inverse.isOptional)
    if name != property.name { label += " / " + name }
  }
}

extension Relationship {
  /// "1", "0..1", "*", "2..5".
  fileprivate func count(isOptional: Bool) -> String {
    let least = isOptional ? 0 : Swift.max(minimumCount, 1)
    guard maximumCount > 0 else { return least == 0 ? "*" : "\(least)..*" }
    return least == maximumCount ? "\(least)" : "\(least)..\(maximumCount)"
  }
}
