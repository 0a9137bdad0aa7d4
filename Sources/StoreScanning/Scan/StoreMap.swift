import StoreDataModel
import StoreCoreData

/// Looks up entities and relationships of a layout by name and number; a hostile model has too many to search. It holds
/// nothing of a single store, so stores with the same layout share one.
package final class StoreMap {
  /// Every relationship with a place in the store, by entity number and name.
  package let relationships: [StoredRelationship]

  private let entities: [String: EntityLayout]
  private let byName: [Name: StoredRelationship]
  private let children: [EntityID: [EntityID]]
  private let homes: [String: Set<EntityID>]
  /// The root entity of each table; the one with the lowest number where a damaged store has several.
  private let rootOfTable: [String: EntityLayout]
  private let byID: [EntityID: EntityLayout]
  private let joinOwners: [String: String]
  private var knownKinds: [EntityID: Set<EntityID>] = [:]
  private let layout: Layout
  private let model: Model?
  private let parents: [Parent]

  /// Every column with values of an attribute.
  package private(set) lazy var attributePlaces = AttributePlace.places(in: layout)
  /// Every column with keys of a relationship.
  private(set) lazy var keyPlaces = KeyColumn.places(in: self)
  /// Every join table, by name.
  private(set) lazy var joinPlaces = JoinLinks.places(in: self, layout)

  private struct Parent: Equatable {
    var entity: EntityID
    var parent: EntityID

    static func all(of store: Store) -> [Parent] {
      store.entityMap.rows.compactMap { row in row.parent.map { Parent(entity: row.id, parent: $0) } }
    }
  }

  private struct Name: Hashable {
    var entity: String
    var relationship: String
  }

  /// The map of a store.
  ///
  /// - Parameter wider: the store's layout with further entities and to-one relationships, which paths may go through.
  package init(_ store: Store, layout wider: Layout? = nil) {
    layout = store.layout
    model = store.model
    parents = Parent.all(of: store)
    let layouts = store.layout.entities
    // The name in `Z_PRIMARYKEY` takes precedence over the model's, where a rename left them different.
    let known = wider?.entities ?? layouts
    let names = known.map { ($0.name, $0) } + known.compactMap { entity in entity.modelName.map { ($0, entity) } }
    entities = Dictionary(names) { first, _ in first }
    relationships = Self.relationships(store, entities: entities)
    byName = Dictionary(
      relationships.flatMap { relationship in
        [relationship.owner.name, relationship.owner.modelName].compactMap(\.self).map {
          (Name(entity: $0, relationship: relationship.layout.name), relationship)
        }
      }
    ) { first, _ in first }
    byID = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    joinOwners = Dictionary(store.layout.joinTables.map { ($0.name, $0.source.entity) }) { first, _ in first }
    children = Dictionary(grouping: parents, by: \.parent).mapValues { $0.map(\.entity) }
    homes = Dictionary(grouping: layouts, by: \.table).mapValues { Set($0.map(\.id)) }
    rootOfTable = Dictionary(
      layouts.filter { $0.parent == nil }.sorted { $0.id < $1.id }.map { ($0.table, $0) }
    ) { first, _ in first }
  }

  /// Whether it is valid for that store too. Quick where both come from the same `KnownModels`.
  package func fits(_ store: Store) -> Bool {
    layout == store.layout && model == store.model && parents == Parent.all(of: store)
  }

  private static func relationships(_ store: Store, entities: [String: EntityLayout]) -> [StoredRelationship] {
    store.layout.entities.flatMap { entity in
      entity.relationships
        .filter { $0.declaredBy == entity.modelName ?? entity.name && $0.storage != .none }
        .map { layout in
          StoredRelationship(
            owner: entity, layout: layout, destination: layout.destination.flatMap { entities[$0] },
            model: store.model?.property(layout.name, of: layout.declaredBy)?.relationship)
        }
    }
  }

  /// The entity with that name in `Z_PRIMARYKEY`, or else in the model.
  package func entity(named name: String) -> EntityLayout? { entities[name] }

  /// The entity of that number.
  package func entity(_ id: EntityID) -> EntityLayout? { byID[id] }

  /// The root entity of a table; for a join table, the entity whose relationship it stores.
  package func entity(ofTable table: String) -> EntityLayout? {
    rootOfTable[table] ?? joinOwners[table].flatMap { entities[$0] }
  }

  /// The relationship with that name of an entity that declares or inherits it.
  package func relationship(_ name: String, of entity: String) -> StoredRelationship? {
    if let declared = byName[Name(entity: entity, relationship: name)] { return declared }
    guard let inherited = entities[entity]?.relationships.first(where: { $0.name == name }) else { return nil }
    return byName[Name(entity: inherited.declaredBy, relationship: name)]
  }

  /// The inverse of a relationship; nil where it has none, or one that a faulty model does not have lead back.
  package func inverse(of relationship: StoredRelationship) -> StoredRelationship? {
    guard let name = relationship.layout.inverse, let destination = relationship.layout.destination,
      let back = self.relationship(name, of: destination), back.layout.inverse == relationship.layout.name
    else { return nil }
    return back
  }

  /// The entity and its subentities, according to `Z_PRIMARYKEY`.
  package func kinds(of entity: EntityID) -> Set<EntityID> {
    if let known = knownKinds[entity] { return known }
    var found: Set = [entity]
    var pending = [entity]
    while let next = pending.popLast() {
      for child in children[next] ?? [] where found.insert(child).inserted { pending.append(child) }
    }
    knownKinds[entity] = found
    return found
  }

  /// Whether the entities are the same, or one is a subentity of the other.
  package func areRelated(_ left: EntityID, _ right: EntityID) -> Bool {
    kinds(of: left).contains(right) || kinds(of: right).contains(left)
  }

  /// The entities whose rows belong in a table.
  package func home(of table: String) -> Set<EntityID> { homes[table] ?? [] }
}
