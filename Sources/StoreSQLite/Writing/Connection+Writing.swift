import CStoreSQLite

extension Connection {
  /// Runs `body` while rows of `tables` may be written, by it and by what the store's triggers do in turn.
  ///
  /// Statements compiled before or after may not write them; one that was compiled inside could still be stepped later,
  /// so keep none.
  ///
  /// - Throws: what `body` throws; a statement that writes elsewhere fails with `SQLiteError.isDenied`.
  package func allowingWrites<Result>(to tables: some Sequence<String>, _ body: () throws -> Result) rethrows -> Result
  {
    try with(.tables(Set(tables.map { $0.lowercased() })), body)
  }

  /// Runs `body` while indexes may be made, dropped and rebuilt; rows may not be written.
  ///
  /// - Throws: what `body` throws.
  package func allowingIndexChanges<Result>(_ body: () throws -> Result) rethrows -> Result {
    try with(.indexes, body)
  }

  /// Runs `body` with triggers off: what they once did is taken back or repeated by itself.
  ///
  /// - Throws: what `body` throws, and `SQLiteError` when the connection is closed.
  package func withoutTriggers<Result>(_ body: () throws -> Result) throws -> Result {
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    defer { try? configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, 1) }
    return try body()
  }

  /// Tables that any statement compiled so far could write, by lower-case names; triggers' included, R-trees' not.
  package var writtenTables: Set<String> {
    (rules?.writtenTables ?? []).subtracting(rules?.shadowTables ?? [])
  }

  /// Runs `body` inside a transaction that nobody else can write beside.
  ///
  /// - Throws: what `body` throws, after rolling back; `SQLiteError` when the commit fails, after rolling back.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try runOwn("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try runOwn("COMMIT")
      return result
    } catch {
      // After some failures SQLite has rolled back already, and says so by an error here.
      try? runOwn("ROLLBACK")
      throw error
    }
  }

  /// Runs `body` without any journal, so that each page is written once; afterwards the file has its journal mode again.
  ///
  /// For a file that is thrown away when anything fails: nothing can be rolled back, and a statement that fails may leave
  /// it broken.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func withoutJournal<Result>(_ body: () throws -> Result) throws -> Result {
    let mode = try with(.ourOwn) { try prepare("PRAGMA journal_mode") }
    let usesWAL = try mode.step() && mode.string(0) == "wal"
    mode.reset()
    // Defensive mode would ignore it.
    try configure(SQLITE_DBCONFIG_DEFENSIVE, 0)
    try runOwn("PRAGMA journal_mode=OFF")
    try configure(SQLITE_DBCONFIG_DEFENSIVE, 1)
    let result = try body()
    if usesWAL { try runOwn("PRAGMA journal_mode=WAL") }
    return result
  }

  /// Writes the WAL into the main file and empties it; nothing without WAL mode.
  ///
  /// - Parameter keepingFrames: leaves the WAL's frames where they are, for those who read them (`CheckpointedFile`). They
  ///   count no longer, and the next call without this, or the next transaction, takes them away.
  /// - Throws: `SQLiteError`, also when a reader keeps the WAL from being emptied.
  package func checkpoint(keepingFrames: Bool = false) throws(SQLiteError) {
    let mode = keepingFrames ? SQLITE_CHECKPOINT_FULL : SQLITE_CHECKPOINT_TRUNCATE
    let code = try withOpenHandle { sqlite3_wal_checkpoint_v2($0, nil, mode, nil, nil) }
    try check(code)
  }

  /// Lets closing the connection remove an empty WAL, as closing the last connection usually does.
  package func removesWALOnClose() throws(SQLiteError) {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
  }

  /// Runs a fixed statement of this package that no rule applies to.
  package func runOwn(_ sql: StaticString) throws(SQLiteError) {
    let scope = rules?.scope
    rules?.scope = .ourOwn
    defer { if let scope { rules?.scope = scope } }
    try execute("\(sql)")
  }

  /// The scope is put back whatever happens.
  func with<Result>(_ scope: WriteRules.Scope, _ body: () throws -> Result) rethrows -> Result {
    let outer = rules?.scope
    rules?.scope = scope
    defer { if let outer { rules?.scope = outer } }
    return try body()
  }
}
