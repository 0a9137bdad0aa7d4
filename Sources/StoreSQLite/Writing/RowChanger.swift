/// Applies changes to one table row by row, for tables that SQLite's `sqlite3changeset_apply` cannot change.
///
/// Each row is read by its key and compared here, so that no statement grows deeper with the number of columns:
///
///     SELECT all columns WHERE key = ?      is the row as the change expects?
///     UPDATE changed columns WHERE key = ?, INSERT, or DELETE
///
/// A change that a unique index forbids is tried again after the others, as SQLite does: two rows may have swapped
/// their values.
final class RowChanger {
  private let connection: Connection
  private let table: String
  private let columns: [String]
  private let keys: [Int]
  /// For each column, whether it only counts up.
  private let counts: [Bool]
  private var selection: Statement?
  private var insertion: Statement?
  private var deletion: Statement?
  /// The last update, and the columns it sets.
  private var update: (columns: [Int], statement: Statement)?
  /// Changes that a constraint forbade so far.
  private var waiting: [Changeset.Change] = []

  /// - Parameter table: the shape of the changes, which has been compared with the table's.
  init(of connection: Connection, table: Changeset.Table, counting: [CountingColumn]) throws(SQLiteError) {
    self.connection = connection
    self.table = table.name
    let names = try connection.columns(of: table.name).filter { $0.kind == .ordinary }.map(\.name)
    columns = names
    keys = table.keyColumns.indices.filter { table.keyColumns[$0] }
    let own = counting.filter { $0.table.lowercased() == table.name.lowercased() }
    counts = names.map { name in own.contains { $0.column.lowercased() == name.lowercased() } }
  }

  /// Applies a change, or keeps it for `finish` where another has to come first.
  ///
  /// - Throws: `ChangesetError`, `SQLiteError`.
  func apply(_ change: Changeset.Change) throws {
    if try !attempt(change) { waiting.append(change) }
  }

  /// Applies the changes that had to wait.
  ///
  /// - Throws: `ChangesetError` where a constraint still forbids some.
  func finish() throws {
    while !waiting.isEmpty {
      let tried = waiting
      waiting = try tried.filter { try !attempt($0) }
      if waiting.count == tried.count { throw ChangesetError.conflict(table: table) }
    }
  }

  /// Compiles the longest statement of each kind, to find out whether there can be changes of this table.
  ///
  /// - Throws: `SQLiteError`.
  func compileAll() throws(SQLiteError) {
    for sql in [selectionSQL, insertionSQL, deletionSQL, updateSQL(Array(columns.indices))] {
      _ = try connection.prepare(sql)
    }
  }

  /// Makes a change; returns false where a constraint forbids it.
  private func attempt(_ change: Changeset.Change) throws -> Bool {
    do {
      switch change {
      case .insert(let values): try insert(values)
      case .delete(let values): try delete(values)
      case .update(let old, let new): try update(old, to: new)
      }
      return true
    } catch let error as SQLiteError where error.isConstraint {
      return false
    }
  }

  private func insert(_ values: [SQLiteValue?]) throws {
    guard try row(values) == nil else { throw ChangesetError.conflict(table: table) }
    let statement = try insertion ?? connection.prepare(insertionSQL)
    insertion = statement
    for (column, value) in values.enumerated() { try statement.bind(value ?? .null, at: column + 1) }
    try run(statement)
  }

  private func delete(_ values: [SQLiteValue?]) throws {
    _ = try rowAsExpected(values)
    let statement = try deletion ?? connection.prepare(deletionSQL)
    deletion = statement
    try bindKey(of: values, to: statement, from: 1)
    try run(statement)
  }

  private func update(_ old: [SQLiteValue?], to new: [SQLiteValue?]) throws {
    let now = try rowAsExpected(old)
    var new = new
    for column in columns.indices where counts[column] && new[column] != nil && !isEqual(now[column], old[column]) {
      guard case .integer(let number) = now[column] else { throw ChangesetError.conflict(table: table) }
      let other: Int64? = if case .integer(let other) = new[column] { other } else { nil }
      new[column] = .integer(max(number, other ?? number))
    }
    let changed = columns.indices.filter { new[$0] != nil }
    guard !changed.isEmpty else { return }
    let statement: Statement
    if let update, update.columns == changed {
      statement = update.statement
    } else {
      statement = try connection.prepare(updateSQL(changed))
      update = (changed, statement)
    }
    for (place, column) in changed.enumerated() { try statement.bind(new[column] ?? .null, at: place + 1) }
    try bindKey(of: old, to: statement, from: changed.count + 1)
    try run(statement)
  }

  /// Runs a statement that returns no rows, and makes it ready for the next values.
  private func run(_ statement: Statement) throws(SQLiteError) {
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// The row that `expected` names by its key, which has its values; columns that count may differ.
  private func rowAsExpected(_ expected: [SQLiteValue?]) throws -> [SQLiteValue] {
    guard let now = try row(expected),
      columns.indices.allSatisfy({ counts[$0] || expected[$0] == nil || isEqual(now[$0], expected[$0]) })
    else { throw ChangesetError.conflict(table: table) }
    return now
  }

  /// Whether two values are the same. A whole number may be stored as an integer or a real.
  private func isEqual(_ value: SQLiteValue, _ other: SQLiteValue?) -> Bool {
    switch (value, other) {
    case (.integer(let whole), .real(let number)?), (.real(let number), .integer(let whole)?):
      Int64(exactly: number) == whole
    default: value == other
    }
  }

  /// The row with the key in `values`.
  private func row(_ values: [SQLiteValue?]) throws -> [SQLiteValue]? {
    let statement = try selection ?? connection.prepare(selectionSQL)
    selection = statement
    try bindKey(of: values, to: statement, from: 1)
    defer { statement.reset() }
    return try statement.step() ? columns.indices.map { statement.value($0) } : nil
  }

  private func bindKey(of values: [SQLiteValue?], to statement: Statement, from first: Int) throws(SQLiteError) {
    for (place, column) in keys.enumerated() { try statement.bind(values[column] ?? .null, at: first + place) }
  }

  private var name: String { quotedIdentifier(table) }
  private func list(_ columns: some Sequence<Int>) -> String {
    columns.map { quotedIdentifier(self.columns[$0]) }.joined(separator: ",")
  }
  private var ofKey: String { keys.map { "\(quotedIdentifier(columns[$0]))=?" }.joined(separator: " AND ") }
  private var selectionSQL: String { "SELECT \(list(columns.indices)) FROM \(name) WHERE \(ofKey)" }
  private var deletionSQL: String { "DELETE FROM \(name) WHERE \(ofKey)" }
  private var insertionSQL: String {
    "INSERT INTO \(name)(\(list(columns.indices)))VALUES(\(columns.map { _ in "?" }.joined(separator: ",")))"
  }
  private func updateSQL(_ changed: [Int]) -> String {
    let assignments = changed.map { "\(quotedIdentifier(columns[$0]))=?" }.joined(separator: ",")
    return "UPDATE \(name) SET \(assignments) WHERE \(ofKey)"
  }
}
