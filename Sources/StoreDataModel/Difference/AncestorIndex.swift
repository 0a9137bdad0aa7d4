/// What the ancestors of an entity declare, by name and by canonical name, the nearest first.
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

  /// Of a destination's ancestors: what a property of the source has become.
  func destination(of old: Property) -> (String, Property)? {
    byCanonicalName[old.matchableName.canonical] ?? byCanonicalName[old.name] ?? byName[old.name]
  }

  /// Of a source's ancestors: what a property of the destination was.
  func source(of new: Property) -> (String, Property)? {
    byCanonicalName[new.matchableName.canonical] ?? byName[new.matchableName.canonical] ?? byName[new.name]
  }
}

extension Model {
  /// For each entity that has any, all entities below it.
  var descendants: [String: [String]] {
    var found: [String: [String]] = [:]
    for entity in entities {
      for ancestor in ancestors(of: entity.name) { found[ancestor.name, default: []].append(entity.name) }
    }
    return found
  }
}
