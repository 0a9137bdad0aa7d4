import SQLitePages

/// Records one after the other in large pieces: one costs its bytes, and no allocation of its own.
struct RecordStore: Sendable {
  /// Where a record is.
  struct Location: Sendable, Equatable {
    fileprivate var piece: Int32
    fileprivate var offset: Int32
    fileprivate var count: Int32
  }

  private var pieces: [[UInt8]] = []
  /// A record that is put together.
  private var record: [UInt8] = []

  /// Bytes of a piece; a longer record has one of its own.
  private static let pieceSize = 1 << 20

  /// Adds a record with these fields; `body` has the values, and may end before the last does.
  mutating func add(_ fields: [SQLitePages.Record.Field], body: UnsafeRawBufferPointer) -> Location {
    record.removeAll(keepingCapacity: true)
    let types = fields.reduce(0) { $0 + Varint.length(of: $1.type.code) }
    // The length counts itself.
    let size = types + 1 < 128 ? types + 1 : types + Varint.length(of: Int64(types + 3))
    Varint.append(Int64(size), to: &record)
    for field in fields { Varint.append(field.type.code, to: &record) }
    record.append(contentsOf: body)
    if (pieces.last?.count ?? Self.pieceSize) + record.count > Self.pieceSize {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(max(Self.pieceSize, record.count))
    }
    let last = pieces.count - 1
    let location = Location(
      piece: Int32(clamping: last), offset: Int32(clamping: pieces[last].count), count: Int32(clamping: record.count))
    pieces[last].append(contentsOf: record)
    return location
  }

  /// The bytes of a record; empty for a location of another store.
  func withBytes<Result>(of location: Location, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let (piece, start) = (Int(location.piece), Int(location.offset))
    guard pieces.indices.contains(piece), start + Int(location.count) <= pieces[piece].count else {
      return try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    return try pieces[piece].withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[start..<start + Int(location.count)]))
    }
  }

  /// The integer in `column` of a record; nil for values of other kinds, and for one that is lost.
  func integer(_ column: Int, of location: Location) -> Int64? {
    withBytes(of: location) { bytes in
      guard let header = RecordHeader(bytes) else { return nil }
      var (index, start, found) = (0, header.end, SerialType?.none)
      _ = header.forEachType(bytes) { type in
        if index == column {
          found = type
          return false
        }
        start += type.size ?? 0
        index += 1
        return true
      }
      return found.flatMap { $0.integer(in: bytes, at: start) }
    }
  }
}
