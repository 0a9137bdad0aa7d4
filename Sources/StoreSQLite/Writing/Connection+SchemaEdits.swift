import CStoreSQLite

/// A change of the schema that leaves every row as it is.
package enum SchemaEdit: Sendable, Equatable {
  /// A table gets a column, which is its name and type as they stand in SQL.
  case addColumn(table: String, definition: String)
  /// A table gets another name.
  case renameTable(String, to: String)
  /// A column of a table gets another name.
  case renameColumn(String, of: String, to: String)

  /// The statement that makes it.
  package var sql: String {
    switch self {
    case .addColumn(let table, let definition): "ALTER TABLE \(identifier(table)) ADD COLUMN \(definition)"
    case .renameTable(let old, let new): "ALTER TABLE \(identifier(old)) RENAME TO \(identifier(new))"
    case .renameColumn(let old, let table, let new):
      "ALTER TABLE \(identifier(table)) RENAME COLUMN \(identifier(old)) TO \(identifier(new))"
    }
  }
}

extension Connection {
  /// Makes changes of the schema, one after the other, in the caller's transaction.
  ///
  /// SQLite reads the whole schema again after each `ALTER TABLE`, and renaming reads the text of every table and index, which
  /// takes the square of the number of tables. What it writes is known, though: the same text with another name or one
  /// column more, and a schema cookie that is higher by one. Where there are several changes just this is written, and
  /// the schema is read once. What has no plain text is changed by the statement.
  ///
  /// Only inside `allowingStructureChanges`, and for a file that is deleted when anything fails.
  ///
  /// - Throws: `SQLiteError`, also where the schema cannot be read afterwards.
  package func perform(_ edits: [SchemaEdit]) throws {
    var edits = edits[...]
    if case .addColumn? = edits.first, let first = edits.popFirst() {
      // It also raises the file's format where that is too old for columns without values.
      try run(first)
    } else if edits.count == 1, let only = edits.popFirst() {
      try run(only)
    }
    guard !edits.isEmpty else { return }
    var schema = try SchemaTexts(self)
    var written = 0
    defer { if written > 0 { try? configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1) } }
    for edit in edits {
      guard let changes = schema.changes(for: edit) else {
        try endWriting(&written)
        try run(edit)
        schema = try SchemaTexts(self)
        continue
      }
      if written == 0 { try beginWriting() }
      for change in changes { try write(change) }
      written += 1
    }
    try endWriting(&written)
  }

  private func run(_ edit: SchemaEdit) throws {
    let statement = try prepare(edit.sql)
    while try statement.step() {}
  }

  private func write(_ row: SchemaTexts.Row) throws {
    try with(.ourOwn) {
      let update = try prepare("UPDATE sqlite_master SET name = ?, tbl_name = ?, sql = ? WHERE rowid = ?")
      try update.bind(.text(row.name), at: 1)
      try update.bind(.text(row.table), at: 2)
      try update.bind(row.text.map { .text($0.sql) } ?? .null, at: 3)
      try update.bind(.integer(row.number), at: 4)
      while try update.step() {}
    }
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
