import CStoreSQLite

/// A connection to a database: to evidence, which is only read, or to a file that is written.
///
/// ```swift
/// let connection = try Connection(reading: DatabaseFiles(path: "Notes.sqlite"))
/// let notes = try connection.prepare("SELECT Z_PK, ZTITLE FROM ZNOTE")
/// while try notes.step() { print(notes.int64(0), notes.string(1) ?? "") }
/// ```
///
/// One connection is used by one thread at a time.
package final class Connection {
  /// The database, as its path was given.
  package let path: String

  let evidence: Evidence?
  let watch: Watch
  /// The tables that a writing connection to a store may write; nil for other connections.
  let rules: WriteRules?
  private var handle: OpaquePointer?

  /// The files that a reading connection reads. It is kept as long as the connection, because SQLite opens the WAL only
  /// with the first statement.
  struct Evidence {
    let session: EvidenceSession
    let registration: EvidenceRegistration
    let policy: ReadPolicy
  }

  /// Opens evidence for reading; nothing in its folder is written, created, renamed or locked.
  ///
  /// A database with a damaged schema can be opened: statements then fail, and `readSchema` reads as much as it can.
  ///
  /// - Throws: `SQLiteError`: not a database, not readable, or a side file that the policy wants is not readable.
  package convenience init(reading files: DatabaseFiles, policy: ReadPolicy = .init()) throws(SQLiteError) {
    try self.init(
      reading: Self.image(path: files.path) { () throws(FileError) in try DatabaseImage(files, policy) },
      path: files.path, policy: policy)
  }

  /// Opens a database whose bytes are in memory or come from any other source.
  ///
  /// - Throws: `SQLiteError` as for files.
  package convenience init(
    reading main: any ByteSource, wal: (any ByteSource)? = nil, journal: (any ByteSource)? = nil,
    policy: ReadPolicy = .init()
  ) throws(SQLiteError) {
    let image = try Self.image(path: main.name) { () throws(FileError) in
      try DatabaseImage(main: main, wal: wal, journal: journal, policy) { _ in false }
    }
    try self.init(reading: image, path: main.name, policy: policy)
  }

  /// Opens an image of a database.
  init(
    reading image: DatabaseImage, path: String, policy: ReadPolicy, watch shared: Watch? = nil
  ) throws(SQLiteError) {
    self.path = path
    watch = shared ?? Watch(deadline: policy.deadline, instructionLimit: policy.instructionLimit)
    let session = EvidenceSession(image: image, watch: watch, policy: policy)
    let registration = EvidenceRegistration(session)
    evidence = Evidence(session: session, registration: registration, policy: policy)
    rules = nil

    try check(EvidenceVFS.register())
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    try open(Array(registration.name.utf8), flags: flags, vfs: "\(EvidenceVFS.name)")
    try harden(policy)
  }

  /// Opens a database for writing, as any application would; `create` makes it when it is missing.
  ///
  /// - Throws: `SQLiteError` when it cannot be opened.
  package init(writing path: String, create: Bool) throws(SQLiteError) {
    self.path = path
    watch = Watch()
    evidence = nil
    rules = nil
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    try open(Array(path.utf8), flags: create ? flags | SQLITE_OPEN_CREATE : flags, vfs: nil)
  }

  /// Opens a database for writing, as any application would, and makes it when it is missing.
  ///
  /// - Throws: `SQLiteError` when it cannot be opened.
  package init(creating location: PosixPath) throws(SQLiteError) {
    path = location.description
    watch = Watch()
    evidence = nil
    rules = nil
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    try open(location.bytes, flags: flags | SQLITE_OPEN_CREATE, vfs: nil)
  }

  /// Opens an existing file for writing under rules; an empty path stands for a temporary database that vanishes with
  /// the connection. The connection is not hardened yet.
  init(location: PosixPath, rules: WriteRules, vfs: String?) throws(SQLiteError) {
    path = location.description
    watch = Watch()
    evidence = nil
    self.rules = rules
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
    try open(location.bytes, flags: location.bytes.isEmpty ? flags | SQLITE_OPEN_CREATE : flags, vfs: vfs)
  }

  deinit { close() }

  /// Closes the connection. Existing statements stay usable until they are released; new ones cannot be made.
  package func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Whether the connection reads evidence and cannot write.
  package var isReadOnly: Bool { evidence != nil }

  /// Whether a write-ahead log is read together with the main file.
  package var readsWAL: Bool { evidence?.session.image.wal != nil }

  private func open(_ name: [UInt8], flags: Int32, vfs: String?) throws(SQLiteError) {
    PageSlack.install()
    guard !name.contains(0) else { throw error(SQLITE_CANTOPEN, message: "a path cannot hold a NUL", sql: nil) }
    // Some builds of the library take a path that begins with "file:" for a URI.
    let isURI = name.starts(with: Array("file:".utf8)) && evidence == nil
    let terminated = ((isURI ? Array("./".utf8) : []) + name + [0]).map { CChar(bitPattern: $0) }
    let code = terminated.withUnsafeBufferPointer { buffer in
      guard let vfs else { return sqlite3_open_v2(buffer.baseAddress, &handle, flags, nil) }
      return vfs.withCString { sqlite3_open_v2(buffer.baseAddress, &handle, flags, $0) }
    }
    guard code == SQLITE_OK, let handle else { throw error(code, sql: nil) }
    sqlite3_extended_result_codes(handle, 1)
    watch.attach(to: handle)
    evidence?.session.attach(to: handle)
  }

  private static func image(
    path: String, _ make: () throws(FileError) -> DatabaseImage
  ) throws(SQLiteError) -> DatabaseImage {
    do throws(FileError) {
      return try make()
    } catch {
      throw SQLiteError(code: ResultCode.readFailed, message: error.description, path: path)
    }
  }
}

extension Connection {
  /// Compiles one statement.
  ///
  /// - Throws: `SQLiteError`, also when `sql` holds no statement or more than one.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    watch.beginStatement()
    let bytes = Array(sql.utf8)
    let (statement, length) = try compile(bytes[...], of: sql)
    guard let statement else { throw error(SQLITE_MISUSE, message: "there is no statement", sql: sql) }
    let first = Statement(statement, of: self, sql: sql)
    if length < bytes.count, let second = try compile(bytes.dropFirst(length), of: sql).statement {
      sqlite3_finalize(second)
      throw error(SQLITE_MISUSE, message: "there is more than one statement", sql: sql)
    }
    return first
  }

  /// Runs the statements of `sql` one after the other; rows they return are ignored.
  ///
  /// - Throws: `SQLiteError` from the first that fails; those after it are not run.
  package func execute(_ sql: String) throws(SQLiteError) {
    var rest = Array(sql.utf8)[...]
    while !rest.isEmpty {
      watch.beginStatement()
      let (compiled, length) = try compile(rest, of: sql)
      if let compiled {
        let statement = Statement(compiled, of: self, sql: sql)
        while try statement.step() {}
      }
      rest = rest.dropFirst(max(length, 1))
    }
  }

  /// Compiles the first statement of `bytes`; nil where there are only spaces and comments.
  private func compile(
    _ bytes: ArraySlice<UInt8>, of sql: String
  ) throws(SQLiteError) -> (statement: OpaquePointer?, length: Int) {
    guard let handle else { throw error(SQLITE_MISUSE, message: "the connection is closed", sql: sql) }
    var statement: OpaquePointer?
    var length = 0
    let code = bytes.withUnsafeBytes { buffer -> Int32 in
      guard let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return SQLITE_OK }
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, start, Int32(clamping: buffer.count), &statement, &rest)
      length = rest.map { $0 - start } ?? buffer.count
      return code
    }
    guard code == SQLITE_OK else { throw error(code, sql: sql) }
    return (statement, length)
  }

  /// Rows changed by the last statement that changed any.
  package var changes: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

  /// Runs `body` with the C library's handle, for what this layer does not cover. Throws when the connection is closed.
  package func withHandle<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    guard let handle else { throw error(SQLITE_MISUSE, message: "the connection is closed", sql: nil) }
    return try body(handle)
  }
}

extension Connection {
  /// Throws unless `code` means success.
  func check(_ code: Int32, sql: String? = nil) throws(SQLiteError) {
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }

  /// The error behind a result code that was just returned.
  func error(_ code: Int32, message: String? = nil, sql: String?) -> SQLiteError {
    let failure = evidence?.session.takeFailure()
    let known = message ?? failure?.description ?? handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
    return SQLiteError(
      code: code, message: known ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error", sql: sql,
      path: path, interruption: code & 0xff == SQLITE_INTERRUPT ? watch.interruption ?? .request : nil)
  }
}
