import StoreSQLite

/// Some rows of a table on their way into the copy: as they were read, with what was made of their values ahead.
struct RowBatch: Sendable {
  /// The values of one row after another, with the `rowid` first where there is one.
  private var values: [SQLiteValue] = []
  /// Values of a row.
  let columns: Int
  /// Places of values that are NULL in the copy.
  private var cut: Set<Int> = []
  /// Places of values that can be replaced before it is their turn.
  private var ahead: [(place: Int, kind: AheadMapping.Kind)] = []
  private var made: [[UInt8]?] = []
  /// About how many bytes it takes.
  private(set) var weight = 0

  /// Rows are handed over when they take so much.
  static let usualWeight = 128 << 10
  /// So much is on its way at most, but for a single value that is larger.
  static let mostWeight = 2 << 20

  init(columns: Int) { self.columns = columns }

  var isEmpty: Bool { values.isEmpty }

  /// Adds a value of the next row.
  mutating func add(_ value: SQLiteValue, _ kind: AheadMapping.Kind?) {
    if let kind { ahead.append((values.count, kind)) }
    values.append(value)
    weight += 64
    if case .text(let bytes) = value { weight += bytes.count }
    if case .blob(let bytes) = value { weight += bytes.count }
  }

  /// Adds a value that is NULL in the copy.
  mutating func addCut() {
    cut.insert(values.count)
    add(.null, nil)
  }

  func isCut(_ place: Int) -> Bool { cut.contains(place) }

  /// The same with what can be made ahead.
  func madeAhead(by mapping: AheadMapping) -> RowBatch {
    var batch = self
    batch.made = ahead.map { mapping.replaced(values[$0.place], $0.kind) }
    return batch
  }

  /// Calls `body` with each row, and what was made ahead of the value in a column of it; to be asked in their order.
  func forEachRow(_ body: (_ row: ArraySlice<SQLiteValue>, _ made: (_ column: Int) -> [UInt8]?) throws -> Void) rethrows
  {
    var next = 0
    for start in stride(from: 0, to: values.count, by: max(columns, 1)) {
      try body(values[start..<min(start + columns, values.count)]) { column in
        while next < made.count, ahead[next].place < start + column { next += 1 }
        return next < made.count && ahead[next].place == start + column ? made[next] : nil
      }
    }
  }
}
