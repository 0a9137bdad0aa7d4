import CStoreSQLite

/// An error of SQLite, or of reading a database's files.
public struct SQLiteError: Error, CustomStringConvertible, Sendable {
  /// The extended result code, https://www.sqlite.org/rescode.html.
  public var code: Int32
  /// SQLite's message, or the underlying file error.
  public var message: String
  /// The statement that failed, when there was one. Bound values are not part of it.
  public var sql: String?
  /// The database, as its path was given.
  public var path: String
  /// The cause of the end, when the code is `SQLITE_INTERRUPT`.
  public var interruption: Interruption?

  /// The causes that can end a statement early.
  public enum Interruption: Equatable, Sendable {
    /// The connection's deadline had passed.
    case deadline
    /// Neither the deadline nor the limit: SQLite was asked to stop by something else.
    case request
    /// The statement needed more instructions than the policy allows.
    case work
  }

  /// Makes an error.
  package init(code: Int32, message: String, sql: String? = nil, path: String, interruption: Interruption? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
    self.path = path
    self.interruption = interruption
  }

  /// The code without its extension, such as `SQLITE_CORRUPT`.
  package var primaryCode: Int32 { code & 0xff }

  /// The content of the database contradicts itself.
  package var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT }
  /// The schema cannot be understood: it contradicts itself, or has SQL that this library does not know.
  var isDamagedSchema: Bool { isCorrupt || primaryCode == SQLITE_ERROR }
  /// The statement was not compiled: its text is wrong, or something that it does is not allowed.
  package var isRefusal: Bool { primaryCode == SQLITE_ERROR || primaryCode == SQLITE_AUTH }
  /// The statement would have written.
  package var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A value, a row or the statement is longer than the connection's limits.
  package var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }
  /// Two rows would have equal values where the schema requires unique ones.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  /// There was not enough memory.
  package var isOutOfMemory: Bool { primaryCode == SQLITE_NOMEM }
  /// Another connection holds a lock.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// What to do about damage.
  package static let adviceOnDamage =
    "'storedoctor salvage STORE --output NEW' makes a sound store from what can be read"

  /// What is damaged, in words of our own, where the database is; nil for any other error.
  package var damage: String? {
    switch primaryCode {
    case SQLITE_NOTADB: "its first page is not that of a database"
    case SQLITE_CORRUPT where Array(message.utf8).starts(with: "malformed database schema".utf8):
      "its schema, the list of its tables and indexes, contradicts itself"
    case SQLITE_CORRUPT: "pages of it contradict each other, or are no pages of a database"
    default: nil
    }
  }

  /// One line: which database, and why. It leaves out the statement, which may contain names from the store.
  public var description: String {
    if let damage { return "'\(path)' is damaged: \(damage); \(Self.adviceOnDamage)" }
    return switch interruption {
    case .deadline: "cannot finish reading '\(path)': out of time"
    case .work:
      "'\(path)': more work than a database of its size can need; does a tree in it contain itself? \(Self.adviceOnDamage)"
    case .request: "cannot finish reading '\(path)': interrupted"
    case nil: "'\(path)': \(message) (SQLite result code \(code))"
    }
  }
}
