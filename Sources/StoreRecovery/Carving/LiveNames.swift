import SQLitePages

/// What the live rows of a table, or of a part of it, say of rows that were found without a key.
struct LiveNames: Sendable {
  /// Their names that a row which was found may have.
  private(set) var names: [(name: Name, key: Int64)] = []
  /// Rows that are copies of live ones, also damaged ones.
  private(set) var copies: Set<Int32> = []

  /// What live rows are compared with.
  struct Wanted: Sendable {
    let rows: FoundSoFar
    /// Which rows have a hash.
    let known: CandidateIndex
    /// The template of the table, and where its names are.
    let template: Int
    let columns: [Int]
    let names: HashBits
    let damaged: DamagedRows?
  }

  init(_ walk: inout BTreeWalk, _ wanted: Wanted) throws {
    var live = Self()
    var record = Record()
    var reader = RecordReader(wanted.rows.map.files, ahead: 1 << 15)
    try walk.run { row in
      guard record.read(row.payload) else { return true }
      live.takeNames(of: record, in: row, wanted)
      if let damaged = wanted.damaged {
        try live.takeDamagedCopies(of: record, in: row.payload, among: damaged, wanted, &reader)
      }
      live.takeCopies(of: record, in: row, wanted)
      return true
    }
    self = live
  }

  private init() {}

  private mutating func takeNames(of record: Record, in row: BTreeWalk.Entry, _ wanted: Wanted) {
    guard let key = row.cell.rowID else { return }
    for column in wanted.columns {
      guard let bytes = record.bytes(column, in: row.payload) else { continue }
      let name = Name(bytes, template: wanted.template, column: column)
      if wanted.names.contains(name.part) { names.append((name, key)) }
    }
  }

  /// The rows without a key that a live row equals: copies that were left when it moved.
  private mutating func takeCopies(of record: Record, in row: BTreeWalk.Entry, _ wanted: Wanted) {
    let hash = ByteHash.body(record, in: row.payload, at: 0, upTo: row.cell.localSize)
    var whole: UInt64?
    wanted.known.forEach(hash) { index in
      let candidate = wanted.rows.found[index]
      guard candidate.template == wanted.template, candidate.key == nil,
        candidate.place.check == UInt32(truncatingIfNeeded: hash)
      else { return true }
      let its = whole ?? ByteHash.body(record, in: row.payload, at: 0, upTo: row.payload.count)
      whole = its
      if wanted.rows.wholeHash(of: candidate).map({ $0 == its }) ?? true { copies.insert(Int32(clamping: index)) }
      return true
    }
  }

  /// Damaged rows of which nothing that is left differs from a live row.
  private mutating func takeDamagedCopies(
    of record: Record, in payload: UnsafeRawBufferPointer, among damaged: DamagedRows, _ wanted: Wanted,
    _ reader: inout RecordReader
  ) throws {
    for column in damaged.columns where column + 1 < record.count {
      guard let print = ValuePrints.one(record.fields[column + 1], in: payload) else { continue }
      var alike: [Int] = []
      damaged.forEach(column: column, print: print) { alike.append($0) }
      guard !alike.isEmpty else { continue }
      let prints = ValuePrints.all(record, in: payload)
      for index in alike where !copies.contains(Int32(clamping: index)) {
        if let left = try DamagedPrints(wanted.rows.found[index], wanted.rows, &reader),
          ValuePrints.areAlike(left.all, prints)
        {
          copies.insert(Int32(clamping: index))
        }
      }
    }
  }
}
