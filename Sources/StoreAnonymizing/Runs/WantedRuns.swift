/// A few runs that are looked for among many.
final class WantedRuns: @unchecked Sendable {
  let runs: Set<UInt64>
  /// Whether there are some that only texts in UTF-16 have.
  let hasPairs: Bool
  // A bit for each place that one of them has by its hash: most runs are told from them without looking in the set.
  private let bits: UnsafeMutablePointer<UInt64>
  private let shift: UInt64
  /// A bit for each two bytes that stand side by side in one of them, as six bytes or as six units of ASCII.
  private let twos: UnsafeMutablePointer<UInt64>

  /// So many bits for each run, and at most so many in all, as a power of two.
  private static let bitsOfRun = 32
  private static let mostBits = 25

  init(_ runs: some Sequence<UInt64>) {
    self.runs = Set(runs)
    hasPairs = self.runs.contains { $0 >> 63 == 1 }
    var power = 12
    while power < Self.mostBits, 1 << power < self.runs.count * Self.bitsOfRun { power += 1 }
    shift = UInt64(64 - power)
    bits = .allocate(capacity: 1 << (power - 6))
    bits.initialize(repeating: 0, count: 1 << (power - 6))
    for run in self.runs {
      let place = Self.place(run, shift)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
    twos = .allocate(capacity: 1 << 10)
    twos.initialize(repeating: 0, count: 1 << 10)
    for run in self.runs where run >> 63 == 0 {
      for shift in stride(from: 0 as UInt64, through: 40, by: 8) {
        let last = run >> shift & 0xff
        let two = shift < 40 ? run >> shift & 0xffff : last
        for two in [two, last, last << 8] { twos[Int(two >> 6)] |= 1 << (two & 63) }
      }
    }
  }

  deinit {
    bits.deallocate()
    twos.deallocate()
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
    let (twos, facts, first) = (twos, ByteFacts.all, max(start, Runs.length - 1))
    func look(at place: Int) {
      let run = Runs.run(bytes[(place - Runs.length + 1)...place])
      if contains(run) { body(run, Runs.length, place + 1) }
      guard units, place >= 2 * Runs.length - 1, hasPairs || Runs.mayBeUnitsOfASCII(run) else { return }
      let pair = Runs.pair(Runs.run(bytes[(place - 2 * Runs.length + 1)...(place - Runs.length)]), run)
      if contains(pair) { body(pair, 2 * Runs.length, place + 1) }
    }
    if units, hasPairs {
      for place in first..<max(bytes.count, first) { look(at: place) }
      return
    }
    // Of five places that follow each other the first is looked at: a run that ends at one of these has both bytes that end there.
    var place = first
    while place < bytes.count {
      let two = Int(truncatingIfNeeded: facts[Int(bytes[place - 1])] << 8 & 0xff00 | facts[Int(bytes[place])] & 0xff)
      if twos[two >> 6] >> UInt64(two & 63) & 1 == 1 {
        for place in place..<min(place + 5, bytes.count) { look(at: place) }
      }
      place &+= 5
    }
  }
}
