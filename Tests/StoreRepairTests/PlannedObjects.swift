import StoreRepair
import StoreRows
import StoreSQLite
import Testing

@testable import StoreCoreData

/// What a plan of repair does to objects and links, held against what `compare` finds between the store and the result.
///
/// The plan names tables, columns and keys; a comparison names entities and properties. What columns hold is read with
/// SQL from both files, so that neither side is believed.
struct PlannedObjects {
  let before: String
  let after: String
  private var columns: [Row: Set<String>] = [:]
  private var removed: Set<Row> = []
  private var added: Set<Row> = []
  /// Links by join table: the key in each column.
  private var links: [String: [[String: Int64]]] = [:]

  private struct Row: Hashable {
    var table: String
    var key: Int64
  }

  init(_ plan: RepairPlan, before: String, after: String) {
    (self.before, self.after) = (before, after)
    for operation in plan.operations {
      guard case .rows(let edit) = operation.edit else { continue }
      for start in stride(from: 0, to: edit.rows.count, by: max(edit.width, 1)) {
        let keys = edit.keyColumns.indices.map { place -> Int64? in
          if case .integer(let key) = edit.rows[start + place] { key } else { nil }
        }
        guard edit.keyColumns == ["Z_PK"] else {
          let pairs = zip(edit.keyColumns, keys).compactMap { column, key in key.map { (column, $0) } }
          links[edit.table, default: []].append(Dictionary(uniqueKeysWithValues: pairs))
          continue
        }
        guard let key = keys[0] else { continue }
        switch edit.action {
        case .insert: added.insert(Row(table: edit.table, key: key))
        case .delete: removed.insert(Row(table: edit.table, key: key))
        case .update: columns[Row(table: edit.table, key: key), default: []].formUnion(edit.setColumns)
        }
      }
    }
  }

  /// Compares both, and holds each against the other.
  func expectInComparison(_ name: String) throws {
    let (one, other) = (try Store(path: before), try Store(path: after))
    var changes: [ObjectChange] = []
    _ = try compareStores(one, other) { changes.append($0) }
    var found: [Row: Set<String>] = [:]
    var (gone, new): (Set<Row>, Set<Row>) = ([], [])
    for change in changes {
      let entity = try #require(other.layout.entity(named: change.entity))
      if change.kind == .removed || change.kind == .moved, let key = change.keyBefore {
        gone.insert(Row(table: entity.table, key: key))
      }
      if change.kind == .added || change.kind == .moved, let key = change.keyAfter {
        new.insert(Row(table: entity.table, key: key))
      }
      guard change.kind == .changed, let key = change.keyBefore else { continue }
      let row = Row(table: entity.table, key: key)
      found[row] = Set(change.values.map(\.property))
      for value in change.values {
        #expect(
          try isPlanned(value.property, of: entity, row, in: other),
          "the plan says nothing of \(change.entity) \(key) \(value.property): \(name)")
      }
    }
    #expect(gone == removed, "removed objects: \(name)")
    #expect(new == added, "added objects: \(name)")
    try expectFound(found, one, name)
  }

  /// Whether the plan does something that changes this property of this object.
  private func isPlanned(_ property: String, of entity: EntityLayout, _ row: Row, in store: Store) throws -> Bool {
    if let attribute = entity.attributes.first(where: { $0.property.name == property }) {
      return attribute.columns.contains { $0.name.map { columns[row]?.contains($0) == true } ?? false }
    }
    let relationship = try #require(entity.relationships.first { $0.name == property })
    switch relationship.storage {
    case .key(let column, let companion, _):
      return [column, companion].contains { $0.map { columns[row]?.contains($0) == true } ?? false }
    case .inverseKey(let table, let column): return try isLinked(row.key, table, column)
    case .hiddenKey(let table, let column, _): return try isLinked(row.key, table, column)
    case .joinTable(let table):
      return table.map { links[$0, default: []].contains { $0.values.contains(row.key) } } ?? false
    case .none: return false
    }
  }

  /// Whether the plan touches a row that leads, or led, to this key.
  private func isLinked(_ key: Int64, _ table: String, _ column: String?) throws -> Bool {
    guard let column else { return false }
    let touched = removed.union(added).union(columns.keys).filter { $0.table == table }
    return try touched.contains { row in
      try [before, after].contains { try value(of: column, row, in: $0) == "integer \(key)" }
    }
  }

  /// Each column that has another value afterwards, and each link, is found as a property.
  private func expectFound(_ found: [Row: Set<String>], _ store: Store, _ name: String) throws {
    for (row, columns) in columns where !removed.contains(row) && !added.contains(row) {
      guard let entity = try self.entity(of: row, in: store) else { continue }
      for column in columns {
        let (old, new) = (try value(of: column, row, in: before), try value(of: column, row, in: after))
        guard old != new, let property = property(in: column, of: entity) else { continue }
        #expect(
          found[row]?.contains(property) == true, "\(entity.name) \(row.key) \(property) \(old) \(new): \(name)")
        guard let inverse = entity.relationships.first(where: { $0.name == property }) else { continue }
        for text in [old, new] {
          guard let destination = inverse.destination.flatMap({ store.layout.entity(named: $0) }),
            text.hasPrefix("integer "),
            let key = Int64(text.dropFirst(8)), let back = inverse.inverse,
            // The other end of a one-to-one has a key of its own, which the plan sets or leaves.
            destination.relationships.contains(where: { $0.name == back && $0.isToMany })
          else { continue }
          let end = Row(table: destination.table, key: key)
          guard try exists(end) else { continue }
          #expect(found[end]?.contains(back) == true, "\(destination.name) \(key) \(back): \(name)")
        }
      }
    }
    for (table, links) in links {
      guard let layout = store.layout.joinTables.first(where: { $0.name == table }) else { continue }
      for link in links {
        let ends = [(layout.source, layout.destination), (layout.destination, layout.source)]
        // A relationship that is its own inverse is read from the source's end.
        let isOwnInverse =
          layout.source.relationship == layout.destination.relationship
          && layout.source.entity == layout.destination.entity
        for (end, other) in isOwnInverse ? Array(ends.prefix(1)) : ends {
          guard let key = link[end.column], let entity = store.layout.entity(named: end.entity) else { continue }
          let row = Row(table: entity.table, key: key)
          guard try exists(row) else { continue }
          let lists = try [before, after].map { try linked(to: key, table, end, other, in: $0) }
          #expect(
            lists[0] == lists[1] || found[row]?.contains(end.relationship) == true,
            "\(entity.name) \(key) \(end.relationship) \(lists): \(name)")
        }
      }
    }
  }

  /// The keys that an object is linked with through a join table, in their order; a link to NULL is none.
  private func linked(
    to key: Int64, _ table: String, _ end: JoinTableLayout.End, _ other: JoinTableLayout.End, in path: String
  ) throws -> String {
    let (column, keys) = (end.column, other.column)
    let order = (end.orderColumn.map { "ifnull(\"\($0)\", 0), " } ?? "") + "\"\(keys)\""
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let statement = try connection.prepare(
      "SELECT \"\(keys)\" FROM \"\(table)\" NOT INDEXED WHERE \"\(column)\" = \(key) AND \"\(keys)\" IS NOT NULL"
        + " ORDER BY \(order)")
    var found: [String] = []
    while try statement.step() { found.append(statement.string(0) ?? "none") }
    return found.joined(separator: " ")
  }

  private func property(in column: String, of entity: EntityLayout) -> String? {
    entity.attributes.first { $0.columns.contains { $0.name == column } }?.property.name
      ?? entity.relationships.first {
        if case .key(let own?, _, _) = $0.storage { own == column } else { false }
      }?.name
  }

  private func exists(_ row: Row) throws -> Bool {
    try [before, after].allSatisfy { try value(of: "Z_PK", row, in: $0) != "none" }
  }

  private func entity(of row: Row, in store: Store) throws -> EntityLayout? {
    let text = try value(of: "Z_ENT", row, in: before)
    return Int64(text.dropFirst("integer ".count)).flatMap { number in
      store.layout.entities.first { $0.id.number == number }
    }
  }

  /// A stored value with its class: "integer 3"; "none" where there is no such row.
  private func value(of column: String, _ row: Row, in path: String) throws -> String {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    let statement = try connection.prepare(
      "SELECT typeof(\"\(column)\") || ' ' || quote(\"\(column)\") FROM \"\(row.table)\" NOT INDEXED WHERE Z_PK = \(row.key)"
    )
    return try statement.step() ? statement.string(0) ?? "none" : "none"
  }
}
