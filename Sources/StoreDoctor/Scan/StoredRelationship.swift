import CoreDataModel
import CoreDataStore

/// A relationship of a store, once, by the entity that declares it; its rows are those of all that inherit it.
struct StoredRelationship: Hashable, CustomStringConvertible {
  /// The entity that declares it.
  let owner: EntityLayout
  /// Where its links are.
  let layout: RelationshipLayout
  /// What a model says of it; nil where it is inferred from the tables.
  let model: Relationship?

  /// "Note.folder".
  var description: String { "\(owner.name).\(layout.name)" }

  /// What a statement about it rests on: a relationship that is only likely makes it an assumption.
  var basis: Basis { layout.certainty.map { $0 < .certain } == true ? .assumed : .observed }

  /// The entity it leads to; nil where that is not known.
  func destination(in store: Store) -> EntityLayout? {
    layout.destination.flatMap(store.layout.entity(named:))
  }

  /// Whether both are the same relationship of the same store.
  static func == (left: Self, right: Self) -> Bool {
    left.owner.id == right.owner.id && left.layout.name == right.layout.name
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(owner.id)
    hasher.combine(layout.name)
  }
}

extension Store {
  /// Every relationship that is kept in the store, by entity number and name.
  var storedRelationships: [StoredRelationship] {
    layout.entities.flatMap { entity in
      entity.relationships
        .filter { $0.declaredBy == entity.modelName ?? entity.name && $0.storage != .none }
        .map { relationship in
          StoredRelationship(
            owner: entity, layout: relationship,
            model: model?.property(relationship.name, of: relationship.declaredBy)?.relationship)
        }
    }
  }

  /// The relationship of that name, by the name of an entity that has it.
  func storedRelationship(_ name: String, of entity: String) -> StoredRelationship? {
    guard let layout = layout.entity(named: entity)?.relationships.first(where: { $0.name == name }),
      let owner = self.layout.entity(named: layout.declaredBy)
    else { return nil }
    return StoredRelationship(
      owner: owner, layout: layout, model: model?.property(name, of: layout.declaredBy)?.relationship)
  }
}
