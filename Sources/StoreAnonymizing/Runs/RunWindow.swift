import StoreDigests

/// The last bytes of what is being made.
struct RunWindow {
  private let table: RunFilter.Table
  private let facts = ByteFacts.all
  /// What was made, to go back to.
  var state = State()

  /// The last bytes, how many there were in all, and how many runs of replaced values could not be gone around.
  struct State {
    fileprivate var run: UInt64 = 0
    /// The kinds of the last four bytes.
    fileprivate var quad: UInt32 = 0
    /// A bit for each of the last bytes: whether values have those four kinds.
    fileprivate var known: UInt32 = 0
    fileprivate var count: Int32 = 0
    var hits: Int32 = 0
  }

  /// Runs of replaced values that could not be gone around.
  var hits: Int { Int(state.hits) }

  init(_ table: RunFilter.Table) { self.table = table }

  /// What is there when a byte is taken.
  @inline(__always) private func following(_ byte: UInt8) -> State {
    let fact = facts[Int(byte)]
    var new = State()
    new.run = (state.run << 8 | UInt64(fact & 0xff)) & Runs.mask
    new.quad = (state.quad << 5 | fact >> 8 & 31) & 0xfffff
    new.known = state.known << 1 | (table.hasQuad(new.quad) ? 1 : 0)
    new.count = min(state.count &+ 1, 6)
    new.hits = state.hits
    return new
  }

  /// The same, and whether a run of replaced values ends in it.
  @inline(__always) private func taking(_ byte: UInt8) -> (state: State, isHit: Bool) {
    let new = following(byte)
    return (new, new.known & 7 == 7 && new.count == 6 && table.contains(new.run) && Runs.tells(new.run))
  }

  /// Takes a byte; whether a run of replaced values ends in it.
  @inline(__always) private mutating func append(_ byte: UInt8) -> Bool {
    let (new, isHit) = taking(byte)
    state = new
    return isHit
  }

  /// Takes a scalar in UTF-8; how many runs of replaced values end in it.
  @inline(__always) private mutating func append(_ scalar: UInt32) -> Int32 {
    if scalar < 0x80 { return append(UInt8(truncatingIfNeeded: scalar)) ? 1 : 0 }
    let (new, found) = takingLong(scalar)
    state = new
    return found
  }

  // What is not inlined changes nothing in place: then the state stays in the processor where letters follow each other.
  @inline(never) private func takingLong(_ scalar: UInt32) -> (state: State, found: Int32) {
    var (window, found): (RunWindow, Int32) = (self, 0)
    UTF8Bytes.forEachByte(of: scalar) { if window.append($0) { found &+= 1 } }
    return (window.state, found)
  }

  /// Takes what has been decided.
  ///
  /// - Returns: whether a run of replaced values ends in it; it counts as one that could not be gone around.
  @inline(__always) mutating func take(_ scalar: UInt32) -> Bool {
    let found = append(scalar)
    state.hits &+= found
    return found > 0
  }

  /// The same for a byte.
  @inline(__always) mutating func take(byte: UInt8) -> Bool {
    guard append(byte) else { return false }
    state.hits &+= 1
    return true
  }

  /// Goes on behind bytes that were looked at; what could not be gone around counts no second time.
  mutating func follow(_ bytes: some Collection<UInt8>) {
    let hits = state.hits
    state = State()
    for byte in bytes { state = following(byte) }
    state.hits = hits
  }

  /// What is there behind letters that were looked at and follow a state, with as many hits as here.
  @inline(never) func behind(_ letters: Slice<UnsafeMutableBufferPointer<UInt32>>, from begun: State) -> State {
    var window = self
    window.state = begun
    for letter in letters { UTF8Bytes.forEachByte(of: letter) { window.state = window.following($0) } }
    window.state.hits = state.hits
    return window.state
  }

  /// How often another choice is tried.
  private static let tries = 24

  /// A choice after which no run of a replaced value stands there; any where each makes one.
  mutating func choose(_ choices: [UInt32], _ stream: inout SplitMix64) -> UInt32 {
    choices.withUnsafeBufferPointer { choose($0, &stream) }
  }

  /// The same at their place.
  mutating func choose(_ choices: UnsafeBufferPointer<UInt32>, _ stream: inout SplitMix64) -> UInt32 {
    guard choices.count > 1 else {
      let only = choices.first ?? 0
      _ = take(only)
      return only
    }
    let before = state
    var best: (value: UInt32, hits: Int32)?
    var tried: UInt64 = 0
    for _ in 0..<Self.tries {
      let index = stream.next(below: choices.count)
      // What was tried, where so few are told apart, is as it was.
      if index < 64 {
        if tried >> UInt64(index) & 1 == 1 { continue }
        tried |= 1 << UInt64(index)
      }
      let value = choices[index]
      let found = append(value)
      if found == 0 { return value }
      if best.map({ found < $0.hits }) ?? true { best = (value, found) }
      state = before
    }
    let value = best?.value ?? choices[0]
    _ = take(value)
    return value
  }

  /// The same for letters of ASCII that follow each other.
  ///
  /// - Parameter count: how many there are, from 1 to 32.
  @inline(__always) mutating func choose(from first: UInt32, count: UInt32, _ stream: inout SplitMix64) -> UInt32 {
    let index = UInt32(truncatingIfNeeded: stream.next().multipliedFullWidth(by: UInt64(count)).high)
    let (new, isHit) = taking(UInt8(truncatingIfNeeded: first &+ index))
    guard isHit else {
      state = new
      return first &+ index
    }
    let again = chosenAgain(from: first, count: count, besides: index, stream)
    (state, stream) = (again.state, again.stream)
    return again.value
  }

  @inline(never) private func chosenAgain(
    from first: UInt32, count: UInt32, besides index: UInt32, _ random: SplitMix64
  ) -> (value: UInt32, state: State, stream: SplitMix64) {
    var stream = random
    // A bit for each that makes a run.
    var tried: UInt32 = 1 << index
    for _ in 1..<(count > 1 ? Self.tries : 1) {
      let index = UInt32(truncatingIfNeeded: stream.next().multipliedFullWidth(by: UInt64(count)).high)
      if tried >> index & 1 == 1 { continue }
      tried |= 1 << index
      let (new, isHit) = taking(UInt8(truncatingIfNeeded: first &+ index))
      if !isHit { return (first &+ index, new, stream) }
    }
    let value = first &+ UInt32(truncatingIfNeeded: stream.next(below: Int(count)))
    var last = self
    _ = last.take(value)
    return (value, last.state, stream)
  }

  /// Whether a letter is one of those that are chosen or taken at once.
  @inline(__always) static func choosesAtOnce(_ letter: UInt32) -> Bool { letter &- 0x61 < 26 || letter == 0x20 }

  /// Chooses letters of ASCII in the place of such letters, and takes spaces, up to anything else, and up to where a run of a replaced
  /// value may end.
  ///
  /// A run has four kinds in a row at three places that follow each other, so that none stands where at every third place there are
  /// four that no value has: only there a letter is looked up.
  ///
  /// - Parameters:
  ///   - limits: for each place 0 where any letter may stand; empty where that is everywhere.
  ///   - made: where they are written, at the same places.
  /// - Returns: the place behind them, and what is there.
  @inline(never) func choosing(
    like letters: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, limits: UnsafeBufferPointer<UInt32>,
    to made: UnsafeMutableBufferPointer<UInt32>, _ random: SplitMix64
  ) -> (place: Int, state: State, stream: SplitMix64) {
    guard state.count == 6 else { return (range.lowerBound, state, random) }
    let table = table
    var (place, stream) = (range.lowerBound, random)
    var (run, quad) = (state.run, state.quad)
    // So many letters need not be looked up; those before them are as if values had their kinds.
    var free = state.known & 1 == 0 ? 2 : state.known & 2 == 0 ? 1 : 0
    // Sixteen bits for each letter, and a one behind those that are left.
    var bits: UInt64 = 1
    while place < range.upperBound, limits.isEmpty || limits[place] == 0 {
      let letter = letters[place]
      var (kind, new): (UInt32, UInt32) = (28, 0x20)
      if letter &- 0x61 < 26 {
        if bits == 1 { bits = stream.next() >> 16 | 1 << 48 }
        kind = UInt32(truncatingIfNeeded: ((bits & 0xffff) &* 26) >> 16)
        new = 0x61 &+ kind
        bits >>= 16
      } else if letter != 0x20 {
        break
      }
      if free == 0, table.hasQuad((quad << 5 | kind) & 0xfffff) {
        // Another letter, where one can be chosen.
        guard new != 0x20 else { break }
        kind = UInt32(truncatingIfNeeded: ((stream.next() & 0xffff) &* 26) >> 16)
        new = 0x61 &+ kind
        if table.hasQuad((quad << 5 | kind) & 0xfffff) { break }
      }
      free = free == 0 ? 2 : free &- 1
      quad = quad << 5 | kind
      run = run << 8 | UInt64(new)
      made[place] = new
      place &+= 1
    }
    guard place > range.lowerBound else { return (place, state, stream) }
    var new = state
    (new.run, new.quad) = (run & Runs.mask, quad & 0xfffff)
    new.known = ~(free == 2 ? 1 : free == 1 ? 2 : 4)
    return (place, new, stream)
  }

  /// One of some bytes that follow each other, after which no run of a replaced value stands there, if there is one.
  mutating func chooseByte(from first: UInt8, count: Int, _ stream: inout SplitMix64) -> UInt8 {
    let before = state
    for _ in 0..<Self.tries {
      let value = first &+ UInt8(truncatingIfNeeded: stream.next(below: count))
      if !append(value) { return value }
      state = before
    }
    _ = take(byte: first)
    return first
  }

  /// Any byte after which no run of a replaced value stands there, if there is one.
  @inline(__always) mutating func chooseByte(_ stream: inout SplitMix64) -> UInt8 {
    let before = state
    for _ in 0..<Self.tries {
      let value = UInt8(truncatingIfNeeded: stream.next() >> 56)
      if !append(value) { return value }
      state = before
    }
    let value = UInt8(truncatingIfNeeded: stream.next() >> 56)
    _ = take(byte: value)
    return value
  }

  /// Whether bytes have a run that a replaced value may have.
  static func hits(_ table: RunFilter.Table, _ bytes: [UInt8]) -> Bool {
    var window = RunWindow(table)
    for byte in bytes where window.append(byte) { return true }
    return false
  }
}
