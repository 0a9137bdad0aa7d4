import CSQLite

extension Connection {
  /// A private copy of a database: temporary, without a name, gone with the connection.
  ///
  /// - Throws: `SQLiteError` when the database cannot be read, or there is no room for the copy.
  public convenience init(scratchCopyOf source: Connection) throws {
    try self.init(writing: "", create: true)
    try execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536")
    try withHandle { target in
      try source.withHandle { handle in
        let backup = sqlite3_backup_init(target, "main", handle, "main")
        sqlite3_backup_step(backup, -1)
        let code = sqlite3_backup_finish(backup)
        if code != SQLITE_OK { throw error(code, sql: nil) }
      }
    }
  }
}
