import CStoreSQLite

extension Connection {
  /// Runs `body` while rows of `tables` may be written, by its statements and by the triggers they fire.
  ///
  /// The permission is checked when a statement is compiled. A statement compiled inside could be stepped later, so
  /// none must be kept.
  ///
  /// - Throws: what `body` throws; a statement that writes elsewhere fails with `SQLITE_AUTH`.
  package func allowingWrites<Result>(to tables: some Sequence<String>, _ body: () throws -> Result) rethrows -> Result
  {
    try with(.tables(Set(tables.map { $0.lowercased() })), body: body)
  }

  /// Runs `body` while indexes may be created, dropped and rebuilt; rows may not be written.
  ///
  /// - Throws: what `body` throws.
  package func allowingIndexChanges<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.indexes, body: body)
  }

  /// Runs `body` as on a private database: what is compiled inside may write rows and tables of any name. Only for a file
  /// that is deleted when anything fails.
  ///
  /// - Throws: what `body` throws.
  package func allowingEverything<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.everything, body: body)
  }

  /// The same, and tables and columns may be renamed and added too.
  ///
  /// - Throws: what `body` throws.
  package func allowingStructureChanges<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.structure, body: body)
  }

  /// The same, and objects of every kind may be created: tables, indexes, R-trees, triggers, views. One statement each, as
  /// `prepare` compiles no second; only for a file that is deleted when anything fails.
  ///
  /// - Throws: what `body` throws.
  package func allowingWholeSchema<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.wholeSchema, body: body)
  }

  /// Runs `body` while rows of the tables behind an R-tree may be written, as they were read from a store.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func allowingShadowTables<Result>(_ body: () throws -> Result) throws -> Result {
    try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 0)
    defer { try? configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1) }
    return try body()
  }

  /// Runs `body` with triggers off, for changes that include what the triggers did.
  ///
  /// - Throws: what `body` throws, and `SQLiteError` when the connection is closed.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, to: 0)
    defer { try? configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, to: 1) }
    return try body()
  }

  /// Tables that any statement compiled so far could write, by lower-case names; including those of triggers, excluding
  /// the shadow tables of R-trees.
  package var writtenTables: Set<String> {
    (rules?.writtenTables ?? []).subtracting(rules?.shadowTables ?? [])
  }

  /// Runs `body` in a write transaction.
  ///
  /// - Throws: what `body` throws, after rolling back; `SQLiteError` when the commit fails, after rolling back.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try runOwn("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try runOwn("COMMIT")
      return result
    } catch {
      // After some failures SQLite has already rolled back, and this fails.
      try? runOwn("ROLLBACK")
      throw error
    }
  }

  /// Runs `body` without any journal, so that each page is written once; afterwards the file gets its journal mode
  /// back.
  ///
  /// Only for a file that is deleted when anything fails: nothing can be rolled back, and a failing statement may leave
  /// it corrupt.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func withoutJournal<Result>(_ body: () throws -> Result) throws -> Result {
    let mode = try with(.ourOwn) { try prepare("PRAGMA journal_mode") }
    let usesWAL = try mode.step() && mode.string(0) == "wal"
    mode.reset()
    // Defensive mode would ignore the pragma.
    try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 0)
    try runOwn("PRAGMA journal_mode=OFF")
    try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1)
    let result = try body()
    if usesWAL { try runOwn("PRAGMA journal_mode=WAL") }
    return result
  }

  /// Checkpoints the WAL into the main file and empties it; does nothing without WAL mode.
  ///
  /// - Parameter keepingFrames: leaves the WAL's frames in place for a reader (`CheckpointedFile`). They are obsolete
  ///   then, and the next call without this, or the next transaction, overwrites them.
  /// - Throws: `SQLiteError`, also when a reader keeps the WAL from being emptied.
  package func checkpoint(keepingFrames: Bool = false) throws(SQLiteError) {
    let mode = keepingFrames ? SQLITE_CHECKPOINT_FULL : SQLITE_CHECKPOINT_TRUNCATE
    let code = try withOpenHandle { sqlite3_wal_checkpoint_v2($0, nil, mode, nil, nil) }
    try check(code)
  }

  /// Writes the database anew, without its free pages, and with every table's pages one behind the other (`VACUUM`). Not
  /// within a transaction. What free pages and gaps held of deleted rows is gone.
  ///
  /// It is built in a file without a name, as large as the result.
  ///
  /// - Throws: `SQLiteError`; the database is as before then.
  package func compact() throws(SQLiteError) {
    // The new database is attached to the connection while it is built.
    let attached = try withOpenHandle { sqlite3_limit($0, SQLITE_LIMIT_ATTACHED, 1) }
    defer { _ = try? withOpenHandle { sqlite3_limit($0, SQLITE_LIMIT_ATTACHED, attached) } }
    try runOwn("PRAGMA temp_store=FILE")
    try runOwn("VACUUM")
    try runOwn("PRAGMA temp_store=MEMORY")
  }

  /// The pages of a database.
  package struct PageUse: Sendable, Equatable {
    /// All of them.
    package var pages: Int64 = 0
    /// Those that no table and no index uses.
    package var free: Int64 = 0
    /// The size of each, in bytes.
    package var pageSize: Int64 = 0

    /// The size of the database, in bytes.
    package var bytes: Int64 { pages.multipliedReportingOverflow(by: pageSize).partialValue }
  }

  /// How many pages there are, as this connection sees the database.
  ///
  /// - Throws: `SQLiteError`.
  package func pageUse() throws(SQLiteError) -> PageUse {
    func number(_ sql: String) throws(SQLiteError) -> Int64 {
      let statement = try prepare(sql)
      return try statement.step() ? statement.int64(0) : 0
    }
    return PageUse(
      pages: try number("PRAGMA page_count"), free: try number("PRAGMA freelist_count"),
      pageSize: try number("PRAGMA page_size"))
  }

  /// Lets closing the connection remove an empty WAL, as SQLite does by default.
  package func removesWALOnClose() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: 0)
  }

  /// Runs a fixed statement of this package, to which no rule applies.
  package func runOwn(_ sql: StaticString) throws(SQLiteError) {
    let scope = rules?.scope
    rules?.scope = .ourOwn
    defer { if let scope { rules?.scope = scope } }
    try execute("\(sql)")
  }

  /// Runs `body` under another scope, and restores the former one in any case.
  func with<Result>(_ scope: WriteRules.Scope, body: () throws -> Result) rethrows -> Result {
    let outer = rules?.scope
    rules?.scope = scope
    defer { if let outer { rules?.scope = outer } }
    return try body()
  }
}
