import CStoreSQLite

/// Opening a store for writing.
///
/// The connection allows as little as possible, since the file may be hostile:
///
/// - The file must exist; nothing is created under the path. The path is used byte for byte.
/// - Defensive mode: no `writable_schema`, and no writes to the tables behind an R-tree except through it.
/// - No `ATTACH`, no `VACUUM` (which attaches), no extensions, no views, and no virtual tables except R-trees and
///   `dbstat`, which diagnosis reads.
/// - A double-quoted name that is no column is an error and not a string.
/// - Triggers fire, since they maintain derived attributes and R-trees. Functions that only Core Data's own connections
///   have (`NSCoreData…`) do nothing; Core Data uses them to learn which objects a trigger changed.
/// - `trusted_schema` is off where the store has no R-trees, so that triggers can call only functions known to be
///   harmless. Where it has some, it must be on: 3.40.1 does not mark R-trees as innocuous, and a trigger that writes
///   one fails with "unsafe use of virtual table". Then the authorizer alone decides which functions triggers call, by
///   the same list as for queries.
/// - `secure_delete` is off: Debian's library is built to overwrite deleted content with zeros, which would destroy
///   what carving could still recover.
/// - Nothing may be written until `allowingWrites(to:)` permits tables.
/// - The WAL is checkpointed only by `checkpoint()`, neither on closing nor by its size, so that the caller decides
///   when the main file changes.
///
/// https://www.sqlite.org/security.html
extension Connection {
  /// How a writing connection deals with other processes.
  package enum Locking: Sendable {
    /// As any application: locks are held during transactions.
    case shared
    /// No other process can use the file from the first access to the end. In WAL mode `BEGIN EXCLUSIVE` alone does not
    /// notice an idle application; this does.
    case exclusive
  }

  /// Opens an existing store for writing.
  ///
  /// - Parameters:
  ///   - location: the main file, links resolved.
  ///   - vfs: another VFS than the system's, for tests that inject faults.
  /// - Throws: `SQLiteError`; `isBusy` when another process has the file open and locking is exclusive.
  package convenience init(
    changing location: PosixPath, locking: Locking, cacheBytes: Int = 32 << 20, vfs: String? = nil
  ) throws(SQLiteError) {
    guard !location.bytes.isEmpty else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "there is no path to open", path: "")
    }
    let rules = WriteRules()
    try self.init(location: location, rules: rules, vfs: vfs)
    rules.scope = .ourOwn
    // Before the first access, because the mode takes effect with the first lock.
    if locking == .exclusive { try execute("PRAGMA locking_mode=EXCLUSIVE") }
    try hardenForWriting(cacheBytes: cacheBytes)
    try check(withOpenHandle { sqlite3_wal_autocheckpoint($0, 0) })
    if locking == .exclusive { try execute("BEGIN EXCLUSIVE; ROLLBACK") }
    try learnSchema()
    rules.scope = .nothing
  }

  /// Opens a private temporary database that vanishes with the connection, to plan in. Its file has no name and is
  /// never read again, so it needs neither journal nor syncing.
  ///
  /// - Throws: `SQLiteError`.
  package static func scratch(cacheBytes: Int = 32 << 20) throws(SQLiteError) -> Connection {
    let connection = try Connection(location: PosixPath(""), rules: WriteRules(), vfs: nil)
    connection.rules?.scope = .ourOwn
    // Defensive mode would ignore this pragma.
    try connection.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE")
    try connection.hardenForWriting(cacheBytes: cacheBytes)
    connection.rules?.scope = .everything
    return connection
  }

  /// The same with the page size and the encoding of another database.
  ///
  /// - Throws: `SQLiteError`.
  package static func scratch(like header: DatabaseHeader, cacheBytes: Int = 64 << 20) throws(SQLiteError) -> Connection
  {
    let connection = try scratch(cacheBytes: cacheBytes)
    connection.rules?.scope = .ourOwn
    defer { connection.rules?.scope = .everything }
    try connection.execute("PRAGMA page_size=\(header.pageSize)")
    switch header.textEncoding {
    case .utf16LittleEndian: try connection.execute("PRAGMA encoding='UTF-16le'")
    case .utf16BigEndian: try connection.execute("PRAGMA encoding='UTF-16be'")
    case .unset, .utf8, .unknown: break
    }
    return connection
  }

  private func hardenForWriting(cacheBytes: Int) throws(SQLiteError) {
    let options: [(option: Int32, value: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 1),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
      (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]
    for (option, value) in options { try configure(option, to: value) }
    try limit()
    // Triggers of derived attributes cause others; each is a level.
    _ = try withOpenHandle { sqlite3_limit($0, SQLITE_LIMIT_TRIGGER_DEPTH, 64) }
    try keepModules(["rtree", "rtree_i32", "dbstat"])
    connectTableSizes()
    try execute(
      """
      PRAGMA cell_size_check=ON;
      PRAGMA mmap_size=0;
      PRAGMA temp_store=MEMORY;
      PRAGMA secure_delete=OFF;
      PRAGMA cache_size=-\(max(cacheBytes / 1024, 1));
      """)
    guard let rules else { return }
    try check(withOpenHandle { rules.install(on: $0) })
  }

  /// Turns an option of the connection on or off.
  func configure(_ option: Int32, to value: Int32) throws(SQLiteError) {
    try check(withOpenHandle { storedoctor_db_config($0, option, value) })
  }

  /// Reads the triggers and R-trees that the rules need to know; for a scratch database to be called once it is filled.
  package func learnSchema() throws(SQLiteError) {
    guard let rules else { return }
    let scope = rules.scope
    rules.scope = .ourOwn
    defer { rules.scope = scope }
    let objects = try schema()
    let triggers = objects.filter { $0.type == .trigger }
    rules.triggers = Set(triggers.map { $0.name.lowercased() })
    for name in Set(triggers.flatMap { coreDataFunctions(in: $0.sql ?? "") }) {
      rules.triggerFunctions.insert(name.lowercased())
      try registerNothing(name)
    }
    let virtual = objects.filter(\.isVirtualTable)
    rules.shadowTables = Set(
      virtual.flatMap { table in ["_node", "_rowid", "_parent"].map { (table.name + $0).lowercased() } })
    rules.connectsModules = !virtual.isEmpty
    if !virtual.isEmpty { try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, to: 1) }
  }

  /// Registers `name` as a function of any number of arguments that does nothing and returns NULL.
  private func registerNothing(_ name: String) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    try check(
      withOpenHandle { handle in
        sqlite3_create_function_v2(
          handle, name, -1, flags, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
      })
  }
}

/// The words in a trigger's SQL that look like Core Data's own functions.
private func coreDataFunctions(in sql: String) -> Set<String> {
  let words = sql.utf8.split { byte in
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      false
    default: true
    }
  }
  // SQLite allows at most 255 bytes for a function's name.
  let names = words.filter { $0.count <= 255 }.map { String(decoding: $0, as: UTF8.self) }
  return Set(names.filter { $0.lowercased().hasPrefix("nscoredata") })
}
