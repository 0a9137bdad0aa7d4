/// A pair of numbers, ordered by the first.
package struct KeyPair: Comparable, Hashable {
  /// The numbers.
  package var first: Int64, second: Int64

  package init(_ first: Int64, _ second: Int64) {
    self.first = first
    self.second = second
  }

  /// The pair with its numbers swapped.
  package var mirrored: KeyPair { KeyPair(second, first) }

  package static func < (left: Self, right: Self) -> Bool {
    left.first != right.first ? left.first < right.first : left.second < right.second
  }
}

extension [KeyPair] {
  /// Whether the array, which must be sorted, contains the pair.
  package func containsSorted(_ pair: KeyPair) -> Bool {
    let place = firstSorted(from: pair)
    return place < count && self[place] == pair
  }

  /// The index of the first pair that is not less than `pair`, in an array that must be sorted.
  func firstSorted(from pair: KeyPair) -> Int {
    var (from, to) = (0, count)
    while from < to {
      let middle = (from + to) / 2
      if self[middle] < pair { from = middle + 1 } else { to = middle }
    }
    return from
  }
}
