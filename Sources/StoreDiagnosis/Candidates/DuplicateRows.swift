import StoreScanning
import StoreSQLite

/// Rows of a table that are equal in some columns, as an index of SQLite's takes values for equal: text and bytes to the
/// last bit, numbers by value.
///
/// The read leaves 8 bytes of hash and a byte or two of key a row behind. Only rows whose hash occurs twice are looked
/// at again, by key, and compared value by value: what is found does not rest on hashes.
final class DuplicateRows: RowVisitor {
  /// The rows that are equal to another, ascending, and how many different values they share; nil before `confirm`, and
  /// where rows could not be found again.
  private(set) var result: (keys: [Int64], groups: Int64)?

  private let table: String
  private let columns: [String]
  private let indexes: [Int]
  private let nullsAreEqual: Bool
  private var hashes: [UInt64] = []
  private var keys = NumberLog(width: 1)

  init(table: String, columns: [String], indexes: [Int], nullsAreEqual: Bool) {
    self.table = table
    self.columns = columns
    self.indexes = indexes
    self.nullsAreEqual = nullsAreEqual
  }

  override func visit(_ row: Row) {
    var hasher = Hasher()
    var nulls = 0
    for index in indexes where !hash(row.values[index], into: &hasher) { nulls += 1 }
    // NULLs never collide in a unique index; rows of nothing but NULL are no duplicates to people either.
    guard nullsAreEqual ? nulls < indexes.count : nulls == 0 else { return }
    hashes.append(UInt64(bitPattern: Int64(hasher.finalize())))
    keys.append(row.key)
  }

  /// False for NULL.
  private func hash(_ value: ColumnValue, into hasher: inout Hasher) -> Bool {
    let kind = value.kind
    switch kind {
    case .null:
      hasher.combine(0)
      return false
    case .integer: hasher.combine(value.int64)
    case .real:
      if let whole = Int64(exactly: value.double) { hasher.combine(whole) } else { hasher.combine(value.double) }
    case .text, .blob:
      hasher.combine(kind == .text ? 1 : 2)
      value.withBytes { bytes in
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      }
    }
    return true
  }

  /// Compares the rows whose hashes are equal.
  func confirm(_ connection: Connection) throws(SQLiteError) {
    let suspects = self.suspects()
    (hashes, keys) = ([], NumberLog(width: 1))
    guard !suspects.isEmpty else {
      result = ([], 0)
      return
    }
    do throws(SQLiteError) {
      result = try compare(suspects, connection)
    } catch {
      // A table without row numbers, or one that is damaged: then it is not known.
      if error.endsReading { throw error }
    }
  }

  /// Hash and key of every row whose hash another row has, in this order.
  private func suspects() -> [(hash: UInt64, key: Int64)] {
    var seen = RepeatedHashes(capacity: hashes.count)
    for hash in hashes { seen.insert(hash) }
    guard !seen.isEmpty else { return [] }
    var found: [(hash: UInt64, key: Int64)] = []
    var position = 0
    keys.forEach { row in
      if seen.mayContain(hashes[position]) { found.append((hashes[position], row[0] ?? 0)) }
      position += 1
    }
    return found.sorted { ($0.hash, $0.key) < ($1.hash, $1.key) }
  }

  private func compare(
    _ suspects: [(hash: UInt64, key: Int64)], _ connection: Connection
  ) throws(SQLiteError) -> (keys: [Int64], groups: Int64)? {
    let names = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(names) FROM \(quotedIdentifier(table)) WHERE rowid = ?")
    var (keys, groups): ([Int64], Int64) = ([], 0)
    var start = 0
    while start < suspects.count {
      var end = start
      // As a rule one value; several only where hashes collide.
      var known: [(value: [StoredCell], keys: [Int64])] = []
      while end < suspects.count, suspects[end].hash == suspects[start].hash {
        guard let value = try cells(of: suspects[end].key, statement) else { return nil }
        if let place = known.firstIndex(where: { $0.value == value }) {
          known[place].keys.append(suspects[end].key)
        } else {
          known.append((value, [suspects[end].key]))
        }
        end += 1
      }
      for group in known where group.keys.count > 1 {
        groups += 1
        keys += group.keys
      }
      start = end
    }
    return (keys.sorted(), groups)
  }

  /// The values of a row; nil where there is none of that number with that key.
  private func cells(of key: Int64, _ statement: Statement) throws(SQLiteError) -> [StoredCell]? {
    statement.reset()
    try statement.bind(key, at: 1)
    guard try statement.step(), statement.int64(0) == key else { return nil }
    return columns.indices.map { StoredCell(statement, $0 + 1) }
  }
}

/// A value as SQLite compares it: numbers by value, whatever their kind.
private enum StoredCell: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  init(_ statement: Statement, _ column: Int) {
    switch statement.kind(column) {
    case .null: self = .null
    case .integer: self = .integer(statement.int64(column))
    case .real:
      let value = statement.double(column)
      self = Int64(exactly: value).map(Self.integer) ?? .real(value)
    case .text: self = .text(statement.blob(column) ?? [])
    case .blob: self = .blob(statement.blob(column) ?? [])
    }
  }
}
