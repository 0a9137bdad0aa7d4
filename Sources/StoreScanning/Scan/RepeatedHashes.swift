/// Finds values that may occur more than once, in 8 to 16 bytes each. It compares hashes only, so the caller compares
/// the few candidates by value in a second pass.
///
/// The hash is Swift's own, seeded in each process, so that no file can be crafted to make all hashes collide. The
/// final result does not depend on the seed: equal values have equal hashes, and others are told apart by the second
/// pass.
package struct RepeatedHashes {
  private var table: [UInt64]
  private var repeated: Set<UInt64> = []

  /// A table for this many values.
  package init(capacity: Int) {
    var size = 16
    while size < capacity + capacity / 4 { size *= 2 }
    table = Array(repeating: 0, count: size)
  }

  /// Adds a value; at most as many as the capacity.
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
    // 0 marks a free slot.
    max(UInt64(bitPattern: Int64(value.hashValue)), 1)
  }
}
