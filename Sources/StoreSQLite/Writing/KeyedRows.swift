import CStoreSQLite

/// Rows of a table in ascending order of key, with their new values, for one statement that changes many rows.
///
/// A statement for each row searches the tree from its root each time, which takes about as long again as the change.
/// Where many rows change, one statement that reads through the table and asks whether to change each row is faster. It
/// asks by these functions:
///
///     storedoctor_picks(Z_PK)        1 for a row to change; more columns may follow, for an `UpdateRecording`
///     storedoctor_value(Z_PK, 2)     the new value of its third column
///     storedoctor_keeps(Z_PK, 2, x)  returns x, and passes it to an `UpdateRecording`
///
/// Rows mostly come in ascending order, so the search for each starts where the last one ended.
package final class KeyedRows {
  private let keys: [Int64]
  private let values: [SQLiteValue]
  private let width: Int
  private let recording: UpdateRecording?
  private var picked = 0
  private var valued = 0

  /// - Parameters:
  ///   - keys: ascending, each once.
  ///   - values: `width` values for each key; `width` may be 0.
  ///   - recording: is given each row to change, with the values that are passed to `storedoctor_picks`.
  package init(keys: [Int64], values: [SQLiteValue], width: Int, recording: UpdateRecording? = nil) {
    precondition(values.count == keys.count * width, "a value for each column of each row")
    self.keys = keys
    self.values = values
    self.width = width
    self.recording = recording
  }

  /// The index of a key; nil for one that is not among them. `hint` is the index found last.
  private func place(of key: Int64, _ hint: inout Int) -> Int? {
    var place = hint
    if place >= keys.count || keys[place] > key { place = 0 }
    if keys.count - place > 0, keys[place] < key {
      // Nearly always the next one; otherwise a binary search.
      if place + 1 < keys.count, keys[place + 1] >= key {
        place += 1
      } else {
        var (from, to) = (place, keys.count)
        while from < to {
          let middle = (from + to) / 2
          if keys[middle] < key { from = middle + 1 } else { to = middle }
        }
        place = from
      }
    }
    guard place < keys.count else { return nil }
    hint = place
    return keys[place] == key ? place : nil
  }

  fileprivate func picks(_ count: Int32, arguments: UnsafeMutablePointer<OpaquePointer?>) -> Bool {
    guard place(of: sqlite3_value_int64(arguments[0]), &picked) != nil else { return false }
    recording?.note(count, values: arguments)
    return true
  }

  fileprivate func keep(_ key: Int64, at place: Int64, value: OpaquePointer?) {
    recording?.keep(key, at: place, value: value)
  }

  fileprivate func give(_ key: Int64, column: Int, to context: OpaquePointer?) {
    guard let place = place(of: key, &valued), column >= 0, column < width else {
      return sqlite3_result_error(context, "a row that is not meant", -1)
    }
    switch values[place * width + column] {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let bytes):
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress else {
          return sqlite3_result_text(context, "", 0, storedoctor_transient())
        }
        sqlite3_result_text64(
          context, start.assumingMemoryBound(to: CChar.self), UInt64(buffer.count), storedoctor_transient(),
          UInt8(SQLITE_UTF8))
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes { buffer in
        guard let start = buffer.baseAddress else { return sqlite3_result_zeroblob(context, 0) }
        sqlite3_result_blob64(context, start, UInt64(buffer.count), storedoctor_transient())
      }
    }
  }
}

extension Connection {
  /// Runs `body` while statements can call the functions for `rows`.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func withRows<Result>(_ rows: KeyedRows, body: () throws -> Result) throws -> Result {
    try withHandle { handle in
      let context = Unmanaged.passUnretained(rows).toOpaque()
      // Only for statements of this package; a trigger or view may not call them.
      let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
      try check(
        sqlite3_create_function_v2(
          handle, "storedoctor_picks", -1, flags, context,
          { context, count, arguments in
            guard let rows = keyedRows(context), let arguments, count > 0 else { return }
            sqlite3_result_int(context, rows.picks(count, arguments: arguments) ? 1 : 0)
          }, nil, nil, nil))
      try check(
        sqlite3_create_function_v2(
          handle, "storedoctor_value", 2, flags, context,
          { context, _, arguments in
            guard let rows = keyedRows(context), let key = arguments?[0], let column = arguments?[1] else { return }
            rows.give(sqlite3_value_int64(key), column: Int(sqlite3_value_int64(column)), to: context)
          }, nil, nil, nil))
      try check(
        sqlite3_create_function_v2(
          handle, "storedoctor_keeps", 3, flags, context,
          { context, _, arguments in
            guard let rows = keyedRows(context), let arguments else { return }
            rows.keep(sqlite3_value_int64(arguments[0]), at: sqlite3_value_int64(arguments[1]), value: arguments[2])
            sqlite3_result_value(context, arguments[2])
          }, nil, nil, nil))
    }
    defer {
      try? withHandle { handle in
        for (name, arity) in RowFunctions.arities {
          sqlite3_create_function_v2(handle, name, arity, SQLITE_UTF8, nil, nil, nil, nil, nil)
        }
      }
    }
    return try withExtendedLifetime(rows, body)
  }
}

private func keyedRows(_ context: OpaquePointer?) -> KeyedRows? {
  sqlite3_user_data(context).map { Unmanaged<KeyedRows>.fromOpaque($0).takeUnretainedValue() }
}
