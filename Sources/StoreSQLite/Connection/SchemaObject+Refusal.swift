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
    return try StatementCompiler().refusal(of: sql).map { "malformed database schema (\(name)) - \($0)" }
  }
}

/// Compiles statements of a schema in a database in memory; none is run.
package struct StatementCompiler {
  private let memory: Connection

  /// - Throws: `SQLiteError` when there is no memory for such a database.
  package init() throws(SQLiteError) {
    memory = try Connection(writing: ":memory:", create: true)
    try memory.limit()
  }

  /// What SQLite says of a statement that it does not understand; nil where it does, or only misses a function or collation of
  /// the app.
  package func refusal(of sql: String) -> String? {
    do throws(SQLiteError) {
      _ = try memory.prepare(sql)
      return nil
    } catch {
      let isOfTheApp = ["no such function", "no such collation"].contains { error.message.contains($0) }
      return isOfTheApp ? nil : error.message
    }
  }
}
