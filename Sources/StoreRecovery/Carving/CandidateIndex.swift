/// Which candidates have a hash: a table with eight bytes for each place, of which at least a quarter is free.
///
/// A place has the number of a candidate and the upper bits of its hash; the lower half of it is the candidate's own.
struct CandidateIndex {
  private var slots: [UInt64]
  private var shift: UInt64
  private(set) var count = 0

  /// The most candidates: their numbers take 23 bits.
  static let limit = 1 << 23 - 1
  private static let numberMask = UInt64(limit)
  private static let smallest: UInt64 = 10

  init() {
    slots = [UInt64](repeating: 0, count: 1 << Int(Self.smallest))
    shift = 64 - Self.smallest
  }

  /// Calls `body` with each candidate whose hash may be that one, in the order in which they were added, until it returns
  /// false.
  @inline(__always)
  func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
    let hash = Self.mixed(hash)
    var place = Int(hash >> shift)
    while slots[place] != 0 {
      let slot = slots[place]
      if (slot ^ hash) & ~Self.numberMask == 0, !body(Int(slot & Self.numberMask) - 1) { return }
      place = (place + 1) & (slots.count - 1)
    }
  }

  /// Adds a candidate; one too many is left out.
  mutating func insert(_ hash: UInt64, number: Int) {
    guard number >= 0, number < Self.limit, count < Self.limit else { return }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    count += 1
    put(Self.mixed(hash) & ~Self.numberMask | UInt64(number + 1))
  }

  /// Equal hashes stay equal, and others other ones.
  private static func mixed(_ hash: UInt64) -> UInt64 { hash &* 0x9E37_79B9_7F4A_7C15 }

  private mutating func grow() {
    let old = slots
    shift -= 1
    slots = [UInt64](repeating: 0, count: old.count * 2)
    // Of equal hashes the one that was added first stays first: from behind a free place on.
    let first = old.firstIndex(of: 0).map { $0 + 1 } ?? 0
    for step in old.indices {
      let slot = old[(first + step) & (old.count - 1)]
      if slot != 0 { put(slot) }
    }
  }

  private mutating func put(_ slot: UInt64) {
    var place = Int(slot >> shift)
    while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }
}
