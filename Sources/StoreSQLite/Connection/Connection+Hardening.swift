import CStoreSQLite

/// Settings that make it safe to let SQLite read an untrusted file. https://www.sqlite.org/security.html
extension Connection {
  /// Disables everything that reading does not need, on a connection that was just opened.
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
      // Otherwise a quoted name of a missing column counts as a string, and every row has that value.
      (SQLITE_DBCONFIG_DQS_DML, 0),
    ]
    for (option, value) in options {
      try check(withOpenHandle { storedoctor_db_config($0, option, value) })
    }
  }

  /// The longest value, and the longest row, that is read, in bytes.
  package static let longestValue: Int32 = 256 << 20

  /// Lowers SQLite's limits for statements, rows and the schema.
  func limit() throws(SQLiteError) {
    let limits: [(limit: Int32, value: Int32)] = [
      // The longest value and the longest row, in bytes.
      (SQLITE_LIMIT_LENGTH, Self.longestValue),
      // Also applies to the statements in the schema.
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

  /// Removes all virtual table modules but these: a module runs code over content of the database. Reading needs only
  /// `dbstat`, which tells the sizes of tables.
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

  /// Compiles a query over `dbstat`, which tells the sizes of tables and the kinds of their pages. SQLite connects the
  /// module at its first use, by a statement that the authorizer refuses; so that happens here, when it is needed.
  ///
  /// - Throws: `SQLiteError`, also where the library was built without `dbstat`.
  package func prepareTableSizes(_ sql: String) throws(SQLiteError) -> Statement {
    if isReadOnly { try withoutAuthorizer { connectTableSizes() } }
    return try prepare(sql)
  }

  /// Connects `dbstat`. Where it is missing, the query over it fails later.
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
      // The first statement that reads the file.
      try execute(Self.cacheStatement(policy.cacheBytes))
    } catch {
      // A damaged schema is reported when something reads from it.
      if !error.isDamagedSchema { throw error }
    }
  }

  private static func cacheStatement(_ bytes: Int) -> String { "PRAGMA cache_size=-\(max(bytes / 1024, 1))" }

  /// Runs `body` with another size of the page cache: work with random access in a large database is faster with a
  /// large one.
  ///
  /// - Throws: what `body` throws, and `SQLiteError` when the connection is closed.
  package func withCache<Result>(bytes: Int, _ body: () throws -> Result) throws -> Result {
    let usual = evidence?.policy.cacheBytes ?? ReadPolicy().cacheBytes
    // A small database fits into the usual cache.
    if let image = evidence?.session.image, image.wal == nil, image.size <= Int64(usual) { return try body() }
    try setCache(bytes)
    defer { try? setCache(usual) }
    return try body()
  }

  /// The authorizer refuses this pragma, since statements must not change the connection; this one comes from the code
  /// itself.
  private func setCache(_ bytes: Int) throws(SQLiteError) {
    // A writing connection has rules instead of the authorizer.
    guard isReadOnly else {
      let scope = rules?.scope
      rules?.scope = .ourOwn
      defer { if let scope { rules?.scope = scope } }
      return try execute(Self.cacheStatement(bytes))
    }
    try withoutAuthorizer { () throws(SQLiteError) in try execute(Self.cacheStatement(bytes)) }
  }

  /// Lets a reading connection compile statements of the code's own that the authorizer refuses.
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
      throw self.error(SQLITE_MISUSE, message: "\(error)", sql: nil)
    }
  }
}
