import SQLitePages
import StoreSQLite

/// A row as SQL shows it.
struct StoredRow: Equatable {
  var tag: Int64?
  var values: [SQLiteValue]
}

/// Calls `body` with table, rowid and values of each row.
private func forEachRow(_ connection: Connection, _ body: (String, Int64, [SQLiteValue]) -> Void) throws {
  for table in try connection.schema().filter(\.isOrdinaryTable).map(\.name).sorted() {
    let rows = try connection.prepare("SELECT rowid, * FROM \(table)")
    while try rows.step() { body(table, rows.int64(0), (1..<rows.columnCount).map(rows.value)) }
  }
}

/// A digest of schema and rows.
func content(of connection: Connection) throws -> Int {
  var hasher = Hasher()
  for object in try connection.schema().sorted(by: { $0.name < $1.name }) { hasher.combine([object.name, object.sql]) }
  try forEachRow(connection) { table, rowid, values in
    hasher.combine(table)
    hasher.combine(rowid)
    hasher.combine(values)
  }
  return hasher.finalize()
}

/// The rows of each table by rowid, without the NULLs at the end that a new column brings.
func storedRows(of connection: Connection) throws -> [String: [Int64: StoredRow]] {
  var tables: [String: [Int64: StoredRow]] = [:]
  try forEachRow(connection) { table, rowid, values in
    var values = values
    while values.last == .null { values.removeLast() }
    var tag: Int64?
    if table == "t", values.count > 1, case .integer(let number) = values[1] { tag = number }
    tables[table, default: [:]][rowid] = StoredRow(tag: tag, values: values)
  }
  return tables
}

func difference(
  _ before: [String: [Int64: StoredRow]], _ after: [String: [Int64: StoredRow]]
) -> [CommitChanges.Place: CommitChanges.Counts] {
  var counts: [CommitChanges.Place: CommitChanges.Counts] = [:]
  for table in Set(before.keys).union(after.keys) {
    let (old, new) = (before[table] ?? [:], after[table] ?? [:])
    for key in Set(old.keys).union(new.keys) where old[key] != new[key] {
      let (was, isNow) = (old[key], new[key])
      if let was, let isNow, was.tag == isNow.tag {
        counts[.init(table: table, tag: was.tag), default: .init()].changed += 1
        continue
      }
      if let was { counts[.init(table: table, tag: was.tag), default: .init()].removed += 1 }
      if let isNow { counts[.init(table: table, tag: isNow.tag), default: .init()].added += 1 }
    }
  }
  return counts
}
