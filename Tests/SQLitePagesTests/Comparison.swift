import CStoreSQLite
import SQLitePages
import StoreSQLite
import TestSupport

/// What differs between a database as `view` reads it and as SQLite does; empty when every row of every table is equal.
func differences(_ view: PageView, _ connection: Connection) throws -> [String] {
  let schema = try PageSchema(view)
  var differences: [String] = schema.faults.first.map { "schema: \($0)" }
  let names = try rows(connection, "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master")
  if names.count != schema.entries.count { differences.append("\(names.count) entries, read \(schema.entries.count)") }
  for entry in schema.entries where entry.type == "table" && entry.root > 0 {
    guard let sql = entry.sql, let definition = TableDefinition(sql: sql) else {
      differences.append("\(entry.name): not understood: \(entry.sql ?? "")")
      continue
    }
    differences += try tableDifferences(view, connection, entry, definition)
  }
  return differences
}

/// All rows of a query.
func rows(_ connection: Connection, _ sql: String) throws -> [[SQLiteValue]] {
  let statement = try connection.prepare(sql)
  var rows: [[SQLiteValue]] = []
  while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value($0) }) }
  return rows
}

private func tableDifferences(
  _ view: PageView, _ connection: Connection, _ entry: PageSchema.Entry, _ definition: TableDefinition
) throws -> [String] {
  let table = quotedIdentifier(entry.name)
  let stored = definition.recordColumns
  let names = stored.map { quotedIdentifier(definition.columns[$0].name) }.joined(separator: ", ")
  let key = definition.isWithoutRowID ? "NULL" : "_rowid_"
  let statement = try connection.prepare("SELECT \(key), \(names) FROM \(table) NOT INDEXED")
  var walk = BTreeWalk(view, root: entry.root)
  var record = Record()
  let encoding = view.files.header.textEncoding
  var (differences, count): ([String], Int) = ([], 0)
  try walk.run { row in
    guard try statement.step(), record.read(row.payload) else {
      differences.append("\(entry.name): row \(count) is not in SQLite's, or is no record")
      return false
    }
    if let rowID = row.cell.rowID, statement.int64(0) != rowID {
      differences.append("\(entry.name): key \(rowID), SQLite says \(statement.int64(0))")
    }
    for (index, column) in stored.enumerated() {
      let expected = statement.value(index + 1)
      let value = record.value(index, in: row.payload, encoding: encoding)
      if !isEqual(value, expected, column == definition.rowIDColumn ? row.cell.rowID : nil) {
        let name = "\(entry.name) row \(count) \(definition.columns[column].name)"
        differences.append("\(name): \(String(describing: value)), SQLite says \(expected)")
      }
    }
    count += 1
    return differences.count < 5
  }
  if differences.isEmpty, try statement.step() {
    differences.append("\(entry.name): SQLite has more than \(count) rows")
  }
  return differences + walk.faults.first.map { "\(entry.name): \($0)" }
}

/// A value that a record lacks is a column's default, NULL in all databases here; an integer in a REAL column is read as a
/// real, and a row id's column holds NULL.
private func isEqual(_ value: SQLiteValue?, _ expected: SQLiteValue, _ rowID: Int64?) -> Bool {
  switch (value ?? .null, expected) {
  case (.null, .null): true
  case (.null, .integer(let b)): rowID == b
  case (.integer(let a), .integer(let b)): a == b
  case (.integer(let a), .real(let b)): Double(a) == b
  case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
  case (.text(let a), .text(let b)): a == b
  case (.blob(let a), .blob(let b)): a == b
  default: false
  }
}
