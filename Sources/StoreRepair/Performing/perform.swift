import StoreScanning
import StoreCoreData
import StoreSQLite

/// Carries out operations one after the other, within the caller's transaction.
///
/// It decides nothing: the SQL follows from the operation alone, and names of tables and columns are those of the plan,
/// which were taken from the store.
///
/// - Parameters:
///   - recorder: told of changes that are not recorded automatically.
///   - onShare: called after each operation with the share of all changes that is done.
/// - Throws: `RepairPlanError` where the number of changed rows differs from what the operation says, and
///   `SQLiteError`. Earlier operations stay done: the caller rolls back.
func perform(
  _ operations: [Operation], on connection: Connection, recorder: ChangeRecorder, onShare: ((Double) -> Void)? = nil
) throws {
  let total = operations.map { Double($0.expectedChanges) }.reduce(0, +)
  var done = 0.0
  for operation in operations {
    let changes: Int
    do {
      changes = try perform(operation.edit, on: connection, recorder: recorder)
    } catch let error as SQLiteError where error.isConstraint {
      throw RepairPlanError.notUnique(
        summary: operation.summary, constraint: String(error.message.split(separator: ":").last ?? "").trimmed)
    }
    guard changes == operation.expectedChanges else {
      throw RepairPlanError.otherChanges(
        summary: operation.summary, expected: operation.expectedChanges, found: changes)
    }
    try recorder.step()
    done += Double(changes)
    onShare?(done / max(total, 1))
  }
}

/// Carries out an edit; returns how many rows, indexes or files changed.
private func perform(_ edit: Edit, on connection: Connection, recorder: ChangeRecorder) throws -> Int {
  switch edit {
  case .rows(let rows) where rows.isByTriggers:
    return try rows.confirmed(on: connection)
  case .rows(let rows):
    return try connection.allowingWrites(to: [rows.table]) { try perform(rows, on: connection, recorder: recorder) }
  case .reindex(let index):
    try connection.allowingIndexChanges { try connection.execute("REINDEX \(quotedIdentifier(index))") }
    return 1
  case .createUniqueIndex(let name, let table, let columns, let replaces):
    let before = try connection.schema().first { $0.name == name }?.sql
    // As Core Data writes unique indexes from framework 865 on (`docs/format/store-layout.md` §5).
    let parts = columns.map { "\(quotedIdentifier($0)) COLLATE BINARY ASC" }.joined(separator: ", ")
    let sql = "CREATE UNIQUE INDEX \(quotedIdentifier(name)) ON \(quotedIdentifier(table)) (\(parts))"
    try connection.allowingIndexChanges {
      if replaces { try connection.execute("DROP INDEX \(quotedIdentifier(name))") }
      try connection.execute(sql)
    }
    recorder.note(.index(name: name, before: before, after: sql))
    return 1
  case .highWater(let entity, let key): return try update(entity, set: "Z_MAX", to: .integer(key), on: connection)
  case .renameEntity(let entity, let name): return try update(entity, set: "Z_NAME", to: .text(name), on: connection)
  case .metadata(let digest, let checksum):
    return try connection.allowingWrites(to: ["Z_METADATA"]) {
      try StoreMetadata.rewrite(on: connection, digest: digest, checksum: checksum)
    }
  case .compact:
    recorder.note(.compacted)
    return 1
  case .moveExternalFile(let name):
    recorder.moveAside(externalFile: Array(name.utf8))
    return 1
  }
}

private func update(
  _ entity: EntityID, set column: String, to value: SQLiteValue, on connection: Connection
) throws -> Int {
  try connection.allowingWrites(to: ["Z_PRIMARYKEY"]) {
    let statement = try connection.prepare("UPDATE Z_PRIMARYKEY SET \(column) = ?1 WHERE Z_ENT = ?2")
    try statement.bind(value, at: 1)
    try statement.bind(entity.number, at: 2)
    while try statement.step() {}
    return connection.changes
  }
}

private func perform(_ edit: RowEdit, on connection: Connection, recorder: ChangeRecorder) throws -> Int {
  guard edit.count > 0 else { return 0 }
  if let keys = edit.denseKeys { return try performDense(edit, keys: keys, on: connection, recorder: recorder) }
  return try performSparse(edit, on: connection, recorder: recorder)
}

/// Rows changed before the recorder gets a chance to hand out what it holds.
private let rowsPerStep = 20_000

/// One statement for each row.
private func performSparse(_ edit: RowEdit, on connection: Connection, recorder: ChangeRecorder) throws -> Int {
  let statement = try connection.prepare(edit.sql)
  let keys = edit.keyColumns.count
  for (position, value) in (edit.shared ?? []).enumerated() { try statement.bind(value, at: keys + position + 1) }
  var changes = 0
  for row in 0..<edit.count {
    let start = row * edit.width
    // A session does not record rows with NULL in their key, which only join tables have.
    if edit.rows[start..<start + keys].contains(.null) { try note(edit, row: row, on: connection, recorder: recorder) }
    for position in 0..<edit.width { try statement.bind(edit.rows[start + position], at: position + 1) }
    while try statement.step() {}
    changes += connection.changes
    statement.reset()
    if row % rowsPerStep == rowsPerStep - 1 { try recorder.step() }
  }
  return changes
}

/// One statement for many rows, which reads through the table and asks for each row whether to change it.
private func performDense(
  _ edit: RowEdit, keys: [Int64], on connection: Connection, recorder: ChangeRecorder
) throws -> Int {
  let columns = edit.setColumns + (edit.countsLock ? ["Z_OPT"] : [])
  guard edit.action == .update else {
    return try performDense(edit, keys: keys, on: connection, recorder: recorder, updates: nil)
  }
  return try recorder.recordingUpdates(of: edit.table, columns: columns) { updates in
    try performDense(edit, keys: keys, on: connection, recorder: recorder, updates: updates)
  }
}

private func performDense(
  _ edit: RowEdit, keys: [Int64], on connection: Connection, recorder: ChangeRecorder, updates: UpdateRecording?
) throws -> Int {
  let sql = edit.denseSQL(updates)
  var changes = 0
  let width = edit.width - 1
  for start in stride(from: 0, to: keys.count, by: rowsPerStep) {
    let range = start..<min(start + rowsPerStep, keys.count)
    let values = width == 0 ? [] : range.flatMap { edit.rows[($0 * edit.width + 1)..<($0 + 1) * edit.width] }
    let (first, last) = (keys[range.lowerBound], keys[range.upperBound - 1])
    let rows = KeyedRows(keys: Array(keys[range]), values: values, width: width, recording: updates)
    changes += try connection.withRows(rows) {
      let statement = try connection.prepare(sql)
      try statement.bind(first, at: 1)
      try statement.bind(last, at: 2)
      for (position, value) in (edit.shared ?? []).enumerated() { try statement.bind(value, at: position + 3) }
      func run() throws -> Int {
        while try statement.step() {}
        return connection.changes
      }
      return try updates?.record(from: first, to: last, on: connection, run) ?? run()
    }
    try recorder.step()
  }
  return changes
}

/// Reports rows about to be deleted that have NULL in their key.
private func note(_ edit: RowEdit, row: Int, on connection: Connection, recorder: ChangeRecorder) throws {
  let columns = try connection.columns(of: edit.table).map(\.name)
  let match = edit.keyColumns.enumerated().map { "\(quotedIdentifier($1)) IS ?\($0 + 1)" }.joined(separator: " AND ")
  let rows = try connection.prepare(
    "SELECT \(columns.map(quotedIdentifier).joined(separator: ", ")) FROM \(quotedIdentifier(edit.table)) WHERE \(match)"
  )
  for position in edit.keyColumns.indices { try rows.bind(edit.rows[row * edit.width + position], at: position + 1) }
  var removed: [[SQLiteValue]] = []
  while try rows.step() { removed.append(columns.indices.map { rows.value($0) }) }
  recorder.note(.rows(table: edit.table, columns: columns, removed: removed, added: []))
}
