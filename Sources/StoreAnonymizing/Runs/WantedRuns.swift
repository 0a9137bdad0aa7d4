/// A few runs that are looked for among many.
struct WantedRuns: Sendable {
  let runs: Set<UInt64>
  /// Whether there are some that only texts in UTF-16 have.
  let hasPairs: Bool
  // A bit for each place that one of them has by its hash: most runs are told from them without looking in the set.
  private let bits: [UInt64]
  private let shift: UInt64

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
  }

  @inline(__always) private static func place(_ run: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (run &* 0x9e37_79b9_7f4a_7c15) >> shift)
  }

  @inline(__always) func contains(_ run: UInt64) -> Bool {
    let place = Self.place(run, shift)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1 && runs.contains(run)
  }
}
