/// A set of page numbers, one bit each.
package struct PageSet: Sendable {
  private var words: [UInt64]
  /// The number of pages in the set.
  package private(set) var count = 0

  /// An empty set for pages up to `last`.
  package init(upTo last: UInt32) {
    words = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
  }

  /// Whether the page is in the set.
  @inline(__always)
  package func contains(_ page: UInt32) -> Bool {
    let index = Int(page) / 64
    return index < words.count && words[index] & (1 << UInt64(page % 64)) != 0
  }

  /// Whether no page is in both sets.
  package func isDisjoint(with other: PageSet) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == 0 } }

  /// Calls `body` with each page, ascending.
  package func forEach(_ body: (UInt32) throws -> Void) rethrows {
    for (index, word) in words.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        try body(UInt32(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }

  /// Adds a page; false when it was there already, or is beyond the last.
  @discardableResult
  package mutating func insert(_ page: UInt32) -> Bool {
    let index = Int(page) / 64
    guard index < words.count else { return false }
    let bit: UInt64 = 1 << UInt64(page % 64)
    guard words[index] & bit == 0 else { return false }
    words[index] |= bit
    count += 1
    return true
  }

  /// Adds those of another set; false where a page is in both that is not one of the `shared`.
  package mutating func formUnion(_ other: PageSet, sharing shared: [UInt32]) -> Bool {
    let common = shared.count { contains($0) && other.contains($0) }
    var new = 0
    for index in words.indices.clamped(to: other.words.indices) {
      new += (other.words[index] & ~words[index]).nonzeroBitCount
      words[index] |= other.words[index]
    }
    count += new
    return new + common == other.count
  }
}
