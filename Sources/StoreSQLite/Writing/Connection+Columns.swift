import CStoreSQLite

/// A column that a table gets.
package struct AddedColumn: Sendable, Equatable {
  /// The table, by the name it has.
  package var table: String
  /// The column's name and type, as they stand in SQL.
  package var definition: String

  /// A column.
  package init(of table: String, definition: String) {
    (self.table, self.definition) = (table, definition)
  }

  /// The statement that adds it; the table's name is plain.
  package var sql: String { "ALTER TABLE \(table) ADD COLUMN \(definition)" }
}

extension Connection {
  /// Adds columns, one after the other, in the caller's transaction.
  ///
  /// SQLite reads the whole schema again after each `ALTER TABLE`, which takes the square of the number of tables. What it
  /// writes is known, though: the text of the table's statement with the column before the last parenthesis, and a schema
  /// cookie that is higher by one. From the second column on just this is written, and the schema is read once. The file's
  /// bytes are those that the statements would write. A table whose statement is not plain gets its column by the statement.
  ///
  /// Only inside `allowingStructureChanges`, and for a file that is deleted when anything fails.
  ///
  /// - Throws: `SQLiteError`, also where the schema cannot be read afterwards.
  package func addColumns(_ columns: [AddedColumn]) throws {
    guard let first = columns.first else { return }
    // It also raises the file's format where that is too old for columns without values.
    try run(first)
    guard columns.count > 1 else { return }
    var tables = try plainTables()
    var written = 0
    defer { if written > 0 { try? configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1) } }
    for column in columns.dropFirst() {
      guard let table = tables[column.table], let sql = table.sql.adding(column.definition) else {
        try endWriting(&written)
        try run(column)
        tables = try plainTables()
        continue
      }
      if written == 0 { try beginWriting() }
      try with(.ourOwn) {
        let update = try prepare("UPDATE sqlite_master SET sql = ? WHERE rowid = ?")
        try update.bind(.text(sql.text), at: 1)
        try update.bind(.integer(table.row), at: 2)
        while try update.step() {}
      }
      written += 1
      tables[column.table]?.sql = sql
    }
    try endWriting(&written)
  }

  private func run(_ column: AddedColumn) throws {
    let statement = try prepare(column.sql)
    while try statement.step() {}
  }

  /// The tables whose statements are plain, by name.
  private func plainTables() throws -> [String: (row: Int64, sql: TableText)] {
    var tables: [String: (row: Int64, sql: TableText)] = [:]
    let rows = try prepare("SELECT rowid, name, sql FROM sqlite_master WHERE type = 'table'")
    while try rows.step() {
      guard let name = rows.string(1), let sql = rows.string(2).flatMap(TableText.init) else { continue }
      // Names that SQLite takes for equal are left to it.
      tables[name] = (rows.int64(0), sql)
    }
    return tables
  }

  private func beginWriting() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 0)
    try runOwn("PRAGMA writable_schema=ON")
  }

  /// Raises the schema cookie as so many statements would, and has the schema read again.
  private func endWriting(_ written: inout Int) throws {
    guard written > 0 else { return }
    defer { written = 0 }
    try runOwn("PRAGMA writable_schema=OFF")
    try with(.ourOwn) {
      let cookie = try prepare("PRAGMA schema_version")
      guard try cookie.step() else { return }
      let next = Int32(truncatingIfNeeded: cookie.int64(0) &+ Int64(written))
      cookie.reset()
      try execute("PRAGMA schema_version=\(next)")
    }
    try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1)
    let reading = try prepare("SELECT 1 FROM sqlite_master LIMIT 1")
    while try reading.step() {}
  }
}

/// The statement of a table that consists of names, types and commas between one pair of parentheses.
private struct TableText {
  let text: String

  init?(_ text: String) {
    let start = "CREATE TABLE "
    guard text.hasPrefix(start), text.utf8.last == UInt8(ascii: ")") else { return nil }
    let inner = text.utf8.dropFirst(start.utf8.count).dropLast()
    guard let open = inner.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    let (name, columns) = (inner[..<open], inner[inner.index(after: open)...])
    // Without further parentheses no constraint of the table follows the columns but a name without one.
    guard name.allSatisfy(isPlain), columns.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: ",") }),
      !text.uppercased().split(whereSeparator: { " ,(".contains($0) }).contains("CONSTRAINT")
    else { return nil }
    self.text = text
  }

  /// With a column at the end, as SQLite writes it; nil for a definition that is not plain.
  func adding(_ definition: String) -> TableText? {
    guard definition.utf8.allSatisfy(isPlain), definition.utf8.last != UInt8(ascii: " ") else { return nil }
    return TableText("\(text.dropLast()), \(definition))")
  }
}

private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: " "):
    true
  default: false
  }
}
