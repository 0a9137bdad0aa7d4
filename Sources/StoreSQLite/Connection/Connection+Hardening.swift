import CStoreSQLite

/// What makes it safe to let SQLite read a file that somebody prepared. https://www.sqlite.org/security.html
extension Connection {
  /// Takes from a connection that has just been opened all that reading does not need.
  func harden(_ policy: ReadPolicy) throws(SQLiteError) {
    try configure(policy)
    try limit()
    try keepModules(["dbstat"])
    try applyPragmas(policy)
    try check(withOpenHandle { Authorizer.install(on: $0) })
  }

  private func configure(_ policy: ReadPolicy) throws(SQLiteError) {
    let options: [(option: Int32, value: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, policy.toleratesDamagedSchema ? 0 : 1),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
      // Else a quoted name of a column that does not exist is taken for a string, and every row has that value.
      (SQLITE_DBCONFIG_DQS_DML, 0),
    ]
    for (option, value) in options {
      try check(withOpenHandle { storedoctor_db_config($0, option, value) })
    }
  }

  /// Lowers what one statement, row or schema may be.
  func limit() throws(SQLiteError) {
    let limits: [(limit: Int32, value: Int32)] = [
      // The longest value and the longest row, in bytes.
      (SQLITE_LIMIT_LENGTH, 256 << 20),
      // Also for the statements in the schema.
      (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
      (SQLITE_LIMIT_COLUMN, 2000),
      (SQLITE_LIMIT_EXPR_DEPTH, 200),
      (SQLITE_LIMIT_COMPOUND_SELECT, 64),
      // `integrity_check` of a large schema is the longest program.
      (SQLITE_LIMIT_VDBE_OP, 5_000_000),
      (SQLITE_LIMIT_FUNCTION_ARG, 64),
      (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
      (SQLITE_LIMIT_VARIABLE_NUMBER, 32_766),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits {
      _ = try withOpenHandle { sqlite3_limit($0, limit, value) }
    }
  }

  /// Virtual tables run a module's code over content of the database. For reading none is needed but `dbstat`, which
  /// tells the sizes of tables.
  func keepModules(_ modules: [StaticString]) throws(SQLiteError) {
    let code = try withOpenHandle { handle in
      var kept = modules.map { name -> UnsafePointer<CChar>? in
        UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
      }
      kept.append(nil)
      return sqlite3_drop_modules(handle, &kept)
    }
    try check(code)
  }

  /// Compiles a query over `dbstat`, the sizes of tables and what their pages are. SQLite connects the module at the
  /// first use, by a statement that the authorizer refuses; most connections never ask.
  ///
  /// - Throws: `SQLiteError`, also where the library was built without `dbstat`.
  package func prepareTableSizes(_ sql: String) throws(SQLiteError) -> Statement {
    if isReadOnly { try withoutAuthorizer { connectTableSizes() } }
    return try prepare(sql)
  }

  /// Connects `dbstat`; whoever asks for sizes will hear where there is none.
  func connectTableSizes() {
    _ = try? prepare("SELECT name FROM dbstat")
  }

  private func applyPragmas(_ policy: ReadPolicy) throws(SQLiteError) {
    try execute(
      """
      PRAGMA query_only=ON;
      PRAGMA cell_size_check=ON;
      PRAGMA mmap_size=0;
      PRAGMA temp_store=MEMORY;
      """)
    if policy.toleratesDamagedSchema { try execute("PRAGMA writable_schema=ON") }
    do throws(SQLiteError) {
      // The first statement that looks into the file.
      try execute(Self.cacheStatement(policy.cacheBytes))
    } catch {
      // Whoever reads from a damaged schema will hear of that.
      if !error.isDamagedSchema { throw error }
    }
  }

  private static func cacheStatement(_ bytes: Int) -> String { "PRAGMA cache_size=-\(max(bytes / 1024, 1))" }

  /// Runs `body` with a page cache of another size: work that jumps about in a database wants a large one.
  ///
  /// - Throws: what `body` throws, and `SQLiteError` when the connection is closed.
  package func withCache<Result>(bytes: Int, _ body: () throws -> Result) throws -> Result {
    let usual = evidence?.policy.cacheBytes ?? ReadPolicy().cacheBytes
    // All of a small database fits as it is.
    if let image = evidence?.session.image, image.wal == nil, image.size <= Int64(usual) { return try body() }
    try setCache(bytes)
    defer { try? setCache(usual) }
    return try body()
  }

  /// The authorizer refuses the pragma, which content of the database must not reach; this does not come from there.
  private func setCache(_ bytes: Int) throws(SQLiteError) {
    // A connection that writes has rules of its own.
    guard isReadOnly else {
      let scope = rules?.scope
      rules?.scope = .ourOwn
      defer { if let scope { rules?.scope = scope } }
      return try execute(Self.cacheStatement(bytes))
    }
    try withoutAuthorizer { () throws(SQLiteError) in try execute(Self.cacheStatement(bytes)) }
  }

  /// Lets a reading connection compile statements of ours that the authorizer refuses.
  private func withoutAuthorizer(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try check(withOpenHandle { sqlite3_set_authorizer($0, nil, nil) })
    let result = Result { () throws(SQLiteError) in try body() }
    try check(withOpenHandle { Authorizer.install(on: $0) })
    try result.get()
  }

  /// Runs `body` with the C library's handle.
  func withOpenHandle<Result>(_ body: (OpaquePointer) -> Result) throws(SQLiteError) -> Result {
    do {
      return try withHandle(body)
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw self.error(SQLITE_MISUSE, "\(error)", sql: nil)
    }
  }
}
