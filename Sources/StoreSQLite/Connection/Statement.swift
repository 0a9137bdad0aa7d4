import CStoreSQLite

/// A compiled statement and its current row.
///
/// Columns are counted from 0, parameters from 1. A column that does not exist is NULL. Only `string`, `blob` and
/// `value` allocate memory; the others read in SQLite's.
///
/// ```swift
/// let tags = try connection.prepare("SELECT ZNAME FROM ZTAG WHERE Z_PK = ?")
/// try tags.bind(7, at: 1)
/// while try tags.step() { print(tags.string(0) ?? "no name") }
/// ```
public final class Statement {
  /// The text the statement was compiled from.
  package let sql: String

  @usableFromInline let handle: OpaquePointer
  private let connection: Connection

  init(_ handle: OpaquePointer, of connection: Connection, sql: String) {
    self.handle = handle
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  /// Moves to the next row; false when there is none. After that, or an error, only `reset()` starts again: a library that
  /// is built without auto-reset, as Apple's is, calls the next step a misuse.
  ///
  /// - Throws: `SQLiteError`: damaged pages, the deadline, a value too long.
  @inlinable
  public func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Back to before the first row. Bound values are kept.
  package func reset() {
    // The result code is that of the last step, which was already thrown.
    sqlite3_reset(handle)
  }

  @usableFromInline
  func failure(_ code: Int32) -> SQLiteError {
    let error = connection.error(code, sql: sql)
    sqlite3_reset(handle)
    return error
  }
}

/// How SQLite stores a value.
public enum ValueKind: Sendable {
  /// `NULL`
  case null
  /// A signed integer of up to 64 bits.
  case integer
  /// A 64-bit floating-point number.
  case real
  /// Text, possibly invalid in its encoding.
  case text
  /// Bytes.
  case blob
}

/// Values of the current row.
extension Statement {
  /// The number of columns of a row.
  @inlinable
  public var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// How the value is stored. Ask before reading it: reading may convert it.
  @inlinable
  public func kind(_ column: Int) -> ValueKind {
    self[column].kind
  }

  /// Whether the value is NULL.
  @inlinable
  public func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL
  }

  /// The value as an integer; SQLite converts other kinds, 0 for NULL.
  @inlinable
  public func int64(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(clamping: column))
  }

  /// The value as a number; SQLite converts other kinds, 0 for NULL.
  @inlinable
  public func double(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(clamping: column))
  }

  /// Calls `body` with the bytes of a text (as UTF-8) or a blob, valid until the next step; empty for NULL. Numbers
  /// come as text.
  @inlinable
  public func withBytes<Result, Failure: Error>(
    _ column: Int, body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try self[column].withBytes(body)
  }

  /// The value as text, repaired where it is not valid; nil for NULL. Numbers come as text.
  @inlinable
  public func string(_ column: Int) -> String? {
    isNull(column) ? nil : withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a text (as UTF-8) or a blob; nil for NULL. Numbers come as text.
  @inlinable
  public func blob(_ column: Int) -> [UInt8]? {
    isNull(column) ? nil : withBytes(column) { [UInt8]($0) }
  }
}

/// Values for parameters.
extension Statement {
  /// Sets a parameter to an integer, NULL for nil.
  package func bind(_ value: Int64?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    try check(sqlite3_bind_int64(handle, Int32(clamping: parameter), value))
  }

  /// Sets a parameter to a number, NULL for nil. SQLite turns NaN into NULL.
  package func bind(_ value: Double?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    try check(sqlite3_bind_double(handle, Int32(clamping: parameter), value))
  }

  /// Sets a parameter to text, NULL for nil.
  package func bind(_ value: String?, at parameter: Int) throws(SQLiteError) {
    guard var value else { return try bindNull(at: parameter) }
    try check(value.withUTF8 { bindText(UnsafeRawBufferPointer($0), at: parameter) })
  }

  /// Sets a parameter to the bytes of a text, which need not be valid UTF-8.
  func bind(text bytes: [UInt8], at parameter: Int) throws(SQLiteError) {
    try check(bytes.withUnsafeBytes { bindText($0, at: parameter) })
  }

  /// Sets a parameter to a text of these bytes, which need not be valid UTF-8; they are copied.
  package func bind(textBytes bytes: UnsafeRawBufferPointer, at parameter: Int) throws(SQLiteError) {
    try check(bindText(bytes, at: parameter))
  }

  /// Sets a parameter to a blob of these bytes, which are copied.
  package func bind(blobBytes bytes: UnsafeRawBufferPointer, at parameter: Int) throws(SQLiteError) {
    let parameter = Int32(clamping: parameter)
    try check(
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, parameter, 0)
        : sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), storedoctor_transient()))
  }

  private func bindText(_ bytes: UnsafeRawBufferPointer, at parameter: Int) -> Int32 {
    // With a null pointer SQLite would take the empty text for NULL.
    sqlite3_bind_text64(
      handle, Int32(clamping: parameter), bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? emptyText,
      UInt64(bytes.count), storedoctor_transient(), UInt8(SQLITE_UTF8))
  }

  /// Sets a parameter to bytes, NULL for nil.
  package func bind(_ value: [UInt8]?, at parameter: Int) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    let parameter = Int32(clamping: parameter)
    let code = value.withUnsafeBytes { bytes in
      // With a null pointer SQLite would take the empty blob for NULL.
      bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, parameter, 0)
        : sqlite3_bind_blob64(handle, parameter, bytes.baseAddress, UInt64(bytes.count), storedoctor_transient())
    }
    try check(code)
  }

  /// Sets a parameter to NULL.
  package func bindNull(at parameter: Int) throws(SQLiteError) {
    try check(sqlite3_bind_null(handle, Int32(clamping: parameter)))
  }

  private func check(_ code: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw failure(code) }
  }

  private var emptyText: UnsafePointer<CChar> {
    let empty: StaticString = ""
    return UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
