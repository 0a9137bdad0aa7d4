import CStoreSQLite

/// Why SQLite could not do what it was asked.
public struct SQLiteError: Error, CustomStringConvertible, Sendable {
  /// The extended result code, https://www.sqlite.org/rescode.html.
  public var code: Int32
  /// What SQLite said, or the error of the file behind it.
  public var message: String
  /// The statement that failed, when there was one. Bound values are not part of it.
  public var sql: String?
  /// The database, as its path was given.
  public var path: String
  /// Who ended the work, when the code is `SQLITE_INTERRUPT`.
  public var interruption: Interruption?

  /// Who ended a statement before it was done.
  public enum Interruption: Equatable, Sendable {
    /// The connection's deadline had passed.
    case deadline
    /// `Connection.interrupt` was called.
    case request
    /// The statement needed more instructions than the policy gives it.
    case work
  }

  /// Makes an error.
  public init(code: Int32, message: String, sql: String? = nil, path: String, interruption: Interruption? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    self.interruption = interruption
  }

  /// The code without its extension, such as `SQLITE_CORRUPT`.
  public var primaryCode: Int32 { code & 0xff }

  /// The work took longer than the connection's deadline allows.
  public var isDeadline: Bool { interruption == .deadline }
  /// The work was ended, by the deadline or on request.
  public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
  /// The content of the database contradicts itself.
  public var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }
  /// The schema cannot be understood: it contradicts itself or is in no SQL that this library knows.
  var isDamagedSchema: Bool { isCorrupt || primaryCode == SQLITE_ERROR }
  /// The file is no database, or an encrypted one.
  public var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// The connection does not allow the statement. For a function SQLite says so only in words.
  public var isDenied: Bool { primaryCode == SQLITE_AUTH || message.hasPrefix("not authorized") }
  /// The statement would have written.
  public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A value, a row or the statement is longer than the connection's limits.
  public var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }
  /// Two rows would have the same values where the schema wants them unique.
  public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// There was no memory left for it.
  public var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM }
  /// Another connection holds a lock.
  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// One line: which database and why. The statement is left out, as it may quote names the reader need not see.
  public var description: String {
    switch interruption {
    case .deadline: "cannot finish reading '\(path)': out of time"
    case .work: "'\(path)': more work than a database of its size can need; does a tree in it contain itself?"
    case .request: "cannot finish reading '\(path)': interrupted"
    case nil: "'\(path)': \(message) (SQLite result code \(code))"
    }
  }
}
