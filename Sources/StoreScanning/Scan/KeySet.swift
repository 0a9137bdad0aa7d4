/// A compact set of row keys (`Z_PK`), immutable once built.
///
/// Keys are kept in chunks of 65,536 neighbours. A chunk is a sorted list of runs, at 4 bytes each (a lone key is a run
/// of one), until it would exceed the 8 KiB of a bitmap, which it becomes at 2,048 runs. The bound is 28 bytes for a
/// key without neighbours in its chunk, else 4 bytes a key, and never more than 8 KiB and 24 bytes a chunk. A table's
/// 1,000,000 keys without gaps take 16 runs.
package struct KeySet: Equatable, Sendable {
  /// The number of keys.
  package private(set) var count = 0
  private var chunks: [Chunk] = []
  private var runs: [Run] = []
  private var words: [UInt64] = []

  /// 65,536 neighbouring keys with the same `high`.
  fileprivate struct Chunk: Equatable, Sendable {
    /// The keys' bits above the lowest 16.
    var high: Int64
    /// The start of its runs in `runs`, or of its 1,024 words in `words`.
    var start: Int
    /// The number of its runs; 0 for a bitmap.
    var runCount: Int32
    /// Whether it is a bitmap.
    var isBitmap: Bool
  }

  /// Consecutive keys, by their lowest 16 bits.
  private struct Run: Equatable, Sendable {
    var first: UInt16
    var last: UInt16
  }

  private static let wordsPerChunk = 1024
  /// From this many runs on a bitmap is no larger.
  private static let mostRuns = 2048

  /// No keys.
  package init() {}

  /// The memory for the keys, in bytes.
  var bytes: Int { chunks.count * MemoryLayout<Chunk>.stride + runs.count * MemoryLayout<Run>.stride + words.count * 8 }

  /// Whether there are no keys.
  package var isEmpty: Bool { count == 0 }

  /// Whether `key` is in the set.
  package func contains(_ key: Int64) -> Bool {
    guard let chunk = chunk(of: key >> 16) else { return false }
    let low = UInt16(truncatingIfNeeded: key)
    if chunk.isBitmap { return bit(low, of: chunk) }
    // The last run that begins at or before the key.
    var (from, to) = (chunk.start, chunk.start + Int(chunk.runCount))
    while from < to {
      let middle = (from + to) / 2
      if runs[middle].first <= low { from = middle + 1 } else { to = middle }
    }
    return from > chunk.start && runs[from - 1].last >= low
  }

  private func bit(_ low: UInt16, of chunk: Chunk) -> Bool {
    words[chunk.start + Int(low >> 6)] >> UInt64(low & 63) & 1 == 1
  }

  private func chunk(of high: Int64) -> Chunk? {
    guard let first = chunks.first, let last = chunks.last, high >= first.high, high <= last.high else { return nil }
    // Where chunks are consecutive, its index can be computed.
    let distance = high.subtractingReportingOverflow(first.high)
    if !distance.overflow, distance.partialValue < chunks.count, chunks[Int(distance.partialValue)].high == high {
      return chunks[Int(distance.partialValue)]
    }
    var (from, to) = (0, chunks.count)
    while from < to {
      let middle = (from + to) / 2
      if chunks[middle].high < high { from = middle + 1 } else { to = middle }
    }
    return from < chunks.count && chunks[from].high == high ? chunks[from] : nil
  }
}

// MARK: In order

extension KeySet: Sequence {
  /// The keys, ascending.
  package func makeIterator() -> some IteratorProtocol<Int64> {
    ranges.lazy.flatMap { range in range.lazy.map(\.self) }.makeIterator()
  }

  /// The ranges of consecutive keys, ascending; a range that spans two chunks comes as two.
  var ranges: some Sequence<ClosedRange<Int64>> {
    chunks.lazy.flatMap { chunk in ranges(of: chunk) }
  }

  private func ranges(of chunk: Chunk) -> [ClosedRange<Int64>] {
    let base = chunk.high << 16
    guard chunk.isBitmap else {
      return runs[chunk.start..<chunk.start + Int(chunk.runCount)].map {
        (base | Int64($0.first))...(base | Int64($0.last))
      }
    }
    var found: [ClosedRange<Int64>] = []
    for low in UInt16.min...UInt16.max where bit(low, of: chunk) {
      let key = base | Int64(low)
      if let last = found.last, last.upperBound == key - 1 {
        found[found.count - 1] = last.lowerBound...key
      } else {
        found.append(key...key)
      }
    }
    return found
  }

  /// The highest key.
  var last: Int64? {
    guard let chunk = chunks.last else { return nil }
    return ranges(of: chunk).last?.upperBound
  }
}

// MARK: Building

extension KeySet {
  /// The set of these keys, in any order.
  package init(_ keys: some Sequence<Int64>) {
    var builder = Builder()
    for key in keys { builder.insert(key) }
    self = builder.finished()
  }

  /// Collects keys that mostly come in ascending order, as a table's rows do.
  ///
  /// A key out of order, as in a damaged table, takes 8 bytes until the set is finished.
  package struct Builder {
    private var set = KeySet()
    /// The run that is still growing.
    private var open: ClosedRange<Int64>?
    private var late: [Int64] = []

    package init() {}

    /// Adds a key.
    package mutating func insert(_ key: Int64) {
      guard let current = open else {
        open = key...key
        return
      }
      // `upperBound + 1` could overflow; `key - 1` cannot, since the key is greater.
      if key > current.upperBound {
        if key - 1 == current.upperBound {
          open = current.lowerBound...key
        } else {
          set.append(current)
          open = key...key
        }
      } else if key < current.lowerBound {
        late.append(key)
      }
    }

    /// Adds the keys of a set.
    mutating func insert(_ keys: KeySet) {
      for range in keys.ranges {
        if let open, range.lowerBound < open.lowerBound { for key in range { insert(key) } } else { append(range) }
      }
    }

    /// Whether a key was added in order.
    func contains(_ key: Int64) -> Bool { open?.contains(key) == true || set.contains(key) }

    /// Adds consecutive keys, the first of which is not less than the last range's.
    fileprivate mutating func append(_ range: ClosedRange<Int64>) {
      insert(range.lowerBound)
      if let current = open, current.upperBound < range.upperBound { open = current.lowerBound...range.upperBound }
    }

    /// The set of all keys added.
    package func finished() -> KeySet {
      var result = set
      if let open { result.append(open) }
      guard !late.isEmpty else { return result }
      var sorted = Builder()
      for key in late.sorted() { sorted.insert(key) }
      return result.union(sorted.finished())
    }
  }

  /// Adds keys that are greater than all present ones.
  private mutating func append(_ range: ClosedRange<Int64>) {
    var first = range.lowerBound
    while true {
      let end = Swift.min(range.upperBound, first | 0xffff)
      append(first...end, inChunk: first >> 16)
      guard end < range.upperBound else { break }
      first = end + 1
    }
  }

  private mutating func append(_ keys: ClosedRange<Int64>, inChunk high: Int64) {
    let run = Run(
      first: UInt16(truncatingIfNeeded: keys.lowerBound), last: UInt16(truncatingIfNeeded: keys.upperBound))
    count += Int(run.last - run.first) + 1
    var chunk =
      chunks.popLast(where: { $0.high == high })
      ?? Chunk(high: high, start: runs.count, runCount: 0, isBitmap: false)
    if chunk.isBitmap {
      set(run, of: chunk)
    } else {
      runs.append(run)
      chunk.runCount += 1
      if chunk.runCount == Self.mostRuns { makeBitmap(&chunk) }
    }
    chunks.append(chunk)
  }

  private mutating func makeBitmap(_ chunk: inout Chunk) {
    let old = runs[chunk.start...]
    chunk = Chunk(high: chunk.high, start: words.count, runCount: 0, isBitmap: true)
    words += repeatElement(0, count: Self.wordsPerChunk)
    for run in old { set(run, of: chunk) }
    runs.removeLast(old.count)
  }

  private mutating func set(_ run: Run, of chunk: Chunk) {
    for low in run.first...run.last { words[chunk.start + Int(low >> 6)] |= 1 << UInt64(low & 63) }
  }
}

extension [KeySet.Chunk] {
  /// Removes the last element if it satisfies a condition.
  fileprivate mutating func popLast(where isMeant: (Element) -> Bool) -> Element? {
    last.map(isMeant) == true ? removeLast() : nil
  }
}

// MARK: Combining

extension KeySet {
  /// The keys of both sets.
  func union(_ other: KeySet) -> KeySet {
    if isEmpty { return other }
    var builder = Builder()
    var (mine, others) = (ranges.makeIterator(), other.ranges.makeIterator())
    var (left, right) = (mine.next(), others.next())
    while true {
      switch (left, right) {
      case (nil, nil): return builder.finished()
      case (let range?, nil):
        builder.append(range)
        left = mine.next()
      case (nil, let range?):
        builder.append(range)
        right = others.next()
      case (let first?, let second?):
        builder.append(first.lowerBound <= second.lowerBound ? first : second)
        if first.lowerBound <= second.lowerBound { left = mine.next() } else { right = others.next() }
      }
    }
  }

  /// The keys that are not in `other`.
  package func subtracting(_ other: KeySet) -> KeySet { KeySet(lazy.filter { !other.contains($0) }) }
}
