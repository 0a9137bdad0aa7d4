import StoreSQLite

/// Finds rows with equal values in some columns: candidates by hash while the table is read, then confirmed by value.
///
/// A row takes 16 bytes while reading, for its key and a hash of its values by the loosest comparison, and 4 to 8
/// afterwards. Rows whose hash occurs more than once are read again by key and compared by value, so that nothing
/// depends on hashes. Beyond `mostRows`, only a part of the hashes is kept, and each other part takes a further read of
/// the table.
package final class DuplicateKeys: RowVisitor {
  /// Rows with NULL in one of the columns, which equal no other.
  package private(set) var rowsWithNull: Int64 = 0

  private let table: TableScan
  private let columns: [String]
  private let indexes: [Int]
  private let mostRows: Int
  /// How many of them this one may keep, while another sees the later part of the table.
  private var room: Int
  // No other access is possible while a row is added, and checking for one costs more than adding.
  @exclusivity(unchecked) private var rows: [HashedRow] = []
  /// Into how many parts the hashes are divided, a power of two; `rows` has the first part.
  private var parts: UInt64 = 1

  private struct HashedRow {
    var hash: UInt64
    var key: Int64
  }

  /// The most rows kept, which take 128 MiB.
  package static let mostRows = 8 << 20

  /// Examines `columns` of a table, which are at `indexes` of each row.
  package init(table: TableScan, columns: [String], indexes: [Int], mostRows: Int = DuplicateKeys.mostRows) {
    self.table = table
    self.columns = columns
    self.indexes = indexes
    self.mostRows = max(mostRows, 2)
    room = self.mostRows
  }

  package override func forLaterRows() -> RowVisitor? {
    room = mostRows / 2
    return DuplicateKeys(table: table, columns: columns, indexes: indexes, mostRows: room)
  }

  package override func add(_ later: RowVisitor) {
    guard let later = later as? DuplicateKeys else { return }
    rowsWithNull += later.rowsWithNull
    parts = max(parts, later.parts)
    rows += later.rows
    if parts > 1 { rows.removeAll { $0.hash & (parts - 1) != 0 } }
    room = mostRows
    keepMost()
  }

  package override func visit(_ row: Row) {
    guard let hash = hash({ row[$0] }, at: indexes) else {
      rowsWithNull += 1
      return
    }
    guard hash & (parts - 1) == 0 else { return }
    rows.append(HashedRow(hash: hash, key: row.key))
    keepMost()
  }

  private func keepMost() {
    while rows.count > room, parts < 1 << 32 {
      parts *= 2
      rows.removeAll { $0.hash & (parts - 1) != 0 }
    }
  }

  /// Nil for a row with NULL.
  private func hash(_ value: (Int) -> ScannedValue, at indexes: [Int]) -> UInt64? {
    var hasher = Hasher()
    for index in indexes {
      let value = value(index)
      if case .null = value.kind { return nil }
      hasher.combineLoosely(value)
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  /// The duplicates, once the table has been read.
  ///
  /// - Throws: `SQLiteError` where a row cannot be read again, or reading was ended.
  package func duplicates(_ connection: Connection, exampleLimit: Int) throws(SQLiteError) -> Duplicates {
    var found = Duplicates(exampleLimit: exampleLimit)
    let lookUp = try connection.prepare(
      "SELECT \(columns.map(table.term).joined(separator: ", ")) FROM \(quotedIdentifier(table.name)) WHERE Z_PK = ?")
    for part in 0..<parts {
      if part > 0 { try readAgain(part, in: connection) }
      try confirm(lookUp, found: &found)
    }
    found.finish()
    return found
  }

  private func readAgain(_ part: UInt64, in connection: Connection) throws(SQLiteError) {
    let list = (["Z_PK"] + columns).map(table.term).joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table.name)) NOT INDEXED")
    while try statement.step() {
      guard let hash = hash({ ScannedValue(statement[$0]) }, at: Array(1...columns.count)), hash & (parts - 1) == part
      else { continue }
      rows.append(HashedRow(hash: hash, key: statement.int64(0)))
    }
  }

  /// Removes most rows with a unique hash, so that fewer are sorted.
  ///
  /// The upper bits of a hash select one of 16 slots for each row; rows that share a slot are kept, whether equal or
  /// not.
  private func dropSingleHashes() {
    let shift = UInt64(max(64 - (Int.bitWidth - rows.count.leadingZeroBitCount) - 4, 0))
    var seen = Bits(count: Int(truncatingIfNeeded: UInt64.max >> shift) + 1)
    var met = seen
    for row in rows where !seen.insert(row.hash >> shift) { met.insert(row.hash >> shift) }
    rows.removeAll { !met.contains($0.hash >> shift) }
  }

  /// Compares the rows with equal hashes, and removes all rows.
  private func confirm(_ lookUp: Statement, found: inout Duplicates) throws(SQLiteError) {
    dropSingleHashes()
    rows.sort { ($0.hash, $0.key) < ($1.hash, $1.key) }
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].hash == rows[start].hash { end += 1 }
      if end - start > 1 {
        var group = KeyGroup(exampleLimit: found.exampleLimit)
        for row in rows[start..<end] {
          lookUp.reset()
          try lookUp.bind(row.key, at: 1)
          guard try lookUp.step() else { continue }
          let values = columns.indices.compactMap { KeyValue(lookUp, $0) }
          if values.count == columns.count { group.add(row.key, values: values) }
        }
        found.add(group)
      }
      start = end
    }
    lookUp.reset()
    rows = []
  }
}

/// A set of small numbers.
private struct Bits {
  private var words: [UInt64]

  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// Adds a number below the count; false if it was present.
  @discardableResult mutating func insert(_ number: UInt64) -> Bool {
    let (word, bit) = (Int(truncatingIfNeeded: number >> 6), 1 << (number & 63) as UInt64)
    defer { words[word] |= bit }
    return words[word] & bit == 0
  }

  func contains(_ number: UInt64) -> Bool {
    words[Int(truncatingIfNeeded: number >> 6)] & (1 << (number & 63)) != 0
  }
}

/// Rows with equal hashes.
private struct KeyGroup {
  let exampleLimit: Int
  /// For each comparison, the rows by value.
  private(set) var rows: [KeyComparison: [[KeyValue]: Equals]] = [:]

  /// Rows with equal values.
  struct Equals {
    var count: Int64 = 0
    /// The first of them.
    var keys: [Int64] = []
  }

  init(exampleLimit: Int) { self.exampleLimit = exampleLimit }

  mutating func add(_ key: Int64, values: [KeyValue]) {
    for comparison in KeyComparison.allCases {
      let seen = comparison == .exact ? values : values.map { $0.seen(by: comparison) }
      rows[comparison, default: [:]][seen, default: Equals()].count += 1
      guard comparison == .exact else { continue }
      let known = rows[comparison]?[seen]?.keys.count ?? 0
      if known < max(exampleLimit, 1) { rows[comparison]?[seen]?.keys.append(key) }
    }
  }
}

/// Rows with equal values.
package struct Duplicates {
  /// How many rows equal another, by comparison; a looser one includes the stricter.
  private(set) var rows: [KeyComparison: Int64] = [:]
  /// The number of different values among them, compared exactly.
  package private(set) var groups: Int64 = 0
  /// Example rows that equal another exactly: the row's key, and the first key of its group.
  package private(set) var examples: [(row: Int64, first: Int64)] = []
  let exampleLimit: Int

  init(exampleLimit: Int) { self.exampleLimit = exampleLimit }

  /// How many rows equal another by a comparison.
  package subscript(comparison: KeyComparison) -> Int64 { rows[comparison] ?? 0 }

  fileprivate mutating func add(_ group: KeyGroup) {
    for comparison in KeyComparison.allCases {
      for equals in group.rows[comparison, default: [:]].values where equals.count > 1 {
        rows[comparison, default: 0] += equals.count
        guard comparison == .exact, let first = equals.keys.first else { continue }
        groups += 1
        examples += equals.keys.map { ($0, first) }
      }
    }
    // Groups come in order of their hashes, but the examples with the lowest keys are wanted.
    if exampleLimit < 1000, examples.count > 4096 + exampleLimit { finish() }
  }

  fileprivate mutating func finish() {
    examples.sort { ($0.first, $0.row) < ($1.first, $1.row) }
    examples.removeLast(max(examples.count - exampleLimit, 0))
  }
}
