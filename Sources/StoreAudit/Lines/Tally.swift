/// Something that is counted, in any order and in parts.
protocol Countable: Equatable, Sendable {
  /// Nothing counted yet.
  init()
  /// Adds what another has counted.
  mutating func add(_ other: Self)
}

/// Counts by name, for names that come from stores and may be any number.
///
/// Only the first names in order are kept, all others are counted together. Which names these are follows from the
/// names alone: one that was dropped has as many before it as are kept, so it is never among the kept again, and the
/// result is the same in any order and for any split into parts.
struct Tally<Name: Hashable & Comparable & Sendable, Count: Countable>: Sendable {
  /// Names kept.
  let limit: Int
  private var counts: [Name: Count] = [:]
  /// What was counted for names that are not kept; nil where there are none.
  private var dropped: Count?

  init(limit: Int) { self.limit = limit }

  mutating func count(_ name: Name, _ change: (inout Count) -> Void) {
    change(&counts[name, default: Count()])
    // Not at once, so that sorting is rare.
    if counts.count > 2 * limit { drop() }
  }

  mutating func add(_ other: Self) {
    for (name, count) in other.counts { self.count(name) { $0.add(count) } }
    if let more = other.dropped { dropped = dropped.map { sum($0, more) } ?? more }
  }

  /// The names kept and their counts, in no order.
  var kept: [(name: Name, count: Count)] { settled.counts.map { ($0.key, $0.value) } }

  /// What was counted for all others.
  var others: Count? { settled.dropped }

  private var settled: Self {
    guard counts.count > limit else { return self }
    var settled = self
    settled.drop()
    return settled
  }

  private mutating func drop() {
    let names = counts.keys.sorted()
    for name in names.dropFirst(limit) {
      guard let count = counts.removeValue(forKey: name) else { continue }
      dropped = dropped.map { sum($0, count) } ?? count
    }
  }

  private func sum(_ left: Count, _ right: Count) -> Count {
    var sum = left
    sum.add(right)
    return sum
  }
}

extension Tally: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    let (left, right) = (left.settled, right.settled)
    return left.counts == right.counts && left.dropped == right.dropped
  }
}

/// A sum that stays at the greatest number rather than trap: lines are not trusted, and sums that stop there are the
/// same in any order.
func sum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, isTooLarge) = left.addingReportingOverflow(right)
  return isTooLarge ? .max : sum
}

extension Int64 {
  /// Adds without passing the greatest number.
  mutating func count(_ more: Int64) { self = sum(self, more) }
}

extension Int64: Countable {
  mutating func add(_ other: Int64) { count(other) }
}
