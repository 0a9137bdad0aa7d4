/// For texts, by the hash of what they are without case and marks: which of their letters occur with marks, and with which.
///
/// A store may have millions of them, so all are numbers in one array.
struct MarkedTexts {
  /// Where in `numbers` each begins.
  private var places: [UInt64: UInt32] = [:]
  /// How many places, and for each the letter, how many kinds of marks, and of each how many, and these.
  private var numbers: [UInt32] = []

  /// The marks of a text, by letter; empty for one that is not known.
  subscript(hash: UInt64) -> [Int: Set<[UInt32]>] {
    guard let place = places[hash] else { return [:] }
    var result: [Int: Set<[UInt32]>] = [:]
    var rest = numbers[Int(place)...]
    for _ in 0..<(rest.popFirst() ?? 0) {
      guard let letter = rest.popFirst(), let kinds = rest.popFirst() else { break }
      for _ in 0..<kinds {
        let count = Int(rest.popFirst() ?? 0)
        result[Int(letter), default: []].insert(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
    }
    return result
  }

  /// Adds the marks of a text.
  mutating func add(_ marks: [Int: Set<[UInt32]>], to hash: UInt64) {
    let known = self[hash]
    let all = known.merging(marks) { $0.union($1) }
    guard all != known, let place = UInt32(exactly: numbers.count) else { return }
    places[hash] = place
    numbers.append(UInt32(all.count))
    for (letter, kinds) in all {
      numbers.append(UInt32(truncatingIfNeeded: letter))
      numbers.append(UInt32(kinds.count))
      for kind in kinds {
        numbers.append(UInt32(kind.count))
        numbers += kind
      }
    }
  }
}
