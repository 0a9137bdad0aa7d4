/// Rows of a few numbers in the order they came, in little memory: what a read of a table leaves behind of its keys.
///
/// ```
/// row  key   each value is the difference to the one above it, zigzag-coded so that small ones are short:
///   7    3      first byte  c n vvvvvv   c: more bytes follow; n: NULL, nothing follows; 6 bits of value
///   8    3      the others  c vvvvvvv    7 bits each, lowest first
///   9 NULL   bytes of these three rows: 0e 06, 02 00, 02 40
/// ```
/// Rows of a table come in order of their key, so that costs a byte, and a key into a table of 1,000 rows two. Bound: 10
/// bytes a value, where the database itself takes up to 9.
struct NumberLog: Sendable {
  /// Numbers in a row; at most 8.
  let width: Int
  /// Rows so far; one that is not whole counts.
  private(set) var count = 0
  /// The rows, coded.
  private(set) var bytes: [UInt8] = []
  private var previous = SIMD8<Int64>()
  private var position = 0

  /// A log without rows.
  init(width: Int) { self.width = min(max(width, 1), 8) }

  /// Adds the next number of the row, or of a new row after the last.
  mutating func append(_ value: Int64?) {
    if position == 0 { count += 1 }
    defer { position = position + 1 == width ? 0 : position + 1 }
    guard let value else { return bytes.append(Self.nullBit) }
    let difference = value &- previous[position]
    previous[position] = value
    var rest = UInt64(bitPattern: difference << 1 ^ difference >> 63)
    bytes.append(UInt8(rest & 0x3f) | (rest > 0x3f ? Self.moreBit : 0))
    rest >>= 6
    while rest > 0 {
      bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? Self.moreBit : 0))
      rest >>= 7
    }
  }

  fileprivate static let moreBit: UInt8 = 0x80
  fileprivate static let nullBit: UInt8 = 0x40

  /// Calls `body` with every row in the order they were added.
  func forEach(_ body: (Row) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = Reader(bytes: bytes)
      var row = Row()
      for _ in 0..<count {
        for position in 0..<width { reader.read(position, of: &row) }
        body(row)
      }
    }
  }

  /// One row of a log.
  struct Row {
    fileprivate var values = SIMD8<Int64>()
    fileprivate var isNull = SIMD8<UInt8>()

    /// The number at a position, nil for NULL.
    subscript(position: Int) -> Int64? { isNull[position] == 0 ? values[position] : nil }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    mutating func read(_ position: Int, of row: inout Row) {
      let first = next()
      row.isNull[position] = first & NumberLog.nullBit
      guard first & NumberLog.nullBit == 0 else { return }
      var value = UInt64(first & 0x3f)
      var (shift, byte) = (UInt64(6), first)
      while byte & NumberLog.moreBit != 0 {
        byte = next()
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
      }
      row.values[position] &+= Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    private mutating func next() -> UInt8 {
      guard offset < bytes.count else { return NumberLog.nullBit }
      defer { offset += 1 }
      return bytes[offset]
    }
  }
}
