/// A few runs that are looked for among many.
final class WantedRuns: Sendable {
  let runs: Set<UInt64>
  /// Whether there are some that only texts in UTF-16 have.
  let hasPairs: Bool
  // A bit for each place that one of them has by its hash: most runs are told from them without looking in the set.
  private let bits: [UInt64]
  private let shift: UInt64
  /// A bit for each two bytes that one of them ends with, as six bytes or as six units of ASCII.
  private let ends: [UInt64]

  /// So many bits for each run, and at most so many in all, as a power of two.
  private static let bitsOfRun = 32
  private static let mostBits = 25

  init(_ runs: some Sequence<UInt64>) {
    self.runs = Set(runs)
    hasPairs = self.runs.contains { $0 >> 63 == 1 }
    var power = 12
    while power < Self.mostBits, 1 << power < self.runs.count * Self.bitsOfRun { power += 1 }
    shift = UInt64(64 - power)
    var bits: [UInt64] = Array(repeating: 0, count: 1 << (power - 6))
    for run in self.runs {
      let place = Self.place(run, shift)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
    self.bits = bits
    var ends: [UInt64] = Array(repeating: 0, count: 1 << 10)
    for run in self.runs where run >> 63 == 0 {
      for end in [run & 0xffff, run & 0xff, run << 8 & 0xff00] { ends[Int(end >> 6)] |= 1 << (end & 63) }
    }
    self.ends = ends
  }

  @inline(__always) private static func place(_ run: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (run &* 0x9e37_79b9_7f4a_7c15) >> shift)
  }

  @inline(__always) func contains(_ run: UInt64) -> Bool {
    let place = Self.place(run, shift)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1 && runs.contains(run)
  }

  /// Calls `body` with each of them that stands in bytes and ends from a place on, and the place behind it: of six bytes, or of the
  /// twelve of six units of UTF-16 where these are wanted, too.
  @inline(__always) func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0, units: Bool,
    _ body: (_ run: UInt64, _ length: Int, _ end: Int) -> Void
  ) {
    withUnsafePointers { bits, ends in
      func isWanted(_ run: UInt64) -> Bool {
        let place = Self.place(run, shift)
        return bits[place >> 6] >> UInt64(place & 63) & 1 == 1 && runs.contains(run)
      }
      let (facts, first, looksForPairs) = (ByteFacts.all, max(start, Runs.length - 1), units && hasPairs)
      var run: UInt64 = 0
      for place in bytes.indices {
        run = (run << 8 | UInt64(facts[Int(bytes[place])] & 0xff)) & Runs.mask
        // Most bytes end none of them.
        let end = Int(truncatingIfNeeded: run & 0xffff)
        guard ends[end >> 6] >> UInt64(end & 63) & 1 == 1 || looksForPairs, place >= first else { continue }
        if isWanted(run) { body(run, Runs.length, place + 1) }
        guard units, place >= 2 * Runs.length - 1, hasPairs || Runs.mayBeUnitsOfASCII(run) else { continue }
        let pair = Runs.pair(Runs.run(bytes[(place - 2 * Runs.length + 1)...(place - Runs.length)]), run)
        if isWanted(pair) { body(pair, 2 * Runs.length, place + 1) }
      }
    }
  }

  @inline(__always) private func withUnsafePointers(
    _ body: (_ bits: UnsafeBufferPointer<UInt64>, _ ends: UnsafeBufferPointer<UInt64>) -> Void
  ) {
    bits.withUnsafeBufferPointer { bits in ends.withUnsafeBufferPointer { body(bits, $0) } }
  }
}
