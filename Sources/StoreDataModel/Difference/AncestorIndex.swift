/// The properties declared by the ancestors of an entity, by name and by canonical name; the nearest ancestor wins.
struct AncestorIndex {
  private var byName: [String: (String, Property)] = [:]
  private var byCanonicalName: [String: (String, Property)] = [:]

  init(_ model: Model, _ entity: String) {
    for ancestor in model.ancestors(of: entity) {
      for property in ancestor.properties {
        if byName[property.name] == nil { byName[property.name] = (ancestor.name, property) }
        let canonical = property.matchableName.canonical
        if byCanonicalName[canonical] == nil { byCanonicalName[canonical] = (ancestor.name, property) }
      }
    }
  }

  func contains(_ name: String) -> Bool { byName[name] != nil }

  /// For ancestors in the destination: the property that a property of the source became.
  func destination(of old: Property) -> (String, Property)? {
    byCanonicalName[old.matchableName.canonical] ?? byName[old.name]
  }

  /// For ancestors in the source: the property that a property of the destination was.
  func source(of new: Property) -> (String, Property)? {
    byCanonicalName[new.matchableName.canonical] ?? byName[new.name]
  }
}

extension Model {
  /// All subentities, direct and indirect, of each entity that has any.
  var descendants: [String: [String]] {
    derived.value(.descendants, weight: \.count) {
      var found: [String: [String]] = [:]
      for entity in entities {
        for ancestor in ancestors(of: entity.name) { found[ancestor.name, default: []].append(entity.name) }
      }
      return found
    }
  }

  /// For each entity, the stored relationships that it declares and no ancestor does.
  package var storedRelationships: [(entity: String, properties: [Property])] {
    derived.value(.storedRelationships, weight: { $0.reduce(0) { $0 + $1.properties.count } }) {
      entities.map { entity in
        let own = entity.properties.filter { property in
          !property.isTransient && property.relationship != nil
            && topmostDeclarer(of: property.name, in: entity.name) == entity.name
        }
        return (entity.name, own)
      }
    }
  }

  /// For each entity, the name of the root of its hierarchy.
  package var roots: [String: String] {
    derived.value(.roots, weight: \.count) {
      Dictionary(entities.map { ($0.name, ancestors(of: $0.name).last?.name ?? $0.name) }) { first, _ in first }
    }
  }

  /// For each entity itself and all its subentities, in the order of the model.
  package var families: [String: [String]] {
    derived.value(.families, weight: \.count) {
      var found: [String: [String]] = [:]
      for entity in entities {
        for member in [entity] + ancestors(of: entity.name) { found[member.name, default: []].append(entity.name) }
      }
      return found
    }
  }
}
