import StoreCoreData
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// What the store's own triggers change while one operation is carried out: counters and derived columns.
///
/// A statement says how many rows it changes itself, and nothing of what follows from it. This is gathered from
/// changesets, and becomes operations of the plan that are confirmed, not carried out: the triggers do that.
final class TriggeredChanges {
  private let connection: Connection
  /// What the operation itself does.
  private let edit: RowEdit?
  private var rows: [Place: Change] = [:]
  private var columns: [String: [String]] = [:]
  private let shadows: Set<String>

  fileprivate struct Place: Hashable {
    var table: String
    var keyColumns: [String]
    var key: [SQLiteValue]
  }

  private struct Change {
    var action: RowEdit.Action
    var values: [String: SQLiteValue] = [:]
  }

  /// - Parameter schema: the objects of the store's schema.
  init(of operation: Operation, on connection: Connection, schema: [SchemaObject]) {
    self.connection = connection
    edit = if case .rows(let edit) = operation.edit { edit } else { nil }
    // What an R-tree keeps of itself is an index, not rows.
    shadows = Set(
      schema.filter(\.isVirtualTable).flatMap { table in
        ["_node", "_rowid", "_parent"].map { (table.name + $0).lowercased() }
      })
  }

  /// Adds a part of what was changed.
  func add(_ changeset: Changeset) throws {
    try changeset.forEachChange { table, change, isByTrigger in
      guard !shadows.contains(table.name.lowercased()) else { return }
      let names = try columnNames(table.name)
      guard names.count == table.keyColumns.count else { return }
      let keys = names.indices.filter { table.keyColumns[$0] }
      func place(_ row: [SQLiteValue?]) -> Place {
        Place(table: table.name, keyColumns: keys.map { names[$0] }, key: keys.map { row[$0] ?? .null })
      }
      switch change {
      case .delete(let old): if isByTrigger { note(.delete, at: place(old), values: [:]) }
      case .insert(let new):
        let others = names.indices.filter { !table.keyColumns[$0] && new[$0] != SQLiteValue.null }
        let values = others.compactMap { index in new[index].map { (names[index], $0) } }
        if isByTrigger {
          note(.insert, at: place(new), values: Dictionary(values) { $1 })
        } else {
          noteBesides(values, at: place(new))
        }
      case .update(let old, let new):
        let values = names.indices.compactMap { index in new[index].map { (names[index], $0) } }
        if isByTrigger {
          note(.update, at: place(old), values: Dictionary(values) { $1 })
        } else {
          noteBesides(values, at: place(old))
        }
      }
    }
  }

  /// Values of a row of the operation's own that its statement does not set.
  private func noteBesides(_ values: [(String, SQLiteValue)], at place: Place) {
    guard let edit, edit.table == place.table else { return }
    let own = Set((edit.keyColumns + edit.setColumns + (edit.countsLock ? ["Z_OPT"] : [])).map { $0.lowercased() })
    let others = values.filter { !own.contains($0.0.lowercased()) }
    if !others.isEmpty { note(.update, at: place, values: Dictionary(others) { $1 }) }
  }

  private func note(_ action: RowEdit.Action, at place: Place, values: [String: SQLiteValue]) {
    guard var known = rows[place] else {
      rows[place] = Change(action: action, values: values)
      return
    }
    switch (known.action, action) {
    case (.insert, .delete): rows[place] = nil
    case (_, .delete): rows[place] = Change(action: .delete)
    default:
      known.values.merge(values) { $1 }
      rows[place] = known
    }
  }

  private func columnNames(_ table: String) throws -> [String] {
    if let names = columns[table] { return names }
    let names = try connection.columns(of: table).map(\.name)
    columns[table] = names
    return names
  }

  /// The changes as operations, in a fixed order.
  func operations(causedBy cause: Operation, in store: Store, map: StoreMap) -> [Operation] {
    struct Kind: Hashable {
      var table: String
      var keyColumns: [String]
      var action: RowEdit.Action
      var columns: [String]
    }
    let kinds = Dictionary(grouping: rows) { place, change in
      Kind(
        table: place.table, keyColumns: place.keyColumns, action: change.action,
        columns: change.values.keys.sorted(by: codeUnitsPrecede))
    }
    let ordered = kinds.sorted { left, right in
      if left.key.table != right.key.table { return codeUnitsPrecede(left.key.table, right.key.table) }
      if left.key.action != right.key.action { return left.key.action.rawValue < right.key.action.rawValue }
      return left.key.columns.joined(separator: ",") < right.key.columns.joined(separator: ",")
    }
    return ordered.map { kind, found in
      var edit = RowEdit(kind.action, kind.table, key: kind.keyColumns, set: kind.columns)
      edit.isByTriggers = true
      for (place, change) in found.sorted(by: { $0.key.precedes($1.key) }) {
        edit.add(key: place.key, set: kind.columns.map { change.values[$0] ?? .null })
      }
      return operation(edit, causedBy: cause, in: store, map: map)
    }
  }

  private func operation(_ edit: RowEdit, causedBy cause: Operation, in store: Store, map: StoreMap) -> Operation {
    let entity = map.entity(ofTable: edit.table)
    let named = edit.setColumns.map { column in property(in: column, of: edit.table, store) ?? column }
    let rows = counted(edit.count, "row") + " of \(quoted(entity?.name ?? edit.table))"
    let what =
      switch edit.action {
      case .insert: "\(rows) \(edit.count == 1 ? "is" : "are") added"
      case .delete: "\(rows) \(edit.count == 1 ? "is" : "are") deleted"
      case .update: "\(rows) \(edit.count == 1 ? "gets" : "get") another \(named.joined(separator: ", "))"
      }
    return Operation(
      cause.repair, summary: "by the store's own triggers: \(what)", entity: entity?.name,
      property: edit.setColumns.count == 1 ? named.first : nil, .rows(edit), grade: cause.grade)
  }

  private func property(in column: String, of table: String, _ store: Store) -> String? {
    for entity in store.layout.entities where entity.table == table {
      let found = entity.attributes.first { attribute in attribute.columns.contains { $0.name == column } }
      if let found { return found.property.name }
    }
    return nil
  }
}

extension TriggeredChanges.Place {
  fileprivate func precedes(_ other: Self) -> Bool {
    for (left, right) in zip(key, other.key) where left != right {
      if case .integer(let one) = left, case .integer(let two) = right { return one < two }
      return "\(left)" < "\(right)"
    }
    return false
  }
}

extension RowEdit {
  /// How many rows are as the store's own triggers were to leave them.
  func confirmed(on connection: Connection) throws -> Int {
    let match = keyColumns.enumerated().map { "\(quotedIdentifier($1)) IS ?\($0 + 1)" }.joined(separator: " AND ")
    let shown = setColumns.isEmpty ? "1" : setColumns.map(quotedIdentifier).joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(shown) FROM \(quotedIdentifier(table)) WHERE \(match)")
    var count = 0
    for row in 0..<self.count {
      let start = row * width
      for position in keyColumns.indices { try statement.bind(rows[start + position], at: position + 1) }
      let isThere = try statement.step()
      let isAsPlanned =
        action == .delete
        ? !isThere
        : isThere && setColumns.indices.allSatisfy { statement.value($0) == rows[start + keyColumns.count + $0] }
      if isAsPlanned { count += 1 }
      statement.reset()
    }
    return count
  }
}
