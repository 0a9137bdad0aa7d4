import StoreSQLite

/// Rows of one table to insert, change or delete, identified by their key columns, with their new values.
///
/// Made for a million rows: all values are in one array, and those equal for all rows are stored once.
package struct RowEdit: Sendable, Equatable {
  /// The kinds of changes to rows.
  package enum Action: String, Sendable { case insert, update, delete }

  /// The table, which exists in the store.
  package var table: String
  /// The change to the rows.
  package var action: Action
  /// The columns that identify a row: `Z_PK`, or the two columns of a join table.
  package var keyColumns: [String]
  /// The columns that are set.
  package var setColumns: [String]
  /// The values of `setColumns` if they are equal for all rows; otherwise nil, and `rows` holds them.
  package var shared: [SQLiteValue]?
  /// Row after row: the values of the key columns, then those of `setColumns` unless they are shared.
  package var rows: SQLiteValues
  /// Whether to raise `Z_OPT`, the optimistic lock counter, as Core Data does when it saves an object.
  package var countsLock: Bool
  /// Whether the store's own triggers make the change; carrying it out then confirms that they did.
  package var isByTriggers = false

  /// An edit without rows.
  init(
    _ action: Action, _ table: String, key keyColumns: [String] = ["Z_PK"], set setColumns: [String] = [],
    shared: [SQLiteValue]? = nil, countsLock: Bool = false
  ) {
    self.table = table
    self.action = action
    self.keyColumns = keyColumns
    self.setColumns = setColumns
    self.shared = shared
    rows = SQLiteValues()
    self.countsLock = countsLock
  }

  /// The number of values in `rows` for each row.
  package var width: Int { keyColumns.count + (shared == nil ? setColumns.count : 0) }

  /// The number of rows.
  package var count: Int { width == 0 ? 0 : rows.count / width }

  /// Adds a row.
  mutating func add(key: [SQLiteValue], set: [SQLiteValue] = []) {
    rows += key
    if shared == nil { rows += set }
  }

  /// Adds an object's row.
  mutating func add(_ key: Int64, set: [SQLiteValue] = []) {
    rows.append(.integer(key))
    if shared == nil { rows += set }
  }
}

extension RowEdit {
  /// An edit that changes objects and raises their lock counters.
  static func objects(
    _ table: String, set columns: [String], shared: [SQLiteValue]? = nil
  ) -> RowEdit {
    RowEdit(.update, table, set: columns, shared: shared, countsLock: true)
  }
}

extension RowEdit {
  /// The keys of the objects it changes; none for links.
  var objectKeys: [Int64] {
    guard keyColumns == ["Z_PK"] else { return [] }
    return stride(from: 0, to: rows.count, by: max(width, 1)).compactMap { position in
      if case .integer(let key) = rows[position] { key } else { nil }
    }
  }
}
