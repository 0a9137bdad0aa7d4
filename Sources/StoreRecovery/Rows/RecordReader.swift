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
  /// - Parameters:
  ///   - extra: what the candidate has besides, as its overflow pages.
  ///   - isChecked: whether the bytes are held against the check that was made when they were found.
  mutating func read<Result>(
    _ candidate: Candidate, extra: Candidate.Extra?, isChecked: Bool = false,
    body: (Record, UnsafeRawBufferPointer) throws -> Result?
  ) throws -> Result? {
    payload.removeAll(keepingCapacity: true)
    guard try append(candidate.place, from: Int(candidate.recordOffset)) else { return nil }
    // The number of the first overflow page.
    if candidate.hasOverflow { payload.removeLast(min(4, payload.count)) }
    let local = payload.count
    for place in extra?.otherPlaces ?? [] {
      guard candidate.hasOverflow, place.how == .overflow else { break }
      let start = payload.count
      guard try append(place, from: 0) else { return nil }
      if isChecked,
        payload.withUnsafeBytes({ ByteHash.check(UnsafeRawBufferPointer(rebasing: $0[start...])) }) != place.check
      {
        return nil
      }
      // The number of the next overflow page.
      payload.removeSubrange(start..<min(start + 4, payload.count))
    }
    let count = candidate.valueCount
    return try payload.withUnsafeBytes { bytes in
      let isRecord =
        switch candidate.head {
        case .whole: record.read(bytes)
        case .lengthLost: record.readTypes(bytes, from: 0, count: count) != nil
        case .typeLost:
          record.readTypes(bytes, from: 0, count: count - 1, after: SerialType(Int64(candidate.firstType))) != nil
        }
      guard isRecord, !isChecked || isOf(candidate, in: bytes, upTo: local) else { return nil }
      return try body(record, bytes)
    }
  }

  /// Whether a record is the one that was found, by what of it is on its own page.
  private func isOf(_ candidate: Candidate, in bytes: UnsafeRawBufferPointer, upTo local: Int) -> Bool {
    let localHash = ByteHash.body(record, in: bytes, at: 0, upTo: local)
    let hash = ByteHash.row(
      record, isFirstUnknown: candidate.isFirstValueUnknown, localHash: localHash, in: bytes, at: 0, upTo: local)
    return localHash == candidate.localHash && UInt32(truncatingIfNeeded: hash) == candidate.place.check
  }

  /// The integer in `column`; nil for values of other kinds, and for one that is lost.
  mutating func integer(_ column: Int, of candidate: Candidate, extra: Candidate.Extra?) throws -> Int64? {
    try read(candidate, extra: extra) { record, bytes in
      guard column < record.count, !candidate.isLost(column, field: record.fields[column]) else { return nil }
      return record.integer(column, in: bytes)
    }
  }

  /// Appends the bytes of a place but the first few; false where the file does not have them.
  private mutating func append(_ place: PlaceRef, from first: Int) throws -> Bool {
    let (offset, count) = (place.start(in: files), place.count)
    if place.source != file || offset < start || offset + Int64(count) > start + Int64(piece.count) {
      guard let source = files.source(place.source) else { return false }
      // Of neighbours none is known to come first.
      let first = ahead > 0 ? offset / Int64(ahead) * Int64(ahead) : offset
      let isWithin = offset - first + Int64(count) <= Int64(ahead)
      (file, start) = (place.source, isWithin ? first : offset)
      piece = try source.read(at: start, count: max(count, ahead))
    }
    // A page that its file ends in is filled up with zeros.
    let from = Int(offset - start)
    let available = max(0, min(count, piece.count - from))
    if first < available { payload.append(contentsOf: piece[from + first..<from + available]) }
    payload.append(contentsOf: repeatElement(0, count: max(0, count - max(first, available))))
    return true
  }
}
