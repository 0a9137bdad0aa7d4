import StoreCoreData
import StoreSQLite

/// The rows of a store before a structural step, kept for a recipe that is carried out after it.
///
/// Each object has a to-one relationship `was` to the object that it was. The tables are temporary ones of the connection
/// and vanish with it, or with `forget`. They take as much room as the store's own.
///
/// Where a mapping model gives objects other keys, those that a recipe asks for are kept once more, under their new keys; what
/// they lead to is found by the old ones.
package struct PastVersion {
  private let layout: Layout
  /// For each entity of the target, the one it was.
  private let sources: [String: String]
  /// Objects that have other keys now.
  private let mapped: [Mapped]
  /// The place among them of those that a recipe is for; nil for all.
  private var asked: Int?

  /// Objects that became others, under other keys.
  package struct Mapped {
    let source: String
    let destination: String
    let keys: [Int64: Int64]

    /// - Parameters:
    ///   - source: their entity before, by the model's name.
    ///   - destination: their entity after.
    ///   - keys: the new key for each old one.
    package init(_ source: String, becoming destination: String, keys: [Int64: Int64]) {
      (self.source, self.destination, self.keys) = (source, destination, keys)
    }
  }

  /// The name of the relationship to the past.
  package static let word = "was"

  /// Keeps the rows of a store, whose tables are about to change.
  ///
  /// - Throws: `SQLiteError`.
  package init(keeping store: Store, on connection: Connection, sources: [String: String]) throws {
    (layout, self.sources, mapped) = (store.layout, sources, [])
    try keepTables(on: connection)
  }

  /// Keeps the rows of a store whose objects are given other keys.
  ///
  /// - Throws: `SQLiteError`.
  package init(keeping store: Store, on connection: Connection, mapped: [Mapped]) throws {
    (layout, sources, self.mapped) = (store.layout, [:], mapped)
    try keepTables(on: connection)
    for (number, part) in mapped.enumerated() {
      guard let table = entity(part.source)?.table else { continue }
      let keys = quotedIdentifier("\(Self.word) keys")
      try connection.execute("CREATE TEMP TABLE \(keys) (Z_OLD INTEGER PRIMARY KEY, Z_NEW INTEGER)")
      let insert = try connection.prepare("INSERT INTO temp.\(keys) VALUES (?, ?)")
      for (old, new) in part.keys {
        try insert.bind(.integer(old), at: 1)
        try insert.bind(.integer(new), at: 2)
        while try insert.step() {}
        insert.reset()
      }
      let columns = try connection.columns(of: table).map(\.name).filter { $0 != "Z_PK" }
      let list = (["k.Z_NEW AS Z_PK"] + columns.map { "s.\(quotedIdentifier($0))" }).joined(separator: ", ")
      try connection.execute(
        "CREATE TEMP TABLE \(quotedIdentifier(Self.kept(table, in: number))) AS SELECT \(list) FROM "
          + "main.\(quotedIdentifier(table)) AS s JOIN temp.\(keys) AS k ON k.Z_OLD = s.Z_PK; DROP TABLE temp.\(keys)")
    }
  }

  private func keepTables(on connection: Connection) throws {
    for table in tables {
      try connection.execute(
        "CREATE TEMP TABLE \(quotedIdentifier(Self.kept(table))) AS SELECT * FROM main.\(quotedIdentifier(table))")
    }
  }

  private func entity(_ name: String) -> EntityLayout? {
    layout.entities.first { ($0.modelName ?? $0.name) == name && $0.tableExists && !$0.id.isInternal }
  }

  /// The same for the recipe of one of several mappings, whose objects may become objects of one entity.
  package func only(_ number: Int) -> PastVersion {
    var past = self
    past.asked = number
    return past
  }

  /// Drops the tables.
  ///
  /// - Throws: `SQLiteError`.
  package func forget(on connection: Connection) throws {
    for table in tables { try connection.execute("DROP TABLE temp.\(quotedIdentifier(Self.kept(table)))") }
    for (number, part) in mapped.enumerated() {
      guard let table = entity(part.source)?.table else { continue }
      try connection.execute("DROP TABLE temp.\(quotedIdentifier(Self.kept(table, in: number)))")
    }
  }

  private var tables: [String] {
    Set(layout.entities.filter { $0.tableExists && !$0.id.isInternal }.map(\.table)).sorted()
  }

  // A model's names have no space.
  private static func kept(_ name: String) -> String { "\(word) \(name)" }

  /// The same for objects that have other keys now, by their place among those.
  private static func kept(_ name: String, in number: Int) -> String { "\(word) \(number) \(name)" }

  /// The layout of the store after the step, with the past in reach of its entities.
  ///
  /// An entity with a property of its own that is called `was` has no past.
  func added(to layout: Layout) -> Layout {
    var whole = layout
    for index in whole.entities.indices {
      let entity = whole.entities[index]
      let name = entity.modelName ?? entity.name
      let other = mapped.indices.first { mapped[$0].destination == name && $0 == asked ?? $0 }
      guard let source = other.map({ mapped[$0].source }) ?? sources[name],
        !entity.attributes.contains(where: { $0.property.name == Self.word }),
        !entity.relationships.contains(where: { $0.name == Self.word })
      else { continue }
      whole.entities[index].relationships.append(
        RelationshipLayout(
          toOne: Self.word, declaredBy: name,
          destination: other.map { Self.kept(source, in: $0) } ?? Self.kept(source), column: "Z_PK")
      )
    }
    let before = self.layout.entities.filter { $0.tableExists && !$0.id.isInternal }
    whole.entities += before.map(Self.kept)
    for (number, part) in mapped.enumerated() {
      guard let entity = entity(part.source) else { continue }
      var past = Self.kept(entity)
      // The numbers of all that were before go before it.
      past.id = EntityID(Int64.min &+ Int64(number))
      past.name = Self.kept(part.source, in: number)
      (past.root, past.table) = (past.name, Self.kept(entity.table, in: number))
      whole.entities.append(past)
    }
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
