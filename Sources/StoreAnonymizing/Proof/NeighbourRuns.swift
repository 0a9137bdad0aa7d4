import StoreSQLite

/// Of runs in a copy those that stand in no value, but across the end of one and what stands beside it in the file, the next
/// value or the numbers of the next row: chance makes them, where values are as dense as hexadecimal digits are.
struct NeighbourRuns {
  private(set) var across: Set<UInt64> = []
  /// Those that stand in a value, an external file or its name.
  private(set) var inside: Set<UInt64> = []

  init(_ runs: some Collection<UInt64>, _ copy: StoreReader) throws {
    let wanted = WantedRuns(runs)
    // By their first and their last bytes.
    var (begun, ended): ([UInt64: [UInt64]], [UInt64: [UInt64]]) = ([:], [:])
    for run in runs where run >> 48 == 0 {
      for length in Self.lengths {
        let mark: UInt64 = 1 << (length * 8)
        begun[mark | run >> (48 - length * 8), default: []].append(run)
        ended[mark | run & (mark - 1), default: []].append(run)
      }
    }
    func look(_ bytes: [UInt8]) {
      for length in Self.lengths where bytes.count >= Int(length) {
        across.formUnion(begun[Self.number(bytes.suffix(Int(length)))] ?? [])
        across.formUnion(ended[Self.number(bytes.prefix(Int(length)))] ?? [])
      }
    }
    for table in copy.plan.tables {
      let rows = try table.rows(copy.store.connection)
      while try rows.step() {
        var body: [UInt8] = []
        for index in table.columns.indices {
          let value = rows.value(index + table.offset)
          switch value {
          case .text(let bytes), .blob(let bytes):
            Runs.forEach(in: bytes) { run, _ in if wanted.contains(run) { inside.insert(run) } }
            body += bytes
            look(bytes)
          case .integer(let number): body += Self.stored(number)
          case .real(let number): body += Self.bytes(number.bitPattern, 8)
          case .null: break
          }
        }
        Runs.forEach(in: body) { run, _ in if wanted.contains(run) { across.insert(run) } }
      }
    }
    for (name, path) in copy.files {
      Runs.forEach(in: name) { run, _ in if wanted.contains(run) { inside.insert(run) } }
      try StoreReader.forEachPart(of: path) { part, _, _ in
        Runs.forEach(in: part) { run, _ in if wanted.contains(run) { inside.insert(run) } }
      }
    }
    across.subtract(inside)
  }

  private static let lengths: ClosedRange<UInt64> = 3...5

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(1) { $0 << 8 | UInt64(Runs.lowercased($1)) }
  }

  /// An integer as a record has it (https://www.sqlite.org/fileformat2.html, 2.1): 0 and 1 take no bytes.
  private static func stored(_ number: Int64) -> [UInt8] {
    switch number {
    case 0, 1: []
    case -0x80...0x7f: bytes(UInt64(bitPattern: number), 1)
    case -0x8000...0x7fff: bytes(UInt64(bitPattern: number), 2)
    case -0x80_0000...0x7f_ffff: bytes(UInt64(bitPattern: number), 3)
    case -0x8000_0000...0x7fff_ffff: bytes(UInt64(bitPattern: number), 4)
    case -0x8000_0000_0000...0x7fff_ffff_ffff: bytes(UInt64(bitPattern: number), 6)
    default: bytes(UInt64(bitPattern: number), 8)
    }
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }
}
