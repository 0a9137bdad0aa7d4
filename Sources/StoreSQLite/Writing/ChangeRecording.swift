import CStoreSQLite

/// Records which rows change, from its creation on, so that the changes can be undone.
///
/// It covers all tables with a primary key, including those behind R-trees, but not tables without one, rows with a
/// NULL in the key, and the schema. Memory grows with the changed rows and their old values; for many changes, take a
/// changeset now and then and start a new recording.
///
/// https://www.sqlite.org/sessionintro.html
package final class ChangeRecording {
  private let connection: Connection
  private let session: OpaquePointer

  /// Starts recording what `connection` changes.
  ///
  /// - Throws: `SQLiteError`.
  package init(of connection: Connection) throws(SQLiteError) {
    self.connection = connection
    let handle = try connection.withOpenHandle { $0 }
    var session: OpaquePointer?
    try connection.check(sqlite3session_create(handle, "main", &session))
    guard let session else { throw connection.error(SQLITE_NOMEM, sql: nil) }
    self.session = session
    try connection.check(sqlite3session_attach(session, nil))
  }

  deinit { sqlite3session_delete(session) }

  /// Bytes of memory in use.
  package var memory: Int64 { sqlite3session_memory_used(session) }

  /// Whether nothing has changed.
  package var isEmpty: Bool { sqlite3session_isempty(session) != 0 }

  /// The changes so far. Not to be called while a statement that changes rows is running.
  ///
  /// - Throws: `SQLiteError`.
  package func changeset() throws(SQLiteError) -> Changeset {
    var size: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let scope = connection.rules?.scope
    connection.rules?.scope = .ourOwn
    defer { if let scope { connection.rules?.scope = scope } }
    let code = sqlite3session_changeset(session, &size, &bytes)
    defer { sqlite3_free(bytes) }
    try connection.check(code)
    return Changeset(made: [UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(size))))
  }
}
