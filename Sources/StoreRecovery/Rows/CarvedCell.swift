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

  /// Whether all bytes of a part of the page are those of one value.
  func hasValue(over part: Range<Int>) -> Bool {
    record.fields.contains { field in
      guard let size = field.type.size else { return false }
      let start = recordStart + field.offset
      return part.lowerBound >= start && part.upperBound <= min(start + size, recordStart + localSize)
    }
  }
}
