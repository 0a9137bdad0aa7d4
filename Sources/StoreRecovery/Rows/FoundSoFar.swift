import SQLitePages

/// What was found so far, to be read by many threads; nothing may be changed before it is let go, lest it is copied.
struct FoundSoFar: Sendable {
  let found: [Candidate]
  private let extras: [Candidate.Extra]
  let templates: [RowTemplate]
  let map: PageVersionMap

  init(_ found: [Candidate], extras: [Candidate.Extra], templates: [RowTemplate], map: PageVersionMap) {
    (self.found, self.extras, self.templates, self.map) = (found, extras, templates, map)
  }

  /// What few rows have; nil for others.
  func extra(of candidate: Candidate) -> Candidate.Extra? {
    extras.indices.contains(Int(candidate.extra)) ? extras[Int(candidate.extra)] : nil
  }

  /// The hash of a candidate with its overflow pages; nil where some are lost.
  func wholeHash(of candidate: Candidate) -> UInt64? {
    guard candidate.isWhole else { return nil }
    return candidate.hasOverflow ? extra(of: candidate)?.wholeHash : candidate.localHash
  }

  /// The most rows that one thread takes at once.
  static let share = 8_192
  /// The most shares of which is kept what is made of them.
  static let sharesAtOnce = 32

  /// So many rows in shares, one behind the other.
  static func shares(of count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: share).map { $0..<min($0 + share, count) }
  }
}
