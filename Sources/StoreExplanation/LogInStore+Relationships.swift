import StoreCoreData
import StoreSQLite
import StoreWords

extension LogInStore {
  /// The state of the links of every relationship of that name.
  static func relationships(named name: String, _ store: Store) throws -> [Statement] {
    let declared = store.layout.entities.filter { !$0.id.isInternal }.flatMap { entity in
      entity.relationships.filter { $0.name == name && $0.declaredBy == entity.modelName ?? entity.name }
        .map { (entity, $0) }
    }
    guard !declared.isEmpty else {
      return [Statement(name, holds: false, words: "no entity of the store has a relationship of that name")]
    }
    return try declared.map { entity, relationship in
      let subject = "\(entity.name).\(name)"
      return try reading(subject) { Statement(subject, try links(of: relationship, entity: entity, in: store)) }
    }
  }

  private static func links(
    of relationship: RelationshipLayout, entity: EntityLayout, in store: Store
  ) throws -> (holds: Bool?, words: String) {
    let target = relationship.destination.flatMap { store.layout.entity(named: $0) }?.table
    switch relationship.storage {
    case .key(let column?, _, _):
      return try keys(column, of: entity.table, leadingTo: target, in: store)
    case .inverseKey(let table, let column?), .hiddenKey(let table, let column?, _):
      return try keys(column, of: table, leadingTo: entity.table, in: store)
    case .joinTable(let name?):
      guard let join = store.layout.joinTables.first(where: { $0.name == name }) else { break }
      let ends = [join.source, join.destination].map { end in
        (column: end.column, table: store.layout.entity(named: end.entity)?.table)
      }
      let lost = try ends.map { try lostKeys($0.column, of: name, leadingTo: $0.table, in: store) }.compactMap(\.self)
      guard lost.count == 2 else { break }
      let links = try count("SELECT count(*) FROM \(quotedIdentifier(name)) NOT INDEXED", in: store)
      return (
        lost == [0, 0],
        "\(counted(links, "link")) in \(name); \(lost[0]) without their \(join.source.entity), \(lost[1]) without their "
          + "\(join.destination.entity)"
      )
    case .none: return (nil, "is transient, and not in the store")
    case .key, .inverseKey, .hiddenKey, .joinTable: break
    }
    return (nil, "where the store keeps it is not known")
  }

  private static func keys(
    _ column: String, of table: String, leadingTo target: String?, in store: Store
  ) throws -> (holds: Bool?, words: String) {
    guard let target, let lost = try lostKeys(column, of: table, leadingTo: target, in: store) else {
      return (nil, "where it leads to is not known")
    }
    return (
      lost == 0,
      "\(counted(lost, "row")) of \(table) \(lost == 1 ? "has" : "have") a key in \(column) that no row of \(target) has"
        + (lost == 0 ? "" : " (SD401)")
    )
  }

  /// How many rows hold a key that no row of another table has; nil where a table or column is missing.
  private static func lostKeys(
    _ column: String, of table: String, leadingTo target: String?, in store: Store
  ) throws -> Int64? {
    guard let target, store.shape.tables[table]?.has(column) == true, store.shape.tables[target]?.has("Z_PK") == true
    else { return nil }
    let name = quotedIdentifier(column)
    return try count(
      """
      SELECT count(*) FROM \(quotedIdentifier(table)) NOT INDEXED
        WHERE \(name) IS NOT NULL AND \(name) NOT IN (SELECT Z_PK FROM \(quotedIdentifier(target)))
      """, in: store)
  }
}

extension LogInStore.Statement {
  fileprivate init(_ subject: String, _ found: (holds: Bool?, words: String)) {
    self.init(subject, holds: found.holds, words: found.words)
  }
}
