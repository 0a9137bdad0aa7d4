import StoreSQLite

/// Rows of one table to be inserted, changed or deleted: which, by the values of their key columns, and what they get.
///
/// A million rows fit: all values lie in one array, and what is the same for every row is there once.
public struct RowEdit: Sendable, Equatable {
  /// What happens to the rows.
  public enum Action: String, Sendable { case insert, update, delete }

  /// The table; one of the store's own.
  public var table: String
  /// What happens to the rows.
  public var action: Action
  /// What tells a row apart: `Z_PK`, or the two columns of a join table.
  public var keyColumns: [String]
  /// The columns that get values.
  public var setColumns: [String]
  /// The values of `setColumns` where they are the same for every row; else they stand in `rows`.
  public var shared: [SQLiteValue]?
  /// Row after row: the values of the key columns, then those of `setColumns` unless they are shared.
  public var rows: SQLiteValues
  /// Whether `Z_OPT` counts one more, as it does whenever Core Data saves an object.
  public var countsLock: Bool

  /// An edit of no row yet.
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

  /// Values of one row in `rows`.
  public var width: Int { keyColumns.count + (shared == nil ? setColumns.count : 0) }

  /// How many rows.
  public var count: Int { width == 0 ? 0 : rows.count / width }

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
  /// Objects that get values: their lock counters count one more.
  static func objects(
    _ table: String, set columns: [String], shared: [SQLiteValue]? = nil
  ) -> RowEdit {
    RowEdit(.update, table, set: columns, shared: shared, countsLock: true)
  }
}

extension RowEdit {
  /// The keys of the objects it is about; none for links.
  var objectKeys: [Int64] {
    guard keyColumns == ["Z_PK"] else { return [] }
    return stride(from: 0, to: rows.count, by: max(width, 1)).compactMap { position in
      if case .integer(let key) = rows[position] { key } else { nil }
    }
  }
}
