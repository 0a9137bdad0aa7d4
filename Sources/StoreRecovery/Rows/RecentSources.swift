/// What is the same for all rows of one layout or one owner, kept for the last two of them: rows of which only the key is known
/// stand between those that were found.
struct RecentSources<Value> {
  private typealias Known = (source: ObjectIdentifier?, value: Value)
  private var last: Known?
  private var other: Known?

  /// What is kept for a row's source, else what `make` makes.
  @inline(__always)
  mutating func value(of row: RecoveredRow, make: () -> Value) -> Value {
    let source = row.source
    if let last, last.source == source { return last.value }
    if let other, other.source == source {
      (last, self.other) = (other, last)
      return other.value
    }
    let value = make()
    (last, other) = ((source, value), last)
    return value
  }
}
