import StorePlatform
import StoreSystem
import Synchronization

/// Which runs of six bytes the replaced values have: it may say yes too often, and never no.
///
/// Runs are looked at with ASCII letters in lower case. Of texts also runs of six units of UTF-16, in both byte orders. Runs that
/// tell nothing of a value are not counted (`Runs.tells`).
///
/// There are three levels. Which kinds of bytes stand four in a row (a letter each, and six kinds for the others) takes 128 KiB,
/// which the processor has at hand, and tells most runs of letters from those of a text that is written in words. The others are
/// told by a Bloom filter of up to 64 MiB, before which one of 4 MiB is asked that has the same runs and says yes more often: it
/// spares most ways to the memory.
///
/// Threads add runs beside each other (`Adder`); they look when all were added. The filter is small at first, since to touch memory
/// for the first time takes as long as to add all runs, and doubled when it is full.
final class RunFilter: @unchecked Sendable {
  /// What is looked at; it lives as long as the filter.
  let table: Table
  /// How many runs were added, equal ones counted again.
  private(set) var added: Int64 = 0
  /// Whether runs were added that only texts in UTF-16 have.
  private(set) var hasPairs = false
  private lazy var adder = Adder(to: self)
  private let words: ZeroedMemory
  private let quads: ZeroedMemory
  private let heads: ZeroedMemory
  private var near: ZeroedMemory?

  private static let mostWords = 1 << 23
  private static let firstWords = 1 << 20
  private static let mostGrowing: Int64 = 128 << 20
  /// Bits are set by one thread after the other: another may double the words.
  private let turns = Mutex(())
  private static let mostNearWords = 1 << 19

  /// The bits of all levels. When all values were read, nothing is added any more.
  struct Table: @unchecked Sendable {
    fileprivate typealias Words = UnsafeMutablePointer<Atomic<UInt64>>

    /// A bit for each four kinds in a row.
    fileprivate let quads: Words
    /// Three bits for each run of twelve bytes (`UnitRuns.forEachHead`).
    fileprivate let heads: Words
    /// Words of 64 bits; a run sets three bits of one word.
    fileprivate let words: Words
    /// How many words there are, and which are asked first; the same for all copies of a table.
    fileprivate let size: UnsafeMutablePointer<Size>

    fileprivate static let quadWords = 1 << 14

    fileprivate struct Size {
      /// A power of two.
      var words: Int
      /// So many more runs are added before there are twice as many words; changed with `RunFilter.turns`.
      var room: Int
      /// Fewer words with the bits of all others, of which each has those of some; nil where these would be too full to tell runs
      /// apart.
      var near: UnsafeMutablePointer<UInt64>?
      var nearWords = 0
    }

    fileprivate init(words: ZeroedMemory, first: Int, quads: ZeroedMemory, heads: ZeroedMemory) {
      self.words = words.base.bindMemory(to: Atomic<UInt64>.self, capacity: words.count / 8)
      self.quads = quads.base.bindMemory(to: Atomic<UInt64>.self, capacity: Self.quadWords)
      self.heads = heads.base.bindMemory(to: Atomic<UInt64>.self, capacity: Self.quadWords)
      size = .allocate(capacity: 1)
      size.initialize(to: Size(words: first, room: first * 8 < words.count ? first : .max))
    }

    /// Doubles the words where there is no room for more runs: where a run is in twice as many is told by one more bit of its hash, so
    /// both halves are as the whole was.
    ///
    /// - Parameter most: how many words there may be.
    fileprivate func makeRoom(most: Int) {
      let count = size.pointee.words
      guard size.pointee.room <= 0 else { return }
      for place in 0..<count {
        words[count + place].store(words[place].load(ordering: .relaxed), ordering: .relaxed)
      }
      // Either half has what was in the whole: for half a run more in each word.
      (size.pointee.words, size.pointee.room) = (2 * count, 2 * count < most ? count : .max)
    }

    @inline(__always) fileprivate static func place(_ hash: UInt64, of count: Int) -> Int {
      Int(truncatingIfNeeded: hash >> 18) & (count - 1)
    }

    /// Whether values have four bytes of these kinds in a row, which are 20 bits.
    @inline(__always) func hasQuad(_ quad: UInt32) -> Bool { Self.hasBit(quad, of: quads) }

    /// Whether a run of twelve bytes may have been added that ends with such six bytes, or one or two bytes behind them.
    @inline(__always) func hasHead(_ head: UInt32) -> Bool { Self.hasBit(head, of: heads) }

    @inline(__always) private static func hasBit(_ place: UInt32, of words: Words) -> Bool {
      words[Int(place >> 6)].load(ordering: .relaxed) >> UInt64(place & 63) & 1 == 1
    }

    /// Whether a run may have been added.
    @inline(__always) func contains(_ run: UInt64) -> Bool {
      let hash = RunFilter.mixed(run)
      let bits = RunFilter.bits(hash)
      let size = size.pointee
      if let near = size.near, near[Self.place(hash, of: size.nearWords)] & bits != bits { return false }
      return words[Self.place(hash, of: size.words)].load(ordering: .relaxed) & bits == bits
    }

    /// Whether values have the kinds of a run of six bytes, each four in a row.
    @inline(__always) func hasQuads(of run: UInt64) -> Bool {
      let kinds = RunFilter.kinds(of: run)
      return hasQuad(kinds & 0xfffff) && hasQuad(kinds >> 5 & 0xfffff) && hasQuad(kinds >> 10)
    }

    /// Sets bits of a word, which mostly are set; whether one was not.
    @discardableResult
    @inline(__always) fileprivate static func set(_ bits: UInt64, _ place: Int, of words: Words) -> Bool {
      guard words[place].load(ordering: .relaxed) & bits != bits else { return false }
      words[place].bitwiseOr(bits, ordering: .relaxed)
      return true
    }

    @inline(__always) fileprivate func setQuad(_ quad: UInt32) {
      Self.set(1 << UInt64(quad & 63), Int(quad >> 6), of: quads)
    }
  }

  /// - Parameters:
  ///   - bytes: how many bytes the values have, about: with one run for each word about one in a thousand others is taken for one of
  ///     them. More would leave a text among many numbers no way around.
  ///   - first: how many words there are at first. For more bytes than `mostGrowing` there are all of them: so many runs would be in
  ///     doubled words that more others would be taken for one of them.
  init(bytes: Int64, first: Int = firstWords) {
    var count = Self.fewestWords
    while count < Self.mostWords, Int64(count) < bytes { count *= 2 }
    words = ZeroedMemory(count: count * 8)
    quads = ZeroedMemory(count: Table.quadWords * 8)
    heads = ZeroedMemory(count: Table.quadWords * 8)
    table = Table(words: words, first: bytes > Self.mostGrowing ? count : min(first, count), quads: quads, heads: heads)
  }

  deinit { table.size.deallocate() }

  /// Tells runs apart. What they begin with decides about the high bits, so that runs which differ in the last byte alone are in
  /// eight words, which the memory gives at once: a letter is chosen among these.
  @inline(__always) fileprivate static func mixed(_ run: UInt64) -> UInt64 {
    var word = (run >> 8) &* 0x9e37_79b9_7f4a_7c15
    word ^= word >> 29
    word = word &* 0xbf58_476d_1ce4_e5b9
    word ^= word >> 32
    let last = (run & 0xff | 0x100) &* 0xd6e8_feb8_6659_fd93
    return word & ~0x1f_ffff | ((word ^ last ^ last >> 32) &* 0xa076_1d64_78bd_642f) >> 43
  }

  @inline(__always) fileprivate static func bits(_ hash: UInt64) -> UInt64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
  }

  /// The kinds of the bytes of a run, in five bits each.
  @inline(__always) fileprivate static func kinds(of run: UInt64) -> UInt32 {
    let facts = ByteFacts.all
    func kind(_ shift: UInt64) -> UInt32 { facts[Int(truncatingIfNeeded: run >> shift & 0xff)] >> 8 & 31 }
    return kind(40) << 25 | kind(32) << 20 | kind(24) << 15 | kind(16) << 10 | kind(8) << 5 | kind(0)
  }

  /// Whether a run may have been added.
  func contains(_ run: UInt64) -> Bool { table.contains(run) }

  /// How many words of 64 bits the table has.
  var wordCount: Int { table.size.pointee.words }

  /// Whether a smaller table of the same runs is asked first.
  var hasNear: Bool { near != nil }

  /// Makes the table as small as what was added allows, when all was added and before the first is looked at: the rest of its memory
  /// is given back, and it says yes wrongly no more often than one that was full from the beginning.
  ///
  /// Where a run is in half as many words is told by the same bits of its hash but one, so that the halves are put together.
  func fit() {
    let count = wordCount
    var bits = 0
    for place in 0..<count { bits &+= table.words[place].load(ordering: .relaxed).nonzeroBitCount }
    var fitting = count
    // Equal runs set their bits once, so these tell how many there are.
    while fitting > Self.fewestWords, bits <= fitting / 2 * Self.bitsOfRun { fitting /= 2 }
    if fitting < count {
      for place in fitting..<count {
        let word = table.words[place].load(ordering: .relaxed)
        if word != 0 { Table.set(word, place & (fitting - 1), of: table.words) }
      }
      table.size.pointee.words = fitting
      words.giveBack(from: fitting * 8)
    }
    if fitting > Self.mostNearWords, bits <= Self.mostNearWords * Self.mostNearBits { makeNear() }
  }

  private static let fewestWords = 1 << 10
  private static let bitsOfRun = 3
  /// Of 64 bits so many are set at most, about: then one in eight runs is taken for one that was added.
  private static let mostNearBits = 32

  /// Puts the words together once more, which are asked first from now on.
  private func makeNear() {
    let memory = ZeroedMemory(count: Self.mostNearWords * 8)
    let near = memory.base.bindMemory(to: UInt64.self, capacity: Self.mostNearWords)
    for place in 0..<wordCount {
      near[place & (Self.mostNearWords - 1)] |= table.words[place].load(ordering: .relaxed)
    }
    self.near = memory
    (table.size.pointee.near, table.size.pointee.nearWords) = (near, Self.mostNearWords)
  }

  /// Gives back the memory of what was added. Nothing may be asked after it.
  func forget() {
    words.giveBack()
    table.size.pointee.near = nil
    near = nil
  }

  /// Adds the runs of a value.
  func insert(_ piece: ValuePiece) {
    adder.insert(piece)
    count(adder.takeCounts())
  }

  // MARK: Adding

  /// What was added.
  struct Counts: Sendable {
    /// How many runs, equal ones counted again.
    fileprivate(set) var runs: Int64 = 0
    /// Whether there were some that only texts in UTF-16 have.
    fileprivate(set) var hasPairs = false
  }

  /// Counts what an adder added.
  func count(_ counts: Counts) {
    added &+= counts.runs
    if counts.hasPairs { hasPairs = true }
  }

  /// Sets the bits of runs.
  private func set(_ runs: UnsafeMutablePointer<UInt64>, _ runCount: Int) {
    turns.withLock { _ in
      let (count, words) = (table.size.pointee.words, table.words)
      var new = 0
      for index in 0..<runCount {
        let hash = Self.mixed(runs[index])
        let (bits, place) = (Self.bits(hash), Table.place(hash, of: count))
        let word = words[place].load(ordering: .relaxed)
        guard word & bits != bits else { continue }
        // It is this thread's turn, so that none changes it meanwhile.
        words[place].store(word | bits, ordering: .relaxed)
        new &+= 1
      }
      table.size.pointee.room -= new
      table.makeRoom(most: self.words.count / 8)
    }
  }

  /// Adds runs on one thread, while others do on theirs.
  final class Adder {
    private let filter: RunFilter
    private let table: Table
    private var counts = Counts()
    /// Some of the runs that were added last, by their hash: most runs of texts come again soon.
    private let recent: UnsafeMutablePointer<UInt64>
    private static let recentBits: UInt64 = 15
    /// Marks one of six bytes that tells nothing, and was not added.
    private static let isSilent: UInt64 = 1 << 61
    /// Runs whose bits are not set yet: of many together, so that the memory does not wait for one after the other.
    private let pending: UnsafeMutablePointer<UInt64>
    private var pendingCount = 0
    private static let mostPending = 1 << 10

    init(to filter: RunFilter) {
      (self.filter, table) = (filter, filter.table)
      recent = .allocate(capacity: 1 << Self.recentBits)
      // No run is this number, nor is one with `isSilent`: one of six bytes has 48 bits, and one of twelve the highest.
      recent.initialize(repeating: 1 << 62, count: 1 << Self.recentBits)
      pending = .allocate(capacity: Self.mostPending)
      pending.initialize(repeating: 0, count: Self.mostPending)
    }

    deinit {
      recent.deallocate()
      pending.deallocate()
    }

    /// What was added since this was asked last; to be counted by the filter.
    func takeCounts() -> Counts {
      filter.set(pending, pendingCount)
      pendingCount = 0
      defer { counts = Counts() }
      return counts
    }

    /// Adds the runs of a value.
    func insert(_ piece: ValuePiece) {
      switch piece {
      case .text(let bytes): bytes.withUnsafeBufferPointer { insert(text: $0, isWide: UTF8Bytes.areWide($0)) }
      case .bytes(let bytes): bytes.withUnsafeBufferPointer { insert(bytes: $0) }
      }
    }

    /// Adds the runs of a text.
    ///
    /// - Parameter isWide: whether it has runs of UTF-16 that are not of ASCII alone (`UTF8Bytes.areWide`).
    func insert(text bytes: UnsafeBufferPointer<UInt8>, isWide: Bool) {
      guard bytes.count >= Runs.length else { return }
      let (recent, facts) = (recent, ByteFacts.all)
      var run: UInt64 = 0
      for place in 0..<Runs.length - 1 { run = run << 8 | UInt64(facts[Int(bytes[place])] & 0xff) }
      var silent = 0
      for place in Runs.length - 1..<bytes.count {
        run = (run << 8 | UInt64(facts[Int(bytes[place])] & 0xff)) & Runs.mask
        let known = recent[Self.recentPlace(run)]
        guard known != run else { continue }
        if known == run | Self.isSilent || !insert(run) { silent &+= 1 }
      }
      counts.runs &+= Int64(bytes.count - Runs.length + 1 - silent)
      if isWide { insertUnits(of: bytes) }
    }

    /// Adds a run of six bytes that was not seen; whether it tells something.
    @inline(never) private func insert(_ run: UInt64) -> Bool {
      guard Runs.tells(run) else {
        recent[Self.recentPlace(run)] = run | Self.isSilent
        return false
      }
      add(run)
      return true
    }

    @inline(never) private func insertUnits(of bytes: UnsafeBufferPointer<UInt8>) {
      let recent = recent
      var runs = 0
      UnitRuns.forEach(inValid: bytes) { units in
        runs &+= 2
        let run = units.run
        // Both orders are added together.
        guard recent[Self.recentPlace(run)] != run else { return }
        let swapped = units.swapped
        if (run | swapped) >> 63 == 1 {
          counts.hasPairs = true
          units.forEachHead { Table.set(1 << UInt64($0 & 63), Int($0 >> 6), of: table.heads) }
        }
        add(run)
        add(swapped)
      }
      counts.runs &+= Int64(runs)
    }

    /// Adds the runs of bytes that are no text.
    func insert(bytes: UnsafeBufferPointer<UInt8>) {
      let recent = recent
      var runs = 0
      ValuePiece.forEachRun(in: bytes, isText: false) {
        let isAgain = recent[Self.recentPlace($0)] == $0
        if isAgain { runs &+= 1 }
        return !isAgain
      } _: { run in
        runs &+= 1
        add(run)
      }
      counts.runs &+= Int64(runs)
    }

    /// Adds a run that tells something; of one of twelve bytes without the places where it is looked for first.
    private func add(_ run: UInt64) {
      if run >> 63 == 0 {
        let kinds = RunFilter.kinds(of: run)
        table.setQuad(kinds & 0xfffff)
        table.setQuad(kinds >> 5 & 0xfffff)
        table.setQuad(kinds >> 10)
      }
      recent[Self.recentPlace(run)] = run
      pending[pendingCount] = run
      pendingCount += 1
      guard pendingCount == Self.mostPending else { return }
      filter.set(pending, pendingCount)
      pendingCount = 0
    }

    @inline(__always) private static func recentPlace(_ run: UInt64) -> Int {
      Int(truncatingIfNeeded: (run &* 0x9e37_79b9_7f4a_7c15) >> (64 - recentBits))
    }
  }
}
