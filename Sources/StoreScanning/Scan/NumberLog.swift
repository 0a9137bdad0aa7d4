/// A compact list of rows of a few numbers, in order of arrival: the keys that a table's read leaves behind.
///
/// ```
/// row  key   each value is the difference to the one above it, zigzag-coded so that small ones are short:
///   7    3      first byte  c n vvvvvv   c: more bytes follow; n: NULL, nothing follows; 6 bits of value
///   8    3      the others  c vvvvvvv    7 bits each, lowest first
///   9 NULL   bytes of these three rows: 0e 06, 02 00, 02 40
/// ```
/// Rows come in order of their key, which so takes a byte; a key into a table of 1,000 rows takes two. The bound is 10
/// bytes a value, where the database itself takes up to 9.
package struct NumberLog: Sendable {
  /// The number of values in a row; at most `mostWidth`.
  let width: Int
  /// The number of rows so far, including an incomplete last one.
  private(set) var count = 0
  /// The encoded rows.
  private(set) var bytes: [UInt8] = []
  private var previous = SIMD8<Int64>()
  private var position = 0

  /// A log without rows.
  package init(width: Int) { self.width = min(max(width, 1), Self.mostWidth) }

  /// Adds the next value of the row, or the first one of a new row.
  package mutating func append(_ value: Int64?) {
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

  /// Adds the rows of another log of the same width. A row's bytes depend on the last number before it in each column, so
  /// those behind a first row without NULL stay as they are.
  package mutating func append(_ later: NumberLog) {
    later.bytes.withUnsafeBufferPointer { bytes in
      var reader = Reader(bytes: bytes)
      let first = (0..<min(width, later.count * width)).map { _ in reader.next() }
      guard width == later.width, position == 0, later.position == 0, !first.isEmpty, !first.contains(nil) else {
        later.forEach { row in for position in 0..<later.width { append(row[position]) } }
        return
      }
      for number in first { append(number) }
      self.bytes += bytes[reader.offset...]
      count += later.count - 1
      previous = later.previous
    }
  }

  private static let mostWidth = 8
  fileprivate static let moreBit: UInt8 = 0x80
  fileprivate static let nullBit: UInt8 = 0x40

  /// Calls `body` with every row in the order they were added.
  package func forEach(_ body: (Row) -> Void) {
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.mostWidth) { values in
      values.initialize(repeating: 0)
      bytes.withUnsafeBufferPointer { bytes in
        var reader = Reader(bytes: bytes)
        for _ in 0..<count {
          var nulls: UInt8 = 0
          for position in 0..<width {
            if let difference = reader.next() { values[position] &+= difference } else { nulls |= 1 &<< position }
          }
          body(Row(values: UnsafeBufferPointer(values), nulls: nulls))
        }
      }
    }
  }

  /// One row of a log, valid during the call it is passed to.
  package struct Row {
    fileprivate let values: UnsafeBufferPointer<Int64>
    /// One bit for each position.
    fileprivate let nulls: UInt8

    /// The number at a position below the log's width, nil for NULL.
    package subscript(position: Int) -> Int64? { nulls &>> position & 1 == 0 ? values[position] : nil }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0

    /// The difference to the value above; nil for NULL, and at the end.
    mutating func next() -> Int64? {
      let first = nextByte()
      guard first & NumberLog.nullBit == 0 else { return nil }
      var value = UInt64(first & 0x3f)
      var (shift, byte) = (UInt64(6), first)
      while byte & NumberLog.moreBit != 0 {
        byte = nextByte()
        value |= UInt64(byte & 0x7f) &<< shift
        shift += 7
      }
      return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    private mutating func nextByte() -> UInt8 {
      guard offset < bytes.count else { return NumberLog.nullBit }
      defer { offset += 1 }
      return bytes[offset]
    }
  }
}
