/// A number that is the same for all rows of one layout or one owner, kept for the last two of them: rows of which only the key
/// is known stand between those that were found.
struct RecentSources {
  private typealias Known = (source: ObjectIdentifier?, number: Int)
  private var last: Known?
  private var other: Known?

  /// What is kept for a row's source, else what `make` makes.
  mutating func number(of row: RecoveredRow, make: () -> Int) -> Int {
    let source = row.sourceID
    if let last, last.source == source { return last.number }
    if let other, other.source == source {
      (last, self.other) = (other, last)
      return other.number
    }
    let number = make()
    (last, other) = ((source, number), last)
    return number
  }
}
