import CStoreSQLite

/// Changes of rows in the format of SQLite's session extension.
///
///     for each table:   'T'  columns (varint)  1 or 0 for each column: in the primary key?  name  00
///     for each change:  12 insert, 17 update, 09 delete (hexadecimal)  00 or 01 (by a trigger)
///                       delete, update: the old values; insert, update: the new ones
///     each value:       00 not part of an update, 05 NULL
///                       01 integer, 02 real: 8 bytes, big-endian
///                       03 text, 04 blob: length (varint), bytes
///
/// Bytes from a file are parsed here before SQLite sees them: sessions up to 3.43 read beyond the end of some damaged
/// ones (CVE-2023-7104), and SQLite silently skips missing tables.
///
/// https://www.sqlite.org/session/sqlite3changeset_apply.html, the layout from the comments of `sqlite3session.c`
package struct Changeset: Sendable, Equatable {
  /// The bytes.
  package let bytes: [UInt8]

  /// A table that a changeset contains.
  package struct Table: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// For each column whether it is part of the primary key.
    package var keyColumns: [Bool]
    /// How many rows are changed.
    package var changes: Int
  }

  /// A change of one row. Values that are not part of it are nil.
  package enum Change {
    /// A new row, with all values.
    case insert([SQLiteValue?])
    /// A row that is gone, with all values.
    case delete([SQLiteValue?])
    /// The key and the changed values as they were, and the changed values as they are.
    case update(old: [SQLiteValue?], new: [SQLiteValue?])
  }

  /// Why bytes are not a changeset.
  package struct Invalid: Error, Equatable, Sendable, CustomStringConvertible {
    /// The byte offset of the error.
    package var offset: Int
    /// The problem.
    package var message: String

    /// The problem and its place.
    package var description: String { "no changeset: \(message) at byte \(offset)" }
  }

  /// Bytes that SQLite has just produced.
  init(made bytes: [UInt8]) { self.bytes = bytes }

  /// Untrusted bytes.
  ///
  /// - Throws: `Invalid`.
  package init(_ bytes: [UInt8]) throws(Invalid) {
    self.bytes = bytes
    _ = try tables()
  }

  /// Whether nothing is changed.
  package var isEmpty: Bool { bytes.isEmpty }

  /// The tables of the changeset, in its order.
  package func tables() throws(Invalid) -> [Table] {
    var reader = ChangesetReader(bytes: bytes)
    return try reader.tables()
  }

  /// The changes of the tables that `isWanted` names, in their order.
  ///
  /// - Parameter body: called with the place of the table in `tables` and a change of it.
  /// - Throws: `Invalid`, and what `body` throws.
  func forEachChange(
    ofTables isWanted: (String) -> Bool, _ body: (_ table: Int, _ change: Change) throws -> Void
  ) throws {
    var reader = ChangesetReader(bytes: bytes)
    try reader.forEachChange(isWanted, body: body)
  }

  /// All changes, in their order, each with the header of its table and whether a trigger made it.
  ///
  /// - Throws: `Invalid`, and what `body` throws.
  package func forEachChange(
    _ body: (_ table: Table, _ change: Change, _ isByTrigger: Bool) throws -> Void
  ) throws {
    var reader = ChangesetReader(bytes: bytes)
    try reader.forEachChange(body)
  }

  /// The inverse changes.
  ///
  /// - Throws: `SQLiteError` when there is no memory for them.
  package func inverted() throws(SQLiteError) -> Changeset {
    guard !bytes.isEmpty else { return self }
    var size: Int32 = 0
    var result: UnsafeMutableRawPointer?
    let code = bytes.withUnsafeBytes { buffer in
      sqlite3changeset_invert(Int32(clamping: buffer.count), buffer.baseAddress, &size, &result)
    }
    defer { sqlite3_free(result) }
    guard code == SQLITE_OK, let result else {
      throw SQLiteError(code: code, message: "a changeset cannot be inverted", path: "changeset")
    }
    return Changeset(made: [UInt8](UnsafeRawBufferPointer(start: result, count: Int(size))))
  }
}

/// Parses an untrusted changeset.
private struct ChangesetReader {
  let bytes: [UInt8]
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func tables() throws(Changeset.Invalid) -> [Changeset.Table] {
    var tables: [Changeset.Table] = []
    // SQLite uses 32-bit sizes.
    guard bytes.count <= Int32.max / 2 else { throw invalid("\(bytes.count) bytes are too many") }
    while offset < bytes.count {
      let kind = try byte()
      if kind == UInt8(ascii: "T") {
        tables.append(try header())
      } else {
        guard let table = tables.last else { throw invalid("a change comes before any table") }
        try change(kind, columns: table.keyColumns)
        tables[tables.count - 1].changes += 1
      }
    }
    return tables
  }

  mutating func forEachChange(
    _ isWanted: (String) -> Bool, body: (_ table: Int, _ change: Changeset.Change) throws -> Void
  ) throws {
    var table: (place: Int, header: Changeset.Table)?
    while offset < bytes.count {
      let kind = try byte()
      if kind == UInt8(ascii: "T") {
        table = ((table?.place ?? -1) + 1, try header())
      } else {
        guard let table else { throw invalid("a change comes before any table") }
        if isWanted(table.header.name) {
          try body(table.place, try values(of: kind, columns: table.header.keyColumns))
        } else {
          try change(kind, columns: table.header.keyColumns)
        }
      }
    }
  }

  mutating func forEachChange(_ body: (Changeset.Table, Changeset.Change, Bool) throws -> Void) throws {
    var table: Changeset.Table?
    while offset < bytes.count {
      let kind = try byte()
      if kind == UInt8(ascii: "T") {
        table = try header()
      } else {
        guard let table, offset < bytes.count else { throw invalid("a change comes before any table") }
        let isByTrigger = bytes[offset] == 1
        try body(table, try values(of: kind, columns: table.keyColumns), isByTrigger)
      }
    }
  }

  private mutating func header() throws(Changeset.Invalid) -> Changeset.Table {
    let count = try varint()
    guard count > 0, count <= 32_767 else { throw invalid("a table of \(count) columns") }
    var keys: [Bool] = []
    for _ in 0..<count {
      // The column's position in the key, from 1; 0 for columns outside it.
      keys.append(try byte() != 0)
    }
    guard keys.contains(true) else { throw invalid("a table without primary key") }
    guard let end = bytes[offset...].firstIndex(of: 0), end > offset else { throw invalid("a table without a name") }
    guard let name = String(validating: bytes[offset..<end], as: UTF8.self) else {
      throw invalid("a table's name is not text")
    }
    offset = end + 1
    return Changeset.Table(name: name, keyColumns: keys, changes: 0)
  }

  private mutating func change(_ kind: UInt8, columns: [Bool]) throws(Changeset.Invalid) {
    guard try byte() <= 1 else { throw invalid("neither direct nor by a trigger") }
    switch Int32(kind) {
    case SQLITE_INSERT, SQLITE_DELETE:
      for _ in columns { guard try value() else { throw invalid("a value is missing") } }
    case SQLITE_UPDATE:
      for isKey in columns { guard try value() || !isKey else { throw invalid("a key is missing") } }
      for _ in columns { _ = try value() }
    default: throw invalid("an unknown kind of change, \(kind)")
    }
  }

  /// The same as `change`, with the values.
  private mutating func values(of kind: UInt8, columns: [Bool]) throws(Changeset.Invalid) -> Changeset.Change {
    let start = offset
    try change(kind, columns: columns)
    offset = start + 1
    let first = try row(columns.count)
    return switch Int32(kind) {
    case SQLITE_INSERT: .insert(first)
    case SQLITE_DELETE: .delete(first)
    default: .update(old: first, new: try row(columns.count))
    }
  }

  private mutating func row(_ count: Int) throws(Changeset.Invalid) -> [SQLiteValue?] {
    var values: [SQLiteValue?] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try oneValue()) }
    return values
  }

  private mutating func oneValue() throws(Changeset.Invalid) -> SQLiteValue? {
    let type = try byte()
    switch type {
    case 0: return nil
    case 1, 2:
      let bits = try content(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return type == 1 ? .integer(Int64(bitPattern: bits)) : .real(Double(bitPattern: bits))
    case 3: return .text(Array(try content(try varint())))
    case 4: return .blob(Array(try content(try varint())))
    default: return .null
    }
  }

  private mutating func content(_ count: Int) throws(Changeset.Invalid) -> ArraySlice<UInt8> {
    let start = offset
    try skip(count)
    return bytes[start..<offset]
  }

  /// Skips a value; returns whether there is one.
  private mutating func value() throws(Changeset.Invalid) -> Bool {
    switch try byte() {
    case 0: return false
    case 1, 2: try skip(8)
    case 3, 4: try skip(try varint())
    case 5: break
    case let type: throw invalid("an unknown type of value, \(type)")
    }
    return true
  }

  private mutating func byte() throws(Changeset.Invalid) -> UInt8 {
    guard offset < bytes.count else { throw invalid("it ends within a change") }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func skip(_ count: Int) throws(Changeset.Invalid) {
    guard count <= bytes.count - offset else { throw invalid("it ends within a value") }
    offset += count
  }

  /// A number that fits into 32 bits, of up to five bytes.
  private mutating func varint() throws(Changeset.Invalid) -> Int {
    guard let number = bytes.withUnsafeBytes({ Varint($0, at: offset) }) else {
      offset = bytes.count
      throw invalid("it ends within a change")
    }
    offset += min(number.length, Self.longestNumber)
    guard number.length <= Self.longestNumber, (0...Int64(Int32.max)).contains(number.value) else {
      throw invalid("a number is too large")
    }
    return Int(number.value)
  }

  private static let longestNumber = 5

  private func invalid(_ message: String) -> Changeset.Invalid { .init(offset: offset, message: message) }
}
