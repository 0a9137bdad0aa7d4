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
    fileprivate(set) var hits: Int32 = 0
  }

  /// Runs of replaced values that could not be gone around.
  var hits: Int { Int(state.hits) }

  init(_ table: RunFilter.Table) { self.table = table }

  /// Takes a byte; whether a run of replaced values ends in it.
  @inline(__always) private mutating func append(_ byte: UInt8) -> Bool {
    let fact = facts[Int(byte)]
    state.run = (state.run << 8 | UInt64(fact & 0xff)) & Runs.mask
    state.quad = (state.quad << 5 | fact >> 8 & 31) & 0xfffff
    state.known = state.known << 1 | (table.hasQuad(state.quad) ? 1 : 0)
    if state.count < 6 { state.count &+= 1 }
    guard state.known & 7 == 7, state.count == 6, table.contains(state.run) else { return false }
    return Runs.tells(state.run)
  }

  /// Takes a scalar in UTF-8; how many runs of replaced values end in it.
  @inline(__always) private mutating func append(_ scalar: UInt32) -> Int32 {
    if scalar < 0x80 { return append(UInt8(truncatingIfNeeded: scalar)) ? 1 : 0 }
    return appendLong(scalar)
  }

  private mutating func appendLong(_ scalar: UInt32) -> Int32 {
    var found: Int32 = 0
    UTF8Bytes.forEachByte(of: scalar) { if append($0) { found &+= 1 } }
    return found
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

  /// How often another choice is tried.
  private static let tries = 24

  /// A choice after which no run of a replaced value stands there; any where each makes one.
  mutating func choose(_ choices: [UInt32], _ stream: inout SplitMix64) -> UInt32 {
    guard choices.count > 1 else {
      let only = choices.first ?? 0
      _ = take(only)
      return only
    }
    let before = state
    var best: (value: UInt32, hits: Int32)?
    for _ in 0..<Self.tries {
      let value = choices[stream.next(below: choices.count)]
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
  /// - Parameter count: how many there are, from 1 on.
  @inline(__always) mutating func choose(from first: UInt32, count: UInt32, _ stream: inout SplitMix64) -> UInt32 {
    let before = state
    let value = first &+ UInt32(truncatingIfNeeded: stream.next().multipliedFullWidth(by: UInt64(count)).high)
    if !append(UInt8(truncatingIfNeeded: value)) { return value }
    state = before
    return chooseAgain(from: first, count: count, &stream)
  }

  private mutating func chooseAgain(from first: UInt32, count: UInt32, _ stream: inout SplitMix64) -> UInt32 {
    let before = state
    for _ in 1..<Self.tries {
      let value = first &+ UInt32(truncatingIfNeeded: stream.next().multipliedFullWidth(by: UInt64(count)).high)
      if !append(UInt8(truncatingIfNeeded: value)) { return value }
      state = before
    }
    let value = first &+ UInt32(truncatingIfNeeded: stream.next(below: Int(count)))
    _ = take(value)
    return value
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
    return bytes.contains { window.append($0) }
  }
}
