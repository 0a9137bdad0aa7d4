import CStoreSQLite

extension Connection {
  /// The progress of a copy.
  package struct CopyProgress: Sendable, Equatable {
    /// Pages copied.
    package var copiedPages: Int
    /// Pages of the database.
    package var totalPages: Int
  }

  /// Copies the whole database, as this connection sees it, over that of `target`. From evidence that includes
  /// committed WAL frames and a hot journal's pages. Neither connection may be in a transaction.
  ///
  /// The copy keeps page size, journal mode and free pages of the original.
  ///
  /// - Throws: `SQLiteError` of either side; `target` is unusable then.
  package func copy(
    to target: Connection, pagesPerStep: Int32 = 1024, onProgress: (CopyProgress) -> Void = { _ in }
  ) throws(SQLiteError) {
    let source = try withOpenHandle { $0 }
    let destination = try target.withOpenHandle { $0 }
    try target.configure(SQLITE_DBCONFIG_DEFENSIVE, to: 0)
    defer { try? target.configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1) }
    guard let backup = sqlite3_backup_init(destination, "main", source, "main") else {
      throw target.error(sqlite3_extended_errcode(destination), sql: nil)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK, watch.interruption == nil {
      code = sqlite3_backup_step(backup, pagesPerStep)
      let total = Int(sqlite3_backup_pagecount(backup))
      onProgress(CopyProgress(copiedPages: total - Int(sqlite3_backup_remaining(backup)), totalPages: total))
    }
    let result = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      if code == SQLITE_OK { throw error(SQLITE_INTERRUPT, sql: nil) }
      throw evidence?.session.takeFailure().map { failure in
        SQLiteError(code: code, message: failure.description, path: path)
      } ?? target.error(code, sql: nil)
    }
    try target.check(result)
  }
}
