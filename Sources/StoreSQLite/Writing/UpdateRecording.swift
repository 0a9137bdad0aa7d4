import CStoreSQLite
import StoreText

/// Records what one statement changes in many rows of one table, so that the changes can be undone.
///
/// A `ChangeRecording` sees every change but takes longer than the change itself: SQLite passes it each whole row, and
/// it looks each up again. Here the columns are known in advance, and `KeyedRows` is asked about each row anyway: it
/// gets the old values along with the key, and the new ones by `assignment`. The result is the same `Changeset`.
///
/// A new value may be stored as another kind than given (3 becomes 3.0 in a FLOAT column), and a column may be set
/// without `assignment`. In these cases a second read of the rows gets the values that were stored.
///
/// It sees nothing else, and so is only for tables without triggers.
package final class UpdateRecording {
  private let table: String
  private let columns: [String]
  private var walks: UpdateWalks
  /// How often new values had to be read a second time.
  private(set) var secondWalks = 0

  /// A recording of updates of `columns`. Nil where a `ChangeRecording` is needed: the primary key is not `Z_PK` alone,
  /// the table has triggers, or there are more columns than a function can take.
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
    var affinities: [Affinity] = []
    let roles: [UpdateWalks.Role] = all.map { column in
      if column.primaryKeyPosition > 0 { return .key }
      guard wanted.contains(column.name.lowercased()) else { return .other }
      columns.append(column.name)
      affinities.append(Affinity(declaredType: column.declaredType))
      return .noted(columns.count - 1)
    }
    self.columns = columns
    walks = UpdateWalks(table: found.name, affinities: affinities, roles: roles)
  }

  /// The statement's condition for each row, instead of `storedoctor_picks(Z_PK)`.
  package var condition: String {
    "storedoctor_picks(\((["Z_PK"] + columns.map(quotedIdentifier)).joined(separator: ", ")))"
  }

  /// Replaces `column = expression` in the statement, so that the new value is known without a second read.
  package func assignment(of column: String, _ expression: String) -> String {
    let name = column.lowercased()
    guard let place = columns.firstIndex(where: { $0.lowercased() == name }) else {
      return "\(quotedIdentifier(column)) = \(expression)"
    }
    return "\(quotedIdentifier(column)) = storedoctor_keeps(Z_PK, \(place), \(expression))"
  }

  /// Bytes of memory in use.
  package var memory: Int { walks.memory }

  /// Whether nothing has changed.
  package var isEmpty: Bool { walks.changes.isEmpty }

  /// Hands out the changes recorded so far.
  package func takeChangeset() -> Changeset {
    defer { walks.changes = [] }
    return Changeset(made: walks.changes)
  }

  /// Records what `statement` changes in the rows between two keys, which it selects by `condition`.
  ///
  /// - Parameter statement: runs the statement; returns how many rows changed.
  /// - Throws: what `statement` throws, and `SQLiteError`.
  package func record(
    from first: Int64, to last: Int64, on connection: Connection, _ statement: () throws -> Int
  ) throws -> Int {
    walks.begin()
    let count = try statement()
    guard !walks.isOff, walks.keys.count == count else { throw failure(connection) }
    if !walks.knowsNewValues {
      secondWalks += 1
      walks.beginAgain()
      let second = try connection.prepare(
        "SELECT count(*) FROM \(quotedIdentifier(table)) NOT INDEXED WHERE Z_PK BETWEEN ?1 AND ?2 AND \(condition)")
      try second.bind(first, at: 1)
      try second.bind(last, at: 2)
      while try second.step() {}
      guard !walks.isOff, walks.knowsNewValues else { throw failure(connection) }
    }
    walks.writeChanges()
    // SQLite's changesets are limited to 31 bits.
    guard walks.changes.count <= Int32.max / 2 else { throw failure(connection) }
    return count
  }

  private func failure(_ connection: Connection) -> SQLiteError {
    SQLiteError(code: SQLITE_INTERNAL, message: "changes of '\(table)' could not be recorded", path: connection.path)
  }

  /// Receives a row that is to change: its key and the values of `columns`.
  ///
  /// The state is one struct, so that a row costs one exclusivity check of this object and not dozens.
  func note(_ count: Int32, values: UnsafeMutablePointer<OpaquePointer?>) { walks.note(count, values: values) }

  /// Receives the new value of the row with `key` in the column at `place`.
  func keep(_ key: Int64, at place: Int64, value: OpaquePointer?) { walks.keep(key, at: place, value: value) }
}

/// The walks recorded of a table while its rows change.
private struct UpdateWalks {
  enum Role: Equatable {
    case key, other
    /// Its index among the recorded values.
    case noted(Int)
  }

  let table: String
  /// The affinities of the recorded columns, which are fewer than 64.
  let affinities: [Affinity]
  let roles: [Role]
  /// The changeset so far.
  var changes: [UInt8] = []

  /// Whether a row came that was not expected.
  private(set) var isOff = false
  /// The keys of the changing rows, ascending.
  private(set) var keys: [Int64] = []
  private var old = ChangesetValues()
  private var new = ChangesetValues()
  private var isReadingAgain = false
  /// The number of rows with new values so far.
  private var rowsKept = 0
  /// Whether some new values may be stored differently, or came out of order.
  private var isUnsure = false

  init(table: String, affinities: [Affinity], roles: [Role]) {
    self.table = table
    self.affinities = affinities
    self.roles = roles
  }

  private var width: Int { affinities.count }

  var memory: Int { changes.capacity + old.bytes.capacity + new.bytes.capacity }

  /// Whether the new values of all rows are known.
  var knowsNewValues: Bool { !isUnsure && new.ends.count == old.ends.count }

  mutating func begin() {
    keys.removeAll(keepingCapacity: true)
    old.removeAll()
    forgetNewValues()
    isReadingAgain = false
  }

  /// Prepares for reading the changed rows once more.
  mutating func beginAgain() {
    forgetNewValues()
    isReadingAgain = true
  }

  private mutating func forgetNewValues() {
    new.removeAll()
    rowsKept = 0
    isUnsure = false
  }

  mutating func note(_ count: Int32, values: UnsafeMutablePointer<OpaquePointer?>) {
    guard Int(count) == width + 1, sqlite3_value_type(values[0]) == SQLITE_INTEGER else {
      isOff = true
      return
    }
    let key = sqlite3_value_int64(values[0])
    if isReadingAgain {
      // Both reads follow the keys, which have not changed.
      guard rowsKept < keys.count, keys[rowsKept] == key else {
        isOff = true
        return
      }
      rowsKept += 1
      for column in 1..<Int(count) { new.append(values[column]) }
    } else {
      keys.append(key)
      for column in 1..<Int(count) { old.append(values[column]) }
    }
  }

  /// Expects a row's columns in the table's order, and rows in the order of their keys.
  mutating func keep(_ key: Int64, at place: Int64, value: OpaquePointer?) {
    guard !isUnsure else { return }
    if place == 0 { rowsKept += 1 }
    guard rowsKept > 0, rowsKept <= keys.count, keys[rowsKept - 1] == key, place >= 0, place < width,
      new.ends.count == (rowsKept - 1) * width + Int(place), affinities[Int(place)].keeps(sqlite3_value_type(value))
    else {
      isUnsure = true
      return
    }
    new.append(value)
  }

  /// Adds the differences between old and new rows to the changeset.
  mutating func writeChanges() {
    var changes = changes
    self.changes = []
    old.bytes.withUnsafeBytes { oldBytes in
      new.bytes.withUnsafeBytes { newBytes in
        for row in keys.indices {
          let first = row * width
          // One bit for each value.
          var differs: UInt64 = 0
          for place in 0..<width {
            let (before, after) = (old.range(first + place), new.range(first + place))
            if !oldBytes[before].elementsEqual(newBytes[after]) { differs |= 1 << place }
          }
          guard differs != 0 else { continue }
          if changes.isEmpty { writeHeader(to: &changes) }
          changes.append(UInt8(truncatingIfNeeded: SQLITE_UPDATE))
          changes.append(0)
          for role in roles {
            switch role {
            case .key: append(1, number: UInt64(bitPattern: keys[row]), to: &changes)
            case .noted(let place) where differs >> place & 1 == 1:
              changes.append(contentsOf: UnsafeRawBufferPointer(rebasing: oldBytes[old.range(first + place)]))
            case .noted, .other: changes.append(0)
            }
          }
          for role in roles {
            switch role {
            case .noted(let place) where differs >> place & 1 == 1:
              changes.append(contentsOf: UnsafeRawBufferPointer(rebasing: newBytes[new.range(first + place)]))
            case .noted, .key, .other: changes.append(0)
            }
          }
        }
      }
    }
    self.changes = changes
  }

  private func writeHeader(to changes: inout [UInt8]) {
    changes.append(UInt8(ascii: "T"))
    append(varint: roles.count, to: &changes)
    changes += roles.map { $0 == .key ? 1 : 0 }
    changes += Array(table.utf8) + [0]
  }
}

/// Values in the changeset's format, one after the other.
private struct ChangesetValues {
  private(set) var bytes: [UInt8] = []
  /// The end of each.
  private(set) var ends: [Int] = []

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  mutating func append(_ value: OpaquePointer?) {
    encode(value, to: &bytes)
    ends.append(bytes.count)
  }

  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }
}

/// A column's type affinity: https://www.sqlite.org/datatype3.html, section 3.
private enum Affinity {
  case blob, text, numeric, real

  init(declaredType: String) {
    let type = declaredType.uppercased()
    func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
    if has("INT") {
      self = .numeric
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if has("BLOB") || type.isEmpty {
      self = .blob
    } else {
      self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
    }
  }

  /// Whether any value of this kind is stored unchanged. For a real in a numeric column that depends on the value.
  func keeps(_ type: Int32) -> Bool {
    switch type {
    case SQLITE_INTEGER: self == .numeric || self == .blob
    case SQLITE_FLOAT: self == .real || self == .blob
    case SQLITE_TEXT: self == .text || self == .blob
    default: true
    }
  }
}

/// Appends a value in the changeset's format.
private func encode(_ value: OpaquePointer?, to bytes: inout [UInt8]) {
  switch sqlite3_value_type(value) {
  case SQLITE_INTEGER: append(1, number: UInt64(bitPattern: sqlite3_value_int64(value)), to: &bytes)
  case SQLITE_FLOAT: append(2, number: sqlite3_value_double(value).bitPattern, to: &bytes)
  case SQLITE_TEXT:
    append(3, start: UnsafeRawPointer(sqlite3_value_text(value)), count: sqlite3_value_bytes(value), to: &bytes)
  case SQLITE_BLOB: append(4, start: sqlite3_value_blob(value), count: sqlite3_value_bytes(value), to: &bytes)
  default: bytes.append(5)
  }
}

private func append(_ type: UInt8, start: UnsafeRawPointer?, count: Int32, to bytes: inout [UInt8]) {
  bytes.append(type)
  append(varint: Int(count), to: &bytes)
  bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
}

private func append(_ type: UInt8, number: UInt64, to bytes: inout [UInt8]) {
  bytes.append(type)
  withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
}

/// Appends seven bits to a byte, highest first; all bytes but the last have the eighth bit set.
private func append(varint number: Int, to bytes: inout [UInt8]) {
  var shift = 28
  while shift > 0 {
    if number >> shift != 0 { bytes.append(UInt8(truncatingIfNeeded: number >> shift) | 0x80) }
    shift -= 7
  }
  bytes.append(UInt8(truncatingIfNeeded: number) & 0x7f)
}
