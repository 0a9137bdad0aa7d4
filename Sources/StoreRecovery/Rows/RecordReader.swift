import SQLitePages
import StoreSQLite

/// Reads records of candidates in the files again. Only where they are is kept, so that millions fit into little memory.
struct RecordReader: Sendable {
  private let files: PageFiles
  /// The least that is read at once, for candidates that are asked for one after the other.
  private let ahead: Int
  private var file = PageOrigin.File.main
  private var start: Int64 = -1
  private var piece: [UInt8] = []
  private var payload: [UInt8] = []
  private var record = Record()

  /// - Parameter ahead: bytes that are read at once at least.
  init(_ files: PageFiles, ahead: Int = 0) {
    self.files = files
    self.ahead = ahead
  }

  /// Calls `body` with a record and its bytes; nil where they are not those that were found.
  ///
  /// - Parameter isChecked: whether the bytes are held against the check that was made when they were found.
  mutating func read<Result>(
    _ candidate: Candidate, isChecked: Bool = false,
    body: (Record, UnsafeRawBufferPointer) throws -> Result?
  ) throws -> Result? {
    payload.removeAll(keepingCapacity: true)
    guard try append(candidate.place, from: Int(candidate.recordOffset), isChecked: isChecked) else { return nil }
    // The number of the first overflow page.
    if candidate.hasOverflow { payload.removeLast(min(4, payload.count)) }
    for place in candidate.otherPlaces {
      guard place.how == .overflow else { break }
      // The number of the next overflow page.
      guard try append(place, from: 4, isChecked: isChecked) else { return nil }
    }
    let count = Int(candidate.valueCount)
    return try payload.withUnsafeBytes { bytes in
      let isRecord =
        switch candidate.head {
        case .whole: record.read(bytes)
        case .lengthLost: record.readTypes(bytes, from: 0, count: count) != nil
        case .typeLost:
          record.readTypes(bytes, from: 0, count: count - 1, after: SerialType(Int64(candidate.firstType))) != nil
        }
      return isRecord ? try body(record, bytes) : nil
    }
  }

  /// The integer in `column`; nil for values of other kinds, and for one that is lost.
  mutating func integer(_ column: Int, of candidate: Candidate) throws -> Int64? {
    try read(candidate) { record, bytes in
      guard column < record.count, !candidate.isLost(column, field: record.fields[column]) else { return nil }
      return record.integer(column, in: bytes)
    }
  }

  /// Appends the bytes of a place but the first few; false where the file does not have them, or has others.
  private mutating func append(_ place: RecoveredRow.Place, from first: Int, isChecked: Bool) throws -> Bool {
    let count = Int(place.end - place.start)
    if place.source != file || place.start < start || place.end > start + Int64(piece.count) {
      guard let source = files.source(place.source) else { return false }
      (file, start) = (place.source, place.start)
      piece = try source.read(at: place.start, count: max(count, ahead))
    }
    // A page that its file ends in is filled up with zeros.
    let offset = Int(place.start - start)
    let available = max(0, min(count, piece.count - offset))
    let end = payload.count
    payload.append(contentsOf: piece[offset..<offset + available])
    payload.append(contentsOf: repeatElement(0, count: count - available))
    if isChecked, !payload.withUnsafeBytes({ place.isOf(UnsafeRawBufferPointer(rebasing: $0[end...])) }) {
      return false
    }
    payload.removeSubrange(end..<end + min(first, count))
    return true
  }
}
