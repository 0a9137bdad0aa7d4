import StoreSQLite

/// Some rows of a table on their way into the copy: as they were read, with what was made of their values ahead.
struct RowBatch: Sendable {
  /// The values of one row after another, with the `rowid` first where there is one.
  private var cells: [Cell] = []
  /// The bytes of texts and data, one behind the other, and those of what was made of them.
  private var bytes: [UInt8] = []
  private var madeBytes: [UInt8] = []
  /// Values of a row.
  let columns: Int
  /// About how many bytes it takes.
  private(set) var weight = 0

  private struct Cell {
    var kind: ValueKind
    /// A whole number, or the bits of another.
    var number: UInt64 = 0
    /// Where the bytes of a text or data begin, and how many there are.
    var start = 0
    var count = 0
    /// As what it can be replaced before it is its turn.
    var ahead: AheadMapping.Kind?
    /// Where what was made of it is; nil where nothing was.
    var made: Range<Int>?
    /// Whether it is NULL in the copy.
    var isCut = false
  }

  /// Rows are handed over when they take so much.
  static let usualWeight = 128 << 10
  /// So much is on its way at most, but for a single value that is larger.
  static let mostWeight = 2 << 20

  init(columns: Int) { self.columns = columns }

  var isEmpty: Bool { cells.isEmpty }

  /// Adds a value of the next row.
  mutating func add(_ value: ColumnValue, _ ahead: AheadMapping.Kind?) {
    var cell = Cell(kind: value.kind, ahead: ahead)
    switch cell.kind {
    case .null: break
    case .integer: cell.number = UInt64(bitPattern: value.int64)
    case .real: cell.number = value.double.bitPattern
    case .text, .blob:
      cell.start = bytes.count
      value.withBytes {
        if bytes.isEmpty { bytes.reserveCapacity(max(Self.usualWeight, $0.count)) }
        bytes.append(contentsOf: $0)
      }
      cell.count = bytes.count - cell.start
    }
    cells.append(cell)
    weight += 64 + cell.count
  }

  /// Adds a value that is NULL in the copy.
  mutating func addCut() {
    cells.append(Cell(kind: .null, isCut: true))
    weight += 64
  }

  /// The same with what can be made ahead.
  func madeAhead(by mapping: AheadMapping) -> RowBatch {
    var batch = self
    var made: [UInt8] = []
    made.reserveCapacity(bytes.count)
    bytes.withUnsafeBufferPointer { bytes in
      for place in cells.indices {
        guard let kind = cells[place].ahead else { continue }
        let own = UnsafeBufferPointer(rebasing: bytes[cells[place].start..<cells[place].start + cells[place].count])
        let start = made.count
        if mapping.replace(own, kind, to: &made) { batch.cells[place].made = start..<made.count }
      }
    }
    batch.madeBytes = made
    return batch
  }

  /// Calls `body` with each row.
  func forEachRow(_ body: (Row) throws -> Void) rethrows {
    for start in stride(from: 0, to: cells.count, by: max(columns, 1)) { try body(Row(batch: self, start: start)) }
  }

  /// A row of a batch.
  struct Row {
    fileprivate let batch: RowBatch
    fileprivate let start: Int

    /// Whether a value is NULL in the copy.
    func isCut(_ column: Int) -> Bool { batch.cells[start + column].isCut }

    /// A value as it was read.
    func value(_ column: Int) -> SQLiteValue {
      let cell = batch.cells[start + column]
      return switch cell.kind {
      case .null: .null
      case .integer: .integer(Int64(bitPattern: cell.number))
      case .real: .real(Double(bitPattern: cell.number))
      case .text: .text(Array(batch.bytes[cell.start..<cell.start + cell.count]))
      case .blob: .blob(Array(batch.bytes[cell.start..<cell.start + cell.count]))
      }
    }

    /// What was made of a value; nil where nothing was.
    func made(_ column: Int) -> [UInt8]? { batch.cells[start + column].made.map { Array(batch.madeBytes[$0]) } }

    /// Sets a parameter to what was made of a value.
    ///
    /// - Returns: false where nothing was.
    func bindMade(_ column: Int, to statement: Statement, at parameter: Int) throws -> Bool {
      let cell = batch.cells[start + column]
      guard let made = cell.made else { return false }
      try batch.madeBytes.withUnsafeBytes { bytes in
        let own = UnsafeRawBufferPointer(rebasing: bytes[made])
        if cell.kind == .text {
          try statement.bind(textBytes: own, at: parameter)
        } else {
          try statement.bind(blobBytes: own, at: parameter)
        }
      }
      return true
    }
  }
}
