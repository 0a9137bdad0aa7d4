import SQLitePages

/// A row found among bytes that no tree leads to.
struct CarvedCell: Sendable {
  /// Which template it fits.
  var template: Int
  /// Where it begins in its page, lost bytes included.
  var start: Int
  /// Where it ends in its page.
  var end: Int
  /// The row id; nil where it is lost.
  var key: Int64?
  /// The record; its offsets count from `recordStart`.
  var record: Record
  /// Where the record's offsets count from.
  var recordStart: Int
  /// Bytes of the record on the page, from `recordStart` on.
  var localSize: Int
  /// The first overflow page.
  var overflow: UInt32?
  /// The part of the record's header that is left.
  var head = Candidate.Head.whole
  /// Bytes of the record that were overwritten by the head of a freeblock, counted from `recordStart`; empty for none.
  var lost = 0..<0
  /// Whether what the first value is stays open: NULL, 0 and 1 take no bytes.
  var isFirstValueUnknown = false
  /// How it was found.
  var method: RecoveredRow.Place.Method
}

extension ByteHash {
  /// The hash of all values of a row on its own page: two links from different objects to one are two rows. Where the first
  /// value is not known, or is the key, it is that of the others.
  static func row(_ cell: CarvedCell, localHash: UInt64, in page: UnsafeRawBufferPointer) -> UInt64 {
    guard cell.record.count > 1, !cell.isFirstValueUnknown, let first = cell.record.fields.first,
      first.type.kind != .null
    else { return localHash }
    var hash = ByteHash()
    hash.add(Int64(bitPattern: localHash))
    hash.add(first.type.code)
    let start = cell.recordStart + first.offset
    let end = min(start + (first.type.size ?? 0), cell.recordStart + cell.localSize, page.count)
    if start < end { hash.addWords(UnsafeRawBufferPointer(rebasing: page[start..<end])) }
    return hash.value
  }
}
