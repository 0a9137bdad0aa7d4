import CStoreSQLite

/// A value of the row a statement stands on, where SQLite has it: good until the statement steps, is reset or goes,
/// which this does not keep.
///
/// A statement that is asked by column finds the value anew for each question, and notes what became of it. Whoever asks
/// more than one, which most do since they begin with `kind`, finds it once:
///
/// ```swift
/// let name = tags[0]
/// if name.kind == .text { name.withBytes { print($0.count) } }
/// ```
public struct ColumnValue {
  // SQLite calls it unprotected: to read it "is not threadsafe". No connection of ours is used by two threads at a time,
  // and none has a mutex. It is there for columns too that do not exist: they are NULL.
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

  /// Calls `body` with the bytes of a text (as UTF-8) or a blob, good until the next step; empty for NULL. Numbers
  /// come as text.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // First the pointer, which may convert the value, then the length of what it points to.
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
  /// The value of a column in the row it stands on.
  @inlinable
  public subscript(column: Int) -> ColumnValue { ColumnValue(sqlite3_column_value(handle, Int32(clamping: column))) }
}
