import StoreSystem

/// Which runs of six bytes the replaced values have: it may say yes too often, and never no.
///
/// Runs are looked at with ASCII letters in lower case. Of texts also runs of six units of UTF-16, in both byte orders. Runs that
/// tell nothing of a value are not counted (`Runs.tells`).
///
/// There are two levels. Which kinds of bytes stand four in a row (a letter each, and six kinds for the others) takes 128 KiB,
/// which the processor has at hand, and tells most runs of letters from those of a text that is written in words. The others are
/// told by a Bloom filter of up to 64 MiB.
///
/// One thread adds runs; others look when all were added.
final class RunFilter: @unchecked Sendable {
  /// What is looked at; it lives as long as the filter.
  let table: Table
  /// How many runs were added, equal ones counted again.
  private(set) var added: Int64 = 0
  /// Some of the runs that were added last, by their hash: most runs of texts come again soon.
  private let recent: UnsafeMutablePointer<UInt64>
  private static let recentCount = 1 << 12
  /// Whether runs were added that only texts in UTF-16 have.
  private(set) var hasPairs = false

  private static let mostWords = 1 << 23

  /// The bits of both levels. When all values were read, nothing is added any more.
  struct Table: @unchecked Sendable {
    /// A bit for each four kinds in a row.
    fileprivate let quads: UnsafeMutablePointer<UInt64>
    /// A bit for each second half of a run of twelve bytes (`Runs.head`).
    fileprivate let heads: UnsafeMutablePointer<UInt64>
    /// Words of 64 bits; a run sets three bits of one word.
    fileprivate let words: UnsafeMutablePointer<UInt64>
    fileprivate let count: Int

    fileprivate static let quadWords = 1 << 14

    fileprivate init(words count: Int) {
      self.count = count
      words = .allocate(capacity: count)
      words.initialize(repeating: 0, count: count)
      quads = .allocate(capacity: Self.quadWords)
      quads.initialize(repeating: 0, count: Self.quadWords)
      heads = .allocate(capacity: Self.quadWords)
      heads.initialize(repeating: 0, count: Self.quadWords)
    }

    // The number of words is a power of two, so that no place is behind the last.
    @inline(__always) fileprivate func place(_ hash: UInt64) -> Int {
      Int(truncatingIfNeeded: hash >> 18) & (count - 1)
    }

    /// Whether values have four bytes of these kinds in a row, which are 20 bits.
    @inline(__always) func hasQuad(_ quad: UInt32) -> Bool { quads[Int(quad >> 6)] >> UInt64(quad & 63) & 1 == 1 }

    /// Whether a run of twelve bytes with such a second half may have been added.
    @inline(__always) func hasHead(_ head: UInt32) -> Bool { heads[Int(head >> 6)] >> UInt64(head & 63) & 1 == 1 }

    /// Whether a run may have been added.
    @inline(__always) func contains(_ run: UInt64) -> Bool {
      let hash = RunFilter.mixed(run)
      let bits = RunFilter.bits(hash)
      return words[place(hash)] & bits == bits
    }

    /// Whether a run of six bytes may have been added.
    @inline(__always) func contains(_ run: UInt64, _ kinds: UInt32) -> Bool {
      hasQuad(kinds & 0xfffff) && hasQuad(kinds >> 5 & 0xfffff) && hasQuad(kinds >> 10) && contains(run)
    }
  }

  /// - Parameter bytes: how many bytes the values have, about: with one run for each word about one in a thousand others is taken
  ///   for one of them. More would leave a text among many numbers no way around.
  init(bytes: Int64) {
    var count = 1 << 10
    while count < Self.mostWords, Int64(count) < bytes { count *= 2 }
    table = Table(words: count)
    recent = .allocate(capacity: Self.recentCount)
    // No run is this number: one of six bytes has 48 bits, and one of twelve the highest.
    recent.initialize(repeating: 1 << 62, count: Self.recentCount)
  }

  deinit {
    table.words.deallocate()
    table.quads.deallocate()
    table.heads.deallocate()
    recent.deallocate()
  }

  @inline(__always) fileprivate static func mixed(_ run: UInt64) -> UInt64 {
    var word = run &* 0x9e37_79b9_7f4a_7c15
    word ^= word >> 29
    word = word &* 0xbf58_476d_1ce4_e5b9
    return word ^ word >> 32
  }

  @inline(__always) fileprivate static func bits(_ hash: UInt64) -> UInt64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
  }

  /// The kinds of the bytes of a run (`RollingRun.kinds`).
  static func kinds(of run: UInt64) -> UInt32 {
    let facts = ByteFacts.all
    var kinds: UInt32 = 0
    for shift in stride(from: 40 as UInt64, through: 0, by: -8) {
      kinds = kinds << 5 | facts[Int(truncatingIfNeeded: run >> shift & 0xff)] >> 8 & 31
    }
    return kinds
  }

  @inline(__always) private func insert(_ run: UInt64, _ kinds: UInt32) {
    added &+= 1
    if run >> 63 == 1 {
      hasPairs = true
      table.heads[Int(kinds >> 6)] |= 1 << UInt64(kinds & 63)
    } else {
      setQuad(kinds & 0xfffff)
      setQuad(kinds >> 5 & 0xfffff)
      setQuad(kinds >> 10)
    }
    let hash = Self.mixed(run)
    table.words[table.place(hash)] |= Self.bits(hash)
  }

  @inline(__always) private func setQuad(_ quad: UInt32) { table.quads[Int(quad >> 6)] |= 1 << UInt64(quad & 63) }

  /// Whether a run may have been added.
  func contains(_ run: UInt64) -> Bool { table.contains(run) }

  /// Gives back the memory of what was added. Nothing may be asked after it.
  func forget() { giveBackPages(of: UnsafeMutableRawBufferPointer(start: table.words, count: table.count * 8)) }

  /// Adds the runs of a value.
  func insert(_ piece: ValuePiece) {
    var again: Int64 = 0
    piece.forEachRun {
      let isAgain = recent[Self.recentPlace($0)] == $0
      if isAgain { again &+= 1 }
      return !isAgain
    } _: {
      insert($0, $1)
      recent[Self.recentPlace($0)] = $0
    }
    added &+= again
  }

  @inline(__always) private static func recentPlace(_ run: UInt64) -> Int {
    Int(truncatingIfNeeded: (run &* 0x9e37_79b9_7f4a_7c15) >> 52)
  }

  /// Adds runs; of those of twelve bytes it is not known where to look first.
  func insert(_ runs: Set<UInt64>) { for run in runs { insert(run, run >> 63 == 1 ? 0 : Self.kinds(of: run)) } }
}
