import CStoreSQLite

/// A value of a statement's current row, in SQLite's memory. It is valid until the statement steps, is reset or goes
/// away; it does not keep the statement alive.
///
/// Asking the statement itself looks the value up for each question. Code that asks more than one question, usually
/// beginning with `kind`, looks it up once this way:
///
/// ```swift
/// let name = tags[0]
/// if name.kind == .text { name.withBytes { print($0.count) } }
/// ```
public struct ColumnValue {
  // An "unprotected" value in SQLite's terms: reading it "is not threadsafe". No connection here is used by two threads
  // at a time, and none has a mutex. A column that does not exist has a value too: NULL.
  @usableFromInline let value: OpaquePointer?

  @inlinable
  init(_ value: OpaquePointer?) { self.value = value }

  /// How the value is stored. Ask before reading it: reading may convert it.
  @inlinable
  public var kind: ValueKind {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// The value as an integer; SQLite converts other kinds, 0 for NULL.
  @inlinable
  public var int64: Int64 { sqlite3_value_int64(value) }

  /// The value as a number; SQLite converts other kinds, 0 for NULL.
  @inlinable
  public var double: Double { sqlite3_value_double(value) }

  /// Calls `body` with the bytes of a text (as UTF-8) or a blob, valid until the next step; empty for NULL. Numbers
  /// come as text.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pointer first, since asking for it may convert the value, then the length.
    let isText = sqlite3_value_type(value) == SQLITE_TEXT
    let start = isText ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The value, copied.
  public var copied: SQLiteValue {
    switch kind {
    case .null: .null
    case .integer: .integer(int64)
    case .real: .real(double)
    case .text: .text(withBytes { [UInt8]($0) })
    case .blob: .blob(withBytes { [UInt8]($0) })
    }
  }
}

extension Statement {
  /// The value of a column in the current row.
  @inlinable
  public subscript(column: Int) -> ColumnValue { ColumnValue(sqlite3_column_value(handle, Int32(clamping: column))) }
}
