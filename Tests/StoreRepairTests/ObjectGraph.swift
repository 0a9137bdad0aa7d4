import StoreDataModel
import StoreCoreData
import StoreSQLite
import Testing

/// An object, identified by its root entity and its key.
struct Node: Hashable, Comparable, CustomStringConvertible {
  var root: String
  var key: Int64

  var description: String { "\(root) \(key)" }

  static func < (left: Node, right: Node) -> Bool { (left.root, left.key) < (right.root, right.key) }
}

/// Objects with their values and links, independent of how a store keeps them.
struct ObjectGraph: Equatable {
  var objects: [Node: Object] = [:]

  struct Object: Equatable {
    var entity: String
    /// The attributes that are not NULL; a composite attribute is one value.
    var attributes: [String: String] = [:]
    /// The relationships that are not empty; unordered ones are sorted.
    var links: [String: [Node]] = [:]
  }

  /// One line for each object, for messages of failed tests.
  var lines: [String] {
    objects.sorted { $0.key < $1.key }.map { node, object in
      let values = object.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let links = object.links.sorted { $0.key < $1.key }.map { "\($0.key)->\($0.value.map(\.key))" }
      return "\(object.entity) \(node.key): " + (values + links).joined(separator: " ")
    }
  }
}

// MARK: Read from a store

extension ObjectGraph {
  private typealias TableRow = [String: SQLiteValue]

  /// Reads the graph of a store; what Core Data would not accept is recorded as an issue.
  init(_ store: Store, _ connection: Connection) throws {
    let entities = store.layout.entities
    var tables: [String: [TableRow]] = [:]
    for name in Set(entities.map(\.table) + store.layout.joinTables.map(\.name)) where store.shape.tables[name] != nil {
      tables[name] = try Self.rows(name, store, connection)
    }
    for root in entities where root.parent == nil && !root.id.isInternal {
      for row in tables[root.table] ?? [] {
        let entity = try #require(entities.first { .integer($0.id.number) == row["Z_ENT"] })
        let key = try #require(row.integer("Z_PK"))
        var object = Object(entity: entity.name)
        for attribute in entity.attributes {
          let values = attribute.columns.compactMap { column in column.name.flatMap { row[$0] } }
          if !values.allSatisfy(\.isNull) { object.attributes[attribute.property.name] = "\(values)" }
        }
        for relationship in entity.relationships {
          let links = try Self.links(of: relationship, key, row, store.layout, tables)
          if !links.isEmpty { object.links[relationship.name] = links }
        }
        objects[Node(root: root.name, key: key)] = object
      }
    }
    for object in objects.values {
      for node in object.links.values.joined() where objects[node] == nil { Issue.record("a link leads to no \(node)") }
    }
  }

  private static func rows(_ table: String, _ store: Store, _ connection: Connection) throws -> [TableRow] {
    let columns = store.shape.tables[table]?.columns.map(\.name) ?? []
    let statement = try connection.prepare(
      "SELECT \(columns.map(quotedIdentifier).joined(separator: ", ")) FROM \(quotedIdentifier(table)) ORDER BY 1, 2")
    var rows: [TableRow] = []
    while try statement.step() {
      rows.append(Dictionary(uniqueKeysWithValues: columns.indices.map { (columns[$0], statement.value($0)) }))
    }
    return rows
  }

  private static func links(
    of relationship: RelationshipLayout, _ key: Int64, _ row: TableRow, _ layout: Layout, _ tables: [String: [TableRow]]
  ) throws -> [Node] {
    let destination = try #require(relationship.destination.flatMap { layout.entity(named: $0) })
    func node(_ key: Int64) -> Node { Node(root: destination.root, key: key) }
    switch relationship.storage {
    case .none: return []
    case .key(let column, let companion, let order):
      guard let column, let other = row.integer(column) else {
        for rest in [companion, order].compactMap(\.self) { #expect(row[rest] == .null, "\(rest) without a key") }
        return []
      }
      let target = try #require(tables[destination.table]?.first { $0.integer("Z_PK") == other })
      if let companion { #expect(row[companion] == target["Z_ENT"], "companion of \(relationship.name)") }
      return [node(other)]
    case .inverseKey(let table, let column):
      let column = try #require(column)
      let inverse = try #require(destination.relationships.first { $0.name == relationship.inverse })
      guard case .key(_, _, let order) = inverse.storage else { return [] }
      let rows = (tables[table] ?? []).filter { $0.integer(column) == key }
      return sorted(rows, by: relationship.isOrdered ? order : nil, "Z_PK").map(node)
    case .hiddenKey(let table, let column, let order):
      let column = try #require(column)
      let rows = (tables[table] ?? []).filter { $0.integer(column) == key }
      return sorted(rows, by: relationship.isOrdered ? order : nil, "Z_PK").map(node)
    case .joinTable(let name):
      let join = try #require(layout.joinTables.first { $0.name == name })
      let isSource = join.source.relationship == relationship.name && join.source.entity == relationship.declaredBy
      let (own, other) = isSource ? (join.source, join.destination) : (join.destination, join.source)
      let rows = (tables[join.name] ?? []).filter { $0.integer(own.column) == key }
      return sorted(rows, by: relationship.isOrdered ? own.orderColumn : nil, other.column).map(node)
    }
  }

  private static func sorted(_ rows: [TableRow], by order: String?, _ key: String) -> [Int64] {
    if let order {
      let places = rows.compactMap { $0.integer(order) }
      #expect(Set(places).count == rows.count, "each link has a place of its own in \(order)")
    }
    return rows.sorted {
      (order.flatMap($0.integer) ?? 0, $0.integer(key) ?? 0) < (order.flatMap($1.integer) ?? 0, $1.integer(key) ?? 0)
    }
    .compactMap { $0.integer(key) }
  }
}

extension [String: SQLiteValue] {
  fileprivate func integer(_ column: String) -> Int64? {
    if case .integer(let number)? = self[column] { number } else { nil }
  }
}
