/// Ascending keys from 1 on that lie near each other, one bit each.
struct KeyBits: Sendable {
  /// The first key is that of the lowest bit, less what comes before it in its word.
  private var first: Int64 = 0
  private var words: [UInt64] = []
  private var count = 0

  /// Bits for each key at most, beside some for the first ones: where keys are farther from each other, a list is smaller.
  static let mostBits = 8
  private static let firstBits = 1 << 12

  /// Adds a key that is above the last one; one below 1 is left out. False where it is not above, or the keys lie too far from
  /// each other.
  mutating func add(_ key: Int64) -> Bool {
    guard key >= 1 else { return true }
    if count == 0 { first = key & ~63 }
    let place = key - first
    guard place >= 0, place / 64 >= Int64(words.count) - 1, place < Self.firstBits + Self.mostBits * count else {
      return false
    }
    count += 1
    let word = Int(place / 64)
    if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
    words[word] |= 1 << UInt64(place % 64)
    return true
  }

  /// Calls `body` with each key, ascending.
  func forEach(_ body: (Int64) -> Void) {
    for (index, word) in words.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        body(first + Int64(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
  }
}
