/// Something that can be counted in any order and in parts.
protocol Countable: Equatable, Sendable {
  /// Nothing counted yet.
  init()
  /// Adds another count.
  mutating func add(_ other: Self)
}

/// Counts by name, with a limit on names, which come from stores and may be any number.
///
/// Only the first names in order are kept; all others are counted together. The result depends on neither the order nor
/// the split into parts: a name that was dropped has enough names before it that it can never be kept later.
struct Tally<Name: Hashable & Comparable & Sendable, Count: Countable>: Sendable {
  /// The most names that are kept.
  let limit: Int
  private var counts: [Name: Count] = [:]
  /// The counts of names that are not kept; nil where there are none.
  private var dropped: Count?

  init(limit: Int) { self.limit = limit }

  mutating func count(_ name: Name, change: (inout Count) -> Void) {
    change(&counts[name, default: Count()])
    // Not at once, so that sorting is rare.
    if counts.count > 2 * limit { drop() }
  }

  mutating func add(_ other: Self) {
    for (name, count) in other.counts { self.count(name) { $0.add(count) } }
    if let more = other.dropped { dropped = dropped.map { sum($0, more) } ?? more }
  }

  /// The kept names and their counts, in no order.
  var kept: [(name: Name, count: Count)] { settled.counts.map { ($0.key, $0.value) } }

  /// The count of all other names.
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

/// A sum that stops at the greatest number instead of trapping. Lines are not trusted, and such sums are the same in
/// any order.
func sum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, isTooLarge) = left.addingReportingOverflow(right)
  return isTooLarge ? .max : sum
}

extension Int64 {
  /// Adds; stops at the greatest number.
  mutating func count(_ more: Int64) { self = sum(self, more) }
}

extension Int64: Countable {
  mutating func add(_ other: Int64) { count(other) }
}
