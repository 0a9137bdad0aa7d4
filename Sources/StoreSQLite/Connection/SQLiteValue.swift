/// A value as SQLite stores it, copied out of its row.
///
/// Scans read values in SQLite's memory (`Statement.withBytes`); this is for the few that are kept, such as those in a
/// repair's plan. Text is kept as bytes, so that invalid UTF-8 is preserved.
public enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// The bytes of a text, as UTF-8; they may be invalid.
  case text([UInt8])
  case blob([UInt8])

  /// A text.
  package static func text(_ text: String) -> SQLiteValue { .text(Array(text.utf8)) }

  /// Whether it is NULL.
  package var isNull: Bool { self == .null }
}

extension Statement {
  /// The value of a column, copied.
  package func value(_ column: Int) -> SQLiteValue { self[column].copied }

  /// Sets a parameter to a value.
  package func bind(_ value: SQLiteValue, at parameter: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: parameter)
    case .integer(let number): try bind(number, at: parameter)
    case .real(let number): try bind(number, at: parameter)
    case .text(let bytes): try bind(text: bytes, at: parameter)
    case .blob(let bytes): try bind(bytes, at: parameter)
    }
  }
}
