/// A few runs that are looked for among many.
final class WantedRuns: @unchecked Sendable {
  let runs: Set<UInt64>
  /// Whether there are some that only texts in UTF-16 have.
  let hasPairs: Bool
  private let asUnits: Bool
  /// What tells most runs from them without looking in the set; it lives as long as this object.
  let bits: Bits
  /// A bit for each three bytes that stand side by side in one of them, as six bytes or as six units of ASCII, by their hash.
  private let threes: UnsafeMutablePointer<UInt64>

  /// A bit for each place that a run has by its hash. Nothing is counted where they are asked, as it is where an object is.
  struct Bits {
    fileprivate let words: UnsafeMutablePointer<UInt64>
    private let shift: UInt64

    /// - Parameter power: of how many bits there are.
    fileprivate init(power: Int) {
      shift = UInt64(64 - power)
      words = .allocate(capacity: 1 << (power - 6))
      words.initialize(repeating: 0, count: 1 << (power - 6))
    }

    @inline(__always) private func place(_ run: UInt64) -> Int {
      Int(truncatingIfNeeded: (run &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }

    fileprivate func add(_ run: UInt64) {
      let place = place(run)
      words[place >> 6] |= 1 << UInt64(place & 63)
    }

    /// Whether a run may be one of them.
    @inline(__always) func mayHave(_ run: UInt64) -> Bool {
      let place = place(run)
      return words[place >> 6] >> UInt64(place & 63) & 1 == 1
    }
  }

  /// So many bits for each run, and at most so many in all, as a power of two.
  private static let bitsOfRun = 32
  private static let mostBits = 25
  /// So many of the bits by three bytes that the processor has them at hand.
  private static let threeBits: UInt32 = 17

  /// - Parameter asUnits: whether they are looked for as units of UTF-16, too.
  init(_ runs: some Sequence<UInt64>, asUnits: Bool = true) {
    (self.runs, self.asUnits) = (Set(runs), asUnits)
    hasPairs = self.runs.contains { $0 >> 63 == 1 }
    var power = 12
    while power < Self.mostBits, 1 << power < self.runs.count * Self.bitsOfRun { power += 1 }
    bits = Bits(power: power)
    for run in self.runs { bits.add(run) }
    threes = .allocate(capacity: 1 << (Self.threeBits - 6))
    threes.initialize(repeating: 0, count: 1 << (Self.threeBits - 6))
    for run in self.runs where run >> 63 == 0 {
      for shift in stride(from: 0 as UInt64, through: 40, by: 8) {
        let rest = run >> shift
        if shift < 32 { add(three: rest) }
        guard asUnits else { continue }
        add(three: (rest & 0xff) << 8)
        if shift < 40 { add(three: (rest & 0xff00) << 8 | rest & 0xff) }
      }
    }
  }

  deinit {
    bits.words.deallocate()
    threes.deallocate()
  }

  /// - Parameter bytes: the last three of them are added.
  private func add(three bytes: UInt64) {
    let place = Self.place(three: UInt32(truncatingIfNeeded: bytes))
    threes[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// - Parameter bytes: the last three of them count. Bytes that differ in one bit, as capitals and small letters do, are alike.
  @inline(__always) private static func place(three bytes: UInt32) -> Int {
    Int(truncatingIfNeeded: ((bytes & 0xff_ffff | 0x20_2020) &* 0x9e37_79b1) >> (32 - threeBits))
  }

  // Not inlined: then nothing is counted where `bits` tell enough.
  @inline(never) func contains(_ run: UInt64) -> Bool { bits.mayHave(run) && runs.contains(run) }

  /// Calls `body` with each of them that stands in bytes and ends from a place on, and the place behind it: of six bytes, or of the
  /// twelve of six units of UTF-16 where these are wanted, too.
  @inline(__always) func forEach(
    in bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0,
    _ body: (_ run: UInt64, _ length: Int, _ end: Int) -> Void
  ) {
    var place = next(in: bytes, from: max(start, Runs.length - 1))
    while place < bytes.count {
      let run = Self.run(in: bytes, endingAt: place)
      if contains(run) { body(run, Runs.length, place + 1) }
      if let pair = pair(run, in: bytes, endingAt: place), contains(pair) { body(pair, 2 * Runs.length, place + 1) }
      place = next(in: bytes, from: place + 1)
    }
  }

  /// The first place from one on where one of them ends; one behind the bytes where there is none.
  @inline(never) private func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let (all, threes, bits) = (UnsafeRawBufferPointer(bytes), threes, bits)
    // Of four places that follow each other the first is looked at: a run that ends at one of them has the three bytes that end
    // there.
    let looksAtEach = asUnits && hasPairs
    var place = start
    while place < bytes.count {
      let three = Self.place(three: UInt32(bigEndian: all.loadUnaligned(fromByteOffset: place &- 3, as: UInt32.self)))
      if looksAtEach || threes[three >> 6] >> UInt64(three & 63) & 1 == 1 {
        for place in place..<min(place &+ 4, bytes.count) {
          let run = Self.run(in: bytes, endingAt: place)
          if bits.mayHave(run), contains(run) { return place }
          if let pair = pair(run, in: bytes, endingAt: place), bits.mayHave(pair), contains(pair) { return place }
        }
      }
      place &+= 4
    }
    return place
  }

  /// - Parameter place: from 5 on.
  @inline(__always) private static func run(in bytes: UnsafeBufferPointer<UInt8>, endingAt place: Int) -> UInt64 {
    Runs.run(bytes[(place - Runs.length + 1)...place])
  }

  /// The run of twelve bytes that ends with six others, where such ones are wanted, and they may be.
  @inline(__always) private func pair(
    _ run: UInt64, in bytes: UnsafeBufferPointer<UInt8>, endingAt place: Int
  ) -> UInt64? {
    guard asUnits, place >= 2 * Runs.length - 1, hasPairs || Runs.mayBeUnitsOfASCII(run) else { return nil }
    return Runs.pair(Self.run(in: bytes, endingAt: place - Runs.length), run)
  }
}
