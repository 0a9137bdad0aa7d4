/// Finds what may occur more than once, in 8 to 16 bytes a value: by hash alone, so that whoever asks compares the
/// values of those few in a second pass.
///
/// The hash is Swift's own, seeded anew in each process, so that no file can be made to fill one place of the table.
/// What is found does not depend on the seed: equal values have equal hashes, and unequal ones are told apart later.
package struct RepeatedHashes {
  private var table: [UInt64]
  private var repeated: Set<UInt64> = []

  /// A table for so many values.
  package init(capacity: Int) {
    var size = 16
    while size < capacity + capacity / 4 { size *= 2 }
    table = Array(repeating: 0, count: size)
  }

  /// Adds a value; no more than the capacity.
  package mutating func insert(_ value: some Hashable) {
    let hash = Self.hash(value)
    var place = Int(truncatingIfNeeded: hash) & (table.count - 1)
    while table[place] != 0 {
      if table[place] == hash {
        repeated.insert(hash)
        return
      }
      place = (place + 1) & (table.count - 1)
    }
    table[place] = hash
  }

  /// Whether a value may have been added more than once.
  package func mayContain(_ value: some Hashable) -> Bool { repeated.contains(Self.hash(value)) }

  /// Whether nothing was added twice.
  package var isEmpty: Bool { repeated.isEmpty }

  private static func hash(_ value: some Hashable) -> UInt64 {
    // 0 marks a free place.
    max(UInt64(bitPattern: Int64(value.hashValue)), 1)
  }
}
