import StoreText

extension SchemaObject {
  /// What SQLite says of a table's SQL when it opens the database to write, as an app does; nil where that is nothing.
  ///
  /// A connection that only reads leaves out the `CHECK` constraints (`sqlite3AddCheckConstraint`), so that it opens what
  /// no app can. The statement is compiled in a database in memory, and never run. Functions and collations of the app
  /// are not known here, and their names are no reason.
  ///
  /// - Throws: `SQLiteError` when there is no memory for such a database.
  package func refusal() throws(SQLiteError) -> String? {
    guard isOrdinaryTable, let sql, sql.lowercased().contains("check"), !name.lowercased().hasPrefix("sqlite_") else {
      return nil
    }
    let memory = try Connection(writing: ":memory:", create: true)
    try memory.limit()
    do throws(SQLiteError) {
      _ = try memory.prepare(sql)
      return nil
    } catch {
      let isOfTheApp = ["no such function", "no such collation"].contains { error.message.contains($0) }
      return isOfTheApp ? nil : "malformed database schema (\(name)) - \(error.message)"
    }
  }
}
