import StoreScanning
import StoreSQLite

/// Finds rows of a table that are equal in some columns, as a unique index of SQLite compares them: text and blobs
/// byte by byte, numbers by value.
///
/// The read keeps 8 bytes of hash and one or two bytes of key per row. Rows with equal hashes are then read again by
/// key and compared by value, so the result does not depend on hashes.
final class DuplicateRows: RowVisitor {
  /// The keys of duplicate rows, ascending, and how many different values they share; nil before `confirm`, and if
  /// rows could not be read again.
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

  override func forLaterRows() -> RowVisitor? {
    DuplicateRows(table: table, columns: columns, indexes: indexes, nullsAreEqual: nullsAreEqual)
  }

  override func add(_ later: RowVisitor) {
    guard let later = later as? DuplicateRows else { return }
    hashes += later.hashes
    keys.append(later.keys)
  }

  override func visit(_ row: Row) {
    var hasher = Hasher()
    var nulls = 0
    for index in indexes where !hash(row[index], into: &hasher) { nulls += 1 }
    // NULLs never collide in a unique index; rows in which all are NULL are not regarded as duplicates either.
    guard nullsAreEqual ? nulls < indexes.count : nulls == 0 else { return }
    hashes.append(UInt64(bitPattern: Int64(hasher.finalize())))
    keys.append(row.key)
  }

  /// Adds a value to the hash; returns false for NULL.
  private func hash(_ value: ScannedValue, into hasher: inout Hasher) -> Bool {
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

  /// Compares the rows with equal hashes.
  func confirm(_ connection: Connection) throws(SQLiteError) {
    let suspects = self.suspects()
    (hashes, keys) = ([], NumberLog(width: 1))
    guard !suspects.isEmpty else {
      result = ([], 0)
      return
    }
    do throws(SQLiteError) {
      result = try compare(suspects, in: connection)
    } catch {
      // A table without rowid, or a damaged one: the result stays unknown.
      if error.endsReading { throw error }
    }
  }

  /// Hash and key of every row that shares its hash with another, sorted by both.
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
    _ suspects: [(hash: UInt64, key: Int64)], in connection: Connection
  ) throws(SQLiteError) -> (keys: [Int64], groups: Int64)? {
    let names = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(names) FROM \(quotedIdentifier(table)) WHERE rowid = ?")
    var (keys, groups): ([Int64], Int64) = ([], 0)
    var start = 0
    while start < suspects.count {
      var end = start
      // Usually one value; several if hashes collide.
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

  /// The values of the row with that key; nil if it is not found.
  private func cells(of key: Int64, _ statement: Statement) throws(SQLiteError) -> [StoredCell]? {
    statement.reset()
    try statement.bind(key, at: 1)
    guard try statement.step(), statement.int64(0) == key else { return nil }
    return columns.indices.map { StoredCell(statement, $0 + 1) }
  }
}

/// A value as SQLite compares it: integers and reals by value.
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
