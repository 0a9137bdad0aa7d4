import StoreSQLite

/// The cell of a row as SQLite's documentation tells to write it; the code under test has no part in it.
struct RecordBytes {
  /// The cell's bytes on its page, without the first four, which SQLite overwrites when it frees the cell.
  var rest: [UInt8]
  /// What is in overflow pages, a piece for each.
  var pieces: [[UInt8]] = []

  /// The cell of a row with these values in the record, in a table leaf of so many bytes.
  init(key: Int64, _ values: [SQLiteValue], pageSize usable: Int) {
    var types: [UInt8] = []
    var body: [UInt8] = []
    for value in values {
      let (type, bytes) = Self.stored(value)
      types += Self.varint(type)
      body += bytes
    }
    // No header here is longer than 126 bytes.
    let payload = [UInt8(types.count + 1)] + types + body
    let head = Self.varint(Int64(payload.count)) + Self.varint(key)
    let largest = usable - 35
    guard payload.count > largest else {
      rest = Array((head + payload).dropFirst(4))
      return
    }
    let smallest = (usable - 12) * 32 / 255 - 23
    let some = smallest + (payload.count - smallest) % (usable - 4)
    let local = some <= largest ? some : smallest
    rest = Array((head + payload.prefix(local)).dropFirst(4))
    pieces = stride(from: local, to: payload.count, by: usable - 4).map {
      Array(payload[$0..<min($0 + usable - 4, payload.count)])
    }
  }

  private static func stored(_ value: SQLiteValue) -> (Int64, [UInt8]) {
    switch value {
    case .null: return (0, [])
    case .integer(0): return (8, [])
    case .integer(1): return (9, [])
    case .integer(let number):
      for (type, size) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)] as [(Int64, Int)]
      where number >= -(1 << (8 * size - 1)) && number < 1 << (8 * size - 1) {
        return (type, bigEndian(UInt64(bitPattern: number), size))
      }
      return (6, bigEndian(UInt64(bitPattern: number), 8))
    case .real(let number): return (7, bigEndian(number.bitPattern, 8))
    case .text(let bytes): return (Int64(13 + 2 * bytes.count), bytes)
    case .blob(let bytes): return (Int64(12 + 2 * bytes.count), bytes)
    }
  }

  private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (size - 1 - $0))) }
  }

  private static func varint(_ number: Int64) -> [UInt8] {
    var (groups, rest) = ([UInt8(number & 0x7f)], number >> 7)
    while rest > 0 {
      groups.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
      rest >>= 7
    }
    return groups
  }
}
