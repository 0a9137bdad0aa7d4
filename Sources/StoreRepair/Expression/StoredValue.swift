import StoreDataModel
import StoreSQLite

/// Why a value cannot be stored in an attribute of some type.
package struct UnstorableValue: Error, Sendable, Hashable, CustomStringConvertible {
  /// Contains nothing of the value; lower case, no full stop.
  package var description: String

  init(_ description: String) { self.description = description }
}

extension AttributeType {
  /// A computed value as SQLite stores it in a column of this type; whole numbers become integers in columns for dates
  /// and decimals.
  ///
  /// - Parameter value: dates as seconds since 2001, truth values as 0 or 1, UUIDs as 16 bytes; NULL stays NULL.
  /// - Throws: `UnstorableValue` for a value of another kind, or out of range.
  package func storedValue(_ value: SQLiteValue) throws(UnstorableValue) -> SQLiteValue {
    switch (self, value) {
    case (_, .null): return .null
    case (.integer16, .integer(let number)): try require(Int16(exactly: number) != nil)
    case (.integer32, .integer(let number)): try require(Int32(exactly: number) != nil)
    case (.integer64, .integer): break
    case (.boolean, .integer(let number)): try require(number == 0 || number == 1)
    case (.double, .integer(let number)): return .real(Double(number))
    case (.double, .real(let number)): try require(number.isFinite)
    case (.float, .integer(let number)): return try float(Double(number))
    case (.float, .real(let number)): return try float(number)
    case (.decimal, .integer), (.date, .integer): break
    case (.decimal, .real(let number)), (.date, .real(let number)):
      try require(number.isFinite)
      return Int64(exactly: number).map(SQLiteValue.integer) ?? value
    case (.string, .text(let bytes)), (.uri, .text(let bytes)):
      // SQLite's own functions end a text at a NUL character.
      guard !bytes.contains(0) else { throw UnstorableValue("a text with a NUL character") }
    case (.uuid, .blob(let bytes)): try require(bytes.count == 16)
    case (.binary, .blob), (.transformable, .blob): break
    case (_, _): throw UnstorableValue("a value of another kind than \(name)")
    }
    return value
  }

  /// A number rounded to 32 bits, stored as 64.
  private func float(_ number: Double) throws(UnstorableValue) -> SQLiteValue {
    try require(Float(number).isFinite)
    return .real(Double(Float(number)))
  }

  private func require(_ fits: Bool) throws(UnstorableValue) {
    if !fits { throw UnstorableValue("a value out of the range of \(name)\(rangeWords)") }
  }

  /// The range of the type, in parentheses, for messages.
  var rangeWords: String {
    switch self {
    case .integer16: " (-32768 to 32767)"
    case .integer32: " (-2147483648 to 2147483647)"
    case .integer64: " (64 bits)"
    case .boolean: " (0 or 1)"
    case .uuid: " (16 bytes)"
    case _: ""
    }
  }
}

extension Attribute {
  /// The model's default value as a column stores it; nil where there is none, or it cannot be stored from here.
  package var storedDefault: SQLiteValue? {
    guard let defaultValue else { return nil }
    let value: SQLiteValue
    switch defaultValue {
    case .boolean(let flag): value = .integer(flag ? 1 : 0)
    case .integer(let number): value = .integer(number)
    case .real(let number), .date(let number): value = .real(number)
    case .string(let text), .uri(let text): value = .text(text)
    case .data(let bytes), .uuid(let bytes): value = .blob(bytes)
    case .decimal(let text):
      guard let decimal = DecimalText(text), let number = decimal.double else { return nil }
      value = decimal.integer.map(SQLiteValue.integer) ?? .real(number)
    case .object, .unreadable: return nil
    }
    return try? type.storedValue(value)
  }
}
