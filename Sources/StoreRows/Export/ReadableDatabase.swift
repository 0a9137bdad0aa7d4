import StoreCoreData
import StoreDataModel
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// The plan of a readable database: tables and views named as in the model.
///
/// An object has a row in the table of its own entity and in those of its ancestors, each with the properties that entity
/// declares; so a key of any entity can be declared as a foreign key. The views `NAME_flat` join what that put apart.
struct ReadableDatabase {
  private(set) var entities: [EntityTable] = []
  private(set) var links: [LinkTable] = []

  /// The table of an entity.
  struct EntityTable {
    var entity: EntityLayout
    var name: String
    /// The table of the parent entity.
    var parent: String?
    /// Whether it is the root of a family, so that a column says which entity an object is of.
    var hasEntityColumn: Bool
    var columns: [Column]
  }

  /// A column of an entity's table.
  struct Column {
    /// The name in the readable database.
    var name: String
    /// The column of the result of `rows`; nil for an order key.
    var source: RowColumn
    var declaredType: String
    /// The table a key leads to.
    var references: String?
  }

  /// A table with the links of a to-many relationship that has no key in its destination's table.
  struct LinkTable {
    var name: String
    var relationship: StoredRelationship
    /// The columns of both ends, and the tables they lead to.
    var ends: [(column: String, references: String)]
    /// The columns with the places of the objects in ordered relationships, by the columns of the store.
    var orders: [(column: String, stored: String)]
    /// The columns of the store: both ends.
    var stored: (table: String, ends: [String])
    /// The entity whose rows the links are stored in, if it is not a join table.
    var kinds: Set<EntityID>?
  }

  init(_ store: Store, _ map: StoreMap) {
    var taken: Set<String> = ["_about", "_dangling"]
    var names: [EntityID: String] = [:]
    let shown = store.layout.entities.filter { !$0.id.isInternal && $0.tableExists }
    for entity in shown { names[entity.id] = Self.unique(entity.name, among: &taken) }
    let tableOf: (String?) -> String? = { name in name.flatMap { map.entity(named: $0) }.flatMap { names[$0.id] } }
    for entity in shown {
      guard let name = names[entity.id] else { continue }
      let columns = Self.columns(of: entity, in: store, tableOf: tableOf)
      entities.append(
        EntityTable(
          entity: entity, name: name, parent: tableOf(entity.parent),
          hasEntityColumn: entity.parent == nil && map.kinds(of: entity.id).count > 1, columns: columns))
    }
    for relationship in map.relationships {
      if let table = Self.linkTable(relationship, in: store, map: map, tableOf: tableOf, taken: &taken) {
        links.append(table)
      }
    }
  }

  /// A name that no other object of the database has; SQLite does not tell capitals from small letters of ASCII.
  private static func unique(_ name: String, among taken: inout Set<String>) -> String {
    var candidate = name.lowercased().hasPrefix("sqlite_") ? "_" + name : name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }

  private static func columns(
    of entity: EntityLayout, in store: Store, tableOf: (String?) -> String?
  ) -> [Column] {
    var taken: Set<String> = ["_key", "_entity"]
    let own = entity.modelName ?? entity.name
    var columns: [Column] = []
    for column in RowPlan.allColumns(of: entity, [entity], in: store) {
      switch column.content {
      case .key, .entity, .version, .state, .cloudKit, .recordName, .origin, .toMany: continue
      case .stored: columns.append(Column(name: unique(column.name, among: &taken), source: column, declaredType: ""))
      case .attribute(let type):
        let attribute = entity.attributes.first { attribute in
          attribute.columns.contains { ([attribute.property.name] + $0.leaf).joined(separator: ".") == column.name }
        }
        guard attribute?.declaredBy == own || entity.parent == nil else { continue }
        columns.append(
          Column(name: unique(column.name, among: &taken), source: column, declaredType: type.readableColumnType))
      case .toOne(let destination):
        let relationship = entity.relationships.first { $0.name == column.name }
        guard relationship?.declaredBy == own || entity.parent == nil else { continue }
        columns.append(
          Column(
            name: unique(column.name, among: &taken), source: column, declaredType: "INTEGER",
            references: tableOf(destination)))
      }
    }
    return columns
  }

  private static func linkTable(
    _ relationship: StoredRelationship, in store: Store, map: StoreMap, tableOf: (String?) -> String?,
    taken: inout Set<String>
  ) -> LinkTable? {
    let name = relationship.layout.name
    guard let owner = tableOf(relationship.owner.name), let target = tableOf(relationship.layout.destination) else {
      return nil
    }
    let ownerColumn = owner.uncapitalised
    let targetColumn = target == owner ? name : target.uncapitalised
    func table(_ stored: (String, [String]), orders: [(String, String)], kinds: Set<EntityID>?) -> LinkTable {
      var columns: Set<String> = []
      return LinkTable(
        name: unique("\(owner)_\(name)", among: &taken), relationship: relationship,
        ends: [(unique(ownerColumn, among: &columns), owner), (unique(targetColumn, among: &columns), target)],
        orders: orders.map { (unique("\($0.0)_order", among: &columns), $0.1) }, stored: stored, kinds: kinds)
    }
    switch relationship.layout.storage {
    case .hiddenKey(let stored, let column?, let order):
      return table(
        (stored, [column, "Z_PK"]), orders: order.map { [(name, $0)] } ?? [],
        kinds: relationship.destination.map { map.kinds(of: $0.id) })
    case .joinTable(let stored?):
      // A join table is written once, for the relationship it is named after.
      guard let join = store.layout.joinTables.first(where: { $0.name == stored }),
        map.relationship(join.source.relationship, of: join.source.entity) == relationship
      else { return nil }
      var orders: [(String, String)] = []
      if let order = join.source.orderColumn { orders.append((join.source.relationship, order)) }
      if let order = join.destination.orderColumn, order != join.source.orderColumn {
        orders.append((join.destination.relationship, order))
      }
      return table((stored, [join.source.column, join.destination.column]), orders: orders, kinds: nil)
    default: return nil
    }
  }
}

extension AttributeType {
  /// The type of a column of a readable database, which decides how SQLite keeps its values.
  fileprivate var readableColumnType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "REAL"
    case .decimal: "NUMERIC"
    case .string, .uri, .uuid, .date: "TEXT"
    case .binary: "BLOB"
    case .undefined, .transformable, .objectID, .composite, .unknown: ""
    }
  }
}

extension String {
  fileprivate var uncapitalised: String { prefix(1).lowercased() + dropFirst() }
}

// MARK: SQL

extension ReadableDatabase {
  /// The statements that make the empty tables, parents before children.
  var tables: [String] {
    var statements = [
      "CREATE TABLE _about (name TEXT PRIMARY KEY, value TEXT)",
      "CREATE TABLE _dangling (entity TEXT, key INTEGER, property TEXT, missing_key INTEGER)",
    ]
    for table in entities {
      var columns = ["_key INTEGER PRIMARY KEY"]
      if let parent = table.parent { columns[0] += " REFERENCES \(quotedIdentifier(parent)) (_key)" }
      if table.hasEntityColumn { columns.append("_entity TEXT") }
      columns += table.columns.map { column in
        let reference = column.references.map { " REFERENCES \(quotedIdentifier($0)) (_key)" } ?? ""
        return [quotedIdentifier(column.name), column.declaredType].filter { !$0.isEmpty }.joined(separator: " ")
          + reference
      }
      statements.append("CREATE TABLE \(quotedIdentifier(table.name)) (\(columns.joined(separator: ", ")))")
    }
    for table in links {
      var columns = table.ends.map { end in
        "\(quotedIdentifier(end.column)) INTEGER NOT NULL REFERENCES \(quotedIdentifier(end.references)) (_key)"
      }
      columns += table.orders.map { "\(quotedIdentifier($0.column)) INTEGER" }
      statements.append("CREATE TABLE \(quotedIdentifier(table.name)) (\(columns.joined(separator: ", ")))")
    }
    return statements
  }

  /// The statements that move links without an end to `_dangling`, so that all foreign keys hold.
  var danglingLinks: [String] {
    var statements: [String] = []
    for table in entities {
      let name = quotedIdentifier(table.name)
      for column in table.columns {
        guard let target = column.references else { continue }
        let key = quotedIdentifier(column.name)
        let isMissing = "\(key) IS NOT NULL AND \(key) NOT IN (SELECT _key FROM \(quotedIdentifier(target)))"
        statements.append(
          "INSERT INTO _dangling SELECT \(sqlText(table.entity.name)), _key, \(sqlText(column.source.name)), \(key)"
            + " FROM \(name) WHERE \(isMissing)")
        statements.append("UPDATE \(name) SET \(key) = NULL WHERE \(isMissing)")
      }
    }
    for table in links {
      let (own, other) = (table.ends[0], table.ends[1])
      let name = quotedIdentifier(table.name)
      let lacks: ((column: String, references: String)) -> String = { end in
        "\(quotedIdentifier(end.column)) NOT IN (SELECT _key FROM \(quotedIdentifier(end.references)))"
      }
      statements.append(
        "INSERT INTO _dangling SELECT \(sqlText(table.relationship.owner.name)), \(quotedIdentifier(own.column)),"
          + " \(sqlText(table.relationship.layout.name)), \(quotedIdentifier(other.column))"
          + " FROM \(name) WHERE \(lacks(own)) OR \(lacks(other))")
      statements.append("DELETE FROM \(name) WHERE \(lacks(own)) OR \(lacks(other))")
    }
    return statements
  }

  /// The statements that make indexes of all keys, and the views of families of entities.
  var indexesAndViews: [String] {
    var taken = Set((entities.map(\.name) + links.map(\.name)).map { $0.lowercased() } + ["_about", "_dangling"])
    var statements: [String] = []
    for table in entities {
      for column in table.columns where column.references != nil {
        let index = Self.unique("\(table.name)_by_\(column.name)", among: &taken)
        statements.append(
          "CREATE INDEX \(quotedIdentifier(index)) ON \(quotedIdentifier(table.name)) (\(quotedIdentifier(column.name)))"
        )
      }
    }
    for table in links {
      for end in table.ends {
        let index = Self.unique("\(table.name)_by_\(end.column)", among: &taken)
        statements.append(
          "CREATE INDEX \(quotedIdentifier(index)) ON \(quotedIdentifier(table.name)) (\(quotedIdentifier(end.column)))"
        )
      }
    }
    for table in entities {
      if let view = flatView(of: table, &taken) { statements.append(view) }
    }
    return statements
  }

  /// All objects of an entity with all their properties, those of subentities too; nil for an entity without family.
  private func flatView(of table: EntityTable, _ taken: inout Set<String>) -> String? {
    var ancestors: [EntityTable] = []
    while let parent = (ancestors.last ?? table).parent, let next = entities.first(where: { $0.name == parent }),
      ancestors.count < 64
    {
      ancestors.append(next)
    }
    var descendants: [EntityTable] = []
    var pending = [table.name]
    while let name = pending.popLast() {
      let children = entities.filter { $0.parent == name && $0.name != table.name }
      descendants += children
      pending += children.map(\.name)
    }
    guard !ancestors.isEmpty || !descendants.isEmpty, ancestors.count + descendants.count < 60 else { return nil }
    let own = quotedIdentifier(table.name)
    var columns = ["\(own)._key AS _key"]
    if let root = ([table] + ancestors).first(where: \.hasEntityColumn) {
      columns.append("\(quotedIdentifier(root.name))._entity AS _entity")
    }
    var places: [(name: String, places: [String])] = []
    for member in ancestors.reversed() + [table] + descendants {
      for column in member.columns {
        let place = "\(quotedIdentifier(member.name)).\(quotedIdentifier(column.name))"
        if let known = places.firstIndex(where: { $0.name == column.name }) {
          places[known].places.append(place)
        } else {
          places.append((column.name, [place]))
        }
      }
    }
    columns += places.map { name, places in
      let value = places.count == 1 ? places[0] : "coalesce(\(places.joined(separator: ", ")))"
      return "\(value) AS \(quotedIdentifier(name))"
    }
    guard columns.count <= 1_900 else { return nil }
    let joins =
      ancestors.map { " JOIN \(quotedIdentifier($0.name)) ON \(quotedIdentifier($0.name))._key = \(own)._key" }
      + descendants.map { " LEFT JOIN \(quotedIdentifier($0.name)) ON \(quotedIdentifier($0.name))._key = \(own)._key" }
    let name = Self.unique("\(table.name)_flat", among: &taken)
    return
      "CREATE VIEW \(quotedIdentifier(name)) AS SELECT \(columns.joined(separator: ", ")) FROM \(own)\(joins.joined())"
  }

  private func sqlText(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
