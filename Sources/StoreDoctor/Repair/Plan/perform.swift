import CoreDataModel
import CoreDataStore
import SQLite

/// Carries operations out, one after the other, within whatever transaction there is.
///
/// It decides nothing: the SQL follows from the operation alone, and names of tables and columns are those of the plan,
/// which were taken from the store.
/// - Throws: `RepairPlanError` where another number of rows changes than was said, and `SQLiteError`. What was done before
///   stays done: whoever holds the transaction rolls it back.
func perform(_ operations: [Operation], on connection: Connection) throws {
  for operation in operations {
    let changes: Int
    do {
      changes = try perform(operation.edit, on: connection)
    } catch let error as SQLiteError where error.isConstraint {
      throw RepairPlanError.notUnique(
        summary: operation.summary, constraint: String(error.message.split(separator: ":").last ?? "").trimmed)
    }
    guard changes == operation.expectedChanges else {
      throw RepairPlanError.otherChanges(
        summary: operation.summary, expected: operation.expectedChanges, found: changes)
    }
  }
}

/// Carries an edit out; how many rows, indexes or files changed.
private func perform(_ edit: Edit, on connection: Connection) throws -> Int {
  switch edit {
  case .rows(let rows): return try perform(rows, on: connection)
  case .reindex(let index):
    try connection.execute("REINDEX \(quotedIdentifier(index))")
    return 1
  case .createUniqueIndex(let name, let table, let columns, let replaces):
    if replaces { try connection.execute("DROP INDEX \(quotedIdentifier(name))") }
    // As Core Data writes it (`store-format.md` §8).
    let parts = columns.map { "\(quotedIdentifier($0)) COLLATE BINARY ASC" }.joined(separator: ", ")
    try connection.execute(
      "CREATE UNIQUE INDEX \(quotedIdentifier(name)) ON \(quotedIdentifier(table)) (\(parts))")
    return 1
  case .highWater(let entity, let key):
    return try update(entity, "Z_MAX", .integer(key), connection)
  case .renameEntity(let entity, let name):
    return try update(entity, "Z_NAME", .text(name), connection)
  case .metadata(let digest, let checksum):
    return try StoreMetadata.rewrite(on: connection, digest: digest, checksum: checksum)
  // Files are moved by whoever puts the store on disk.
  case .moveExternalFile: return 1
  }
}

private func update(
  _ entity: EntityID, _ column: String, _ value: SQLiteValue, _ connection: Connection
) throws -> Int {
  let statement = try connection.prepare("UPDATE Z_PRIMARYKEY SET \(column) = ?1 WHERE Z_ENT = ?2")
  try statement.bind(value, at: 1)
  try statement.bind(entity.number, at: 2)
  while try statement.step() {}
  return connection.changes
}

private func perform(_ edit: RowEdit, on connection: Connection) throws -> Int {
  guard edit.count > 0 else { return 0 }
  let statement = try connection.prepare(edit.sql)
  let keys = edit.keyColumns.count
  for (position, value) in (edit.shared ?? []).enumerated() { try statement.bind(value, at: keys + position + 1) }
  var changes = 0
  for start in stride(from: 0, to: edit.rows.count - edit.width + 1, by: edit.width) {
    for position in 0..<edit.width { try statement.bind(edit.rows[start + position], at: position + 1) }
    while try statement.step() {}
    changes += connection.changes
    statement.reset()
  }
  return changes
}

extension RowEdit {
  /// The statement for one row: the key columns are the first parameters, the others follow.
  ///
  /// "IS" finds NULL too, which keys of links may be, and uses an index as "=" does.
  var sql: String {
    let table = quotedIdentifier(table)
    let match = keyColumns.enumerated().map { "\(quotedIdentifier($1)) IS ?\($0 + 1)" }.joined(separator: " AND ")
    switch action {
    case .delete: return "DELETE FROM \(table) WHERE \(match)"
    case .insert:
      let columns = keyColumns + setColumns
      return "INSERT INTO \(table) (\(columns.map(quotedIdentifier).joined(separator: ", "))) VALUES ("
        + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    case .update:
      var sets = setColumns.enumerated().map { "\(quotedIdentifier($1)) = ?\(keyColumns.count + $0 + 1)" }
      if countsLock { sets.append(Self.nextLockCounter) }
      return "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(match)"
    }
  }

  /// From 1 on, and never a number that SQLite would have to store as a real.
  private static let nextLockCounter =
    "Z_OPT = CASE WHEN Z_OPT > 0 AND Z_OPT < 9223372036854775807 THEN Z_OPT + 1 ELSE 1 END"
}
