import StoreDataModel

/// A relationship with its inverse, as the links between objects that both describe.
struct LinkKind {
  /// The entity that declares the relationship the links are made through, and its name.
  var source: (entity: String, name: String)
  /// The entity it leads to, and the name of the inverse there; nil for none.
  var destination: (entity: String, inverse: String?)
  /// How many there may be at the other end, where the model has no inverse that says so.
  var hiddenMost: Int?
  /// Whether the order of the links is stored.
  var isOrdered: Bool
  /// Whether each end is to-many.
  var isToMany: (source: Bool, destination: Bool)

  /// Whether it is its own inverse.
  var isSymmetric: Bool { isOwnInverse }
  private var isOwnInverse: Bool

  /// The links of a model that are stored, in the order of entities and names, and relationships that are left out because
  /// the model contradicts itself there.
  static func all(of model: Model) -> (kinds: [LinkKind], faulty: [String]) {
    var kinds: [LinkKind] = []
    var faulty: [String] = []
    var done: Set<[String]> = []
    for entity in model.entities {
      for property in entity.properties where model.topmostDeclarer(of: property.name, in: entity.name) == entity.name {
        guard let relationship = property.relationship, done.insert([entity.name, property.name]).inserted,
          !relationship.destination.isEmpty
        else { continue }
        guard let name = relationship.inverse else {
          if !property.isTransient { kinds.append(LinkKind(withoutInverse: relationship, entity.name, property.name)) }
          continue
        }
        guard let inverse = model.property(name, of: relationship.destination),
          let back = inverse.relationship, back.inverse == property.name,
          let declarer = model.topmostDeclarer(of: name, in: relationship.destination)
        else {
          faulty.append("\(entity.name).\(property.name)")
          continue
        }
        done.insert([declarer, name])
        var kind = LinkKind(withoutInverse: relationship, entity.name, property.name)
        kind.destination.inverse = name
        kind.hiddenMost = nil
        kind.isToMany.destination = back.isToMany
        kind.isOrdered = relationship.isOrdered || back.isOrdered
        kind.isOwnInverse = declarer == entity.name && name == property.name
        if kind.isStored(property, inverse: inverse) { kinds.append(kind) }
      }
    }
    return (kinds, faulty)
  }

  private init(withoutInverse relationship: Relationship, _ entity: String, _ name: String) {
    source = (entity, name)
    destination = (relationship.destination, nil)
    isOrdered = relationship.isOrdered
    isToMany = (relationship.isToMany, !relationship.isToMany)
    hiddenMost = relationship.isToMany ? 1 : .max
    isOwnInverse = false
  }

  /// A link from many to one is stored on the side of the many; between two to-one relationships on both sides.
  private func isStored(_ property: Property, inverse: Property) -> Bool {
    switch isToMany {
    case (false, true): !property.isTransient
    case (true, false): !inverse.isTransient
    default: !property.isTransient && !inverse.isTransient
    }
  }
}
