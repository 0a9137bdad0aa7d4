import CSQLite

/// Records what one statement changes in many rows of one table, so that the changes can be taken back.
///
/// A `ChangeRecording` sees every change, and takes longer than the change itself: SQLite hands it each row whole, and it
/// looks each up again. Here the columns are known beforehand, and `KeyedRows` is asked about each row anyway: it is given
/// the values along with the key, once by the statement, before it changes the row, and once by a second walk, after. What
/// comes of it is the same `Changeset`.
///
/// Nothing else is seen, so it is only for tables without triggers.
package final class UpdateRecording {
  private let table: String
  private let columns: [String]
  private var walks: UpdateWalks

  /// A recording of updates of `columns`; nil where a `ChangeRecording` is needed: rows are not told apart by the column
  /// `Z_PK` alone, the table has triggers, or there are more columns than a function takes.
  ///
  /// - Throws: `SQLiteError`.
  package init?(of connection: Connection, table: String, columns changed: [String]) throws(SQLiteError) {
    let schema = try connection.schema()
    let all = try connection.columns(of: table)
    let keys = all.filter { $0.primaryKeyPosition > 0 }
    let wanted = Set(changed.map { $0.lowercased() })
    guard let found = schema.first(where: { $0.isOrdinaryTable && $0.name.lowercased() == table.lowercased() }),
      !schema.contains(where: { $0.type == .trigger && $0.tableName.lowercased() == table.lowercased() }),
      keys.map({ [$0.name.uppercased(), $0.declaredType.uppercased()] }) == [["Z_PK", "INTEGER"]],
      all.allSatisfy({ $0.kind == .ordinary }), !wanted.contains("z_pk"), wanted.count < 60
    else { return nil }
    self.table = found.name
    var columns: [String] = []
    let roles: [UpdateWalks.Role] = all.map { column in
      if column.primaryKeyPosition > 0 { return .key }
      guard wanted.contains(column.name.lowercased()) else { return .other }
      columns.append(column.name)
      return .noted(columns.count - 1)
    }
    self.columns = columns
    walks = UpdateWalks(table: found.name, width: columns.count, roles: roles)
  }

  /// What the statement asks about each row, in place of `storedoctor_picks(Z_PK)`.
  package var condition: String {
    "storedoctor_picks(\((["Z_PK"] + columns.map(quotedIdentifier)).joined(separator: ", ")))"
  }

  /// Bytes of memory in use.
  package var memory: Int { walks.changes.capacity + walks.old.capacity }

  /// Whether nothing has changed.
  package var isEmpty: Bool { walks.changes.isEmpty }

  /// Hands out what has been recorded.
  package func takeChangeset() -> Changeset {
    defer { walks.changes = [] }
    return Changeset(made: walks.changes)
  }

  /// Records what `statement` changes in the rows between two keys, which it chooses by `condition`.
  ///
  /// - Parameter statement: runs the statement; how many rows it has changed.
  /// - Throws: what `statement` throws, and `SQLiteError`.
  package func record(
    from first: Int64, to last: Int64, on connection: Connection, _ statement: () throws -> Int
  ) throws -> Int {
    walks.begin(.before)
    let count = try statement()
    guard !walks.isOff, walks.rows == count else { throw failure(connection) }
    walks.begin(.after)
    let second = try connection.prepare(
      "SELECT count(*) FROM \(quotedIdentifier(table)) NOT INDEXED WHERE Z_PK BETWEEN ?1 AND ?2 AND \(condition)")
    try second.bind(first, at: 1)
    try second.bind(last, at: 2)
    while try second.step() {}
    // SQLite takes changesets of 31 bits.
    guard !walks.isOff, walks.rows == count, walks.changes.count <= Int32.max / 2 else { throw failure(connection) }
    return count
  }

  private func failure(_ connection: Connection) -> SQLiteError {
    SQLiteError(code: SQLITE_INTERNAL, message: "changes of '\(table)' could not be recorded", path: connection.path)
  }

  /// Takes a row that is meant: its key and the values of `columns`.
  ///
  /// All that changes lies in one value, so that a row costs one check of access to this object and not dozens.
  func note(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>) { walks.note(count, values) }
}

/// What has been seen of a table in the two walks along it.
private struct UpdateWalks {
  enum Role: Equatable {
    case key, other
    /// The place among the values that are noted.
    case noted(Int)
  }

  enum Walk { case before, after }

  let table: String
  /// Values that are noted of each row: fewer than 64.
  let width: Int
  let roles: [Role]
  var walk = Walk.before
  var isOff = false
  /// The rows of this walk so far; in the second, those that have been compared.
  var rows = 0
  var keys: [Int64] = []
  /// Old values as a changeset has them, with the end of each.
  var old: [UInt8] = []
  var oldEnds: [Int] = []
  var new: [UInt8] = []
  var newEnds: [Int] = []
  var changes: [UInt8] = []

  init(table: String, width: Int, roles: [Role]) {
    self.table = table
    self.width = width
    self.roles = roles
  }

  mutating func begin(_ walk: Walk) {
    self.walk = walk
    rows = 0
    guard walk == .before else { return }
    keys.removeAll(keepingCapacity: true)
    old.removeAll(keepingCapacity: true)
    oldEnds.removeAll(keepingCapacity: true)
  }

  mutating func note(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>) {
    guard Int(count) == width + 1, sqlite3_value_type(values[0]) == SQLITE_INTEGER else {
      isOff = true
      return
    }
    let key = sqlite3_value_int64(values[0])
    defer { rows += 1 }
    switch walk {
    case .before:
      keys.append(key)
      for column in 1..<Int(count) {
        append(values[column], to: &old)
        oldEnds.append(old.count)
      }
    case .after:
      // Both walks go along the keys, which have stayed.
      guard rows < keys.count, keys[rows] == key else {
        isOff = true
        return
      }
      new.removeAll(keepingCapacity: true)
      newEnds.removeAll(keepingCapacity: true)
      for column in 1..<Int(count) {
        append(values[column], to: &new)
        newEnds.append(new.count)
      }
      writeChange(of: key)
    }
  }

  /// Writes what differs between the old row and the new one, if anything does.
  private mutating func writeChange(of key: Int64) {
    // A bit for each value.
    var differs: UInt64 = 0
    for column in 0..<width where old[oldRange(column)] != new[newRange(column)] { differs |= 1 << column }
    guard differs != 0 else { return }
    if changes.isEmpty { writeHeader() }
    changes.append(UInt8(truncatingIfNeeded: SQLITE_UPDATE))
    changes.append(0)
    for role in roles {
      switch role {
      case .key: append(1, UInt64(bitPattern: key), to: &changes)
      case .noted(let place) where differs >> place & 1 == 1: changes += old[oldRange(place)]
      case .noted, .other: changes.append(0)
      }
    }
    for role in roles {
      switch role {
      case .noted(let place) where differs >> place & 1 == 1: changes += new[newRange(place)]
      case .noted, .key, .other: changes.append(0)
      }
    }
  }

  private mutating func writeHeader() {
    changes.append(UInt8(ascii: "T"))
    append(varint: roles.count, to: &changes)
    changes += roles.map { $0 == .key ? 1 : 0 }
    changes += Array(table.utf8) + [0]
  }

  private func oldRange(_ column: Int) -> Range<Int> {
    let index = rows * width + column
    return (index == 0 ? 0 : oldEnds[index - 1])..<oldEnds[index]
  }

  private func newRange(_ column: Int) -> Range<Int> { (column == 0 ? 0 : newEnds[column - 1])..<newEnds[column] }
}

/// A value as a changeset has it.
private func append(_ value: OpaquePointer?, to bytes: inout [UInt8]) {
  switch sqlite3_value_type(value) {
  case SQLITE_INTEGER: append(1, UInt64(bitPattern: sqlite3_value_int64(value)), to: &bytes)
  case SQLITE_FLOAT: append(2, sqlite3_value_double(value).bitPattern, to: &bytes)
  case SQLITE_TEXT: append(3, UnsafeRawPointer(sqlite3_value_text(value)), sqlite3_value_bytes(value), to: &bytes)
  case SQLITE_BLOB: append(4, sqlite3_value_blob(value), sqlite3_value_bytes(value), to: &bytes)
  default: bytes.append(5)
  }
}

private func append(_ type: UInt8, _ start: UnsafeRawPointer?, _ count: Int32, to bytes: inout [UInt8]) {
  bytes.append(type)
  append(varint: Int(count), to: &bytes)
  bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
}

private func append(_ type: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
  bytes.append(type)
  withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
}

/// Seven bits to a byte, the highest first; all but the last have the eighth bit.
private func append(varint number: Int, to bytes: inout [UInt8]) {
  var shift = 28
  while shift > 0 {
    if number >> shift != 0 { bytes.append(UInt8(truncatingIfNeeded: number >> shift) | 0x80) }
    shift -= 7
  }
  bytes.append(UInt8(truncatingIfNeeded: number) & 0x7f)
}
