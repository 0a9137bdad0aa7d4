import StoreCoreData
import StoreSQLite

/// The rows of a store before a structural step, kept for a recipe that is carried out after it.
///
/// Each object has a to-one relationship `was` to the object that it was. The tables are temporary ones of the connection
/// and vanish with it, or with `forget`. They take as much room as the store's own.
package struct PastVersion {
  private let layout: Layout
  /// For each entity of the target, the one it was.
  private let sources: [String: String]

  /// The name of the relationship to the past.
  package static let word = "was"

  /// Keeps the rows of a store, whose tables are about to change.
  ///
  /// - Throws: `SQLiteError`.
  package init(keeping store: Store, on connection: Connection, sources: [String: String]) throws {
    layout = store.layout
    self.sources = sources
    for table in tables {
      try connection.execute(
        "CREATE TEMP TABLE \(quotedIdentifier(Self.kept(table))) AS SELECT * FROM main.\(quotedIdentifier(table))")
    }
  }

  /// Drops the tables.
  ///
  /// - Throws: `SQLiteError`.
  package func forget(on connection: Connection) throws {
    for table in tables { try connection.execute("DROP TABLE temp.\(quotedIdentifier(Self.kept(table)))") }
  }

  private var tables: [String] {
    Set(layout.entities.filter { $0.tableExists && !$0.id.isInternal }.map(\.table)).sorted()
  }

  // A model's names have no space.
  private static func kept(_ name: String) -> String { "\(word) \(name)" }

  /// The layout of the store after the step, with the past in reach of its entities.
  ///
  /// An entity with a property of its own that is called `was` has no past.
  func added(to layout: Layout) -> Layout {
    var whole = layout
    for index in whole.entities.indices {
      let entity = whole.entities[index]
      guard let source = sources[entity.modelName ?? entity.name],
        !entity.attributes.contains(where: { $0.property.name == Self.word }),
        !entity.relationships.contains(where: { $0.name == Self.word })
      else { continue }
      whole.entities[index].relationships.append(
        RelationshipLayout(
          toOne: Self.word, declaredBy: entity.modelName ?? entity.name, destination: Self.kept(source), column: "Z_PK")
      )
    }
    whole.entities += self.layout.entities.filter { $0.tableExists && !$0.id.isInternal }.map(Self.kept)
    return whole
  }

  private static func kept(_ entity: EntityLayout) -> EntityLayout {
    var past = entity
    past.id = EntityID(-1 - entity.id.number)
    past.name = kept(entity.modelName ?? entity.name)
    (past.modelName, past.parent, past.root) = (nil, nil, past.name)
    past.table = kept(entity.table)
    past.relationships = entity.relationships.compactMap { relationship in
      guard case .key = relationship.storage else { return nil }
      var relationship = relationship
      relationship.destination = relationship.destination.map(kept)
      return relationship
    }
    return past
  }
}
