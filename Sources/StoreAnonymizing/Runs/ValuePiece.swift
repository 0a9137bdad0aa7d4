/// Bytes of a value that is replaced.
enum ValuePiece: Sendable {
  /// Text in UTF-8, perhaps invalid.
  case text([UInt8])
  /// Any other bytes.
  case bytes([UInt8])

  /// Calls `body` with each run that tells something.
  ///
  /// - Parameter isWanted: asked first, since most runs were seen before, or are none of those that are looked for.
  @inline(__always) func forEachRun(
    where isWanted: (UInt64) -> Bool = { _ in true }, _ body: (UInt64) -> Void
  ) {
    switch self {
    case .text(let bytes):
      bytes.withUnsafeBufferPointer { Self.forEachRun(in: $0, isText: true, where: isWanted, body) }
    case .bytes(let bytes):
      bytes.withUnsafeBufferPointer { Self.forEachRun(in: $0, isText: false, where: isWanted, body) }
    }
  }

  /// The same for bytes at their place.
  @inline(__always) static func forEachRun(
    in bytes: UnsafeBufferPointer<UInt8>, isText: Bool, where isWanted: (UInt64) -> Bool, _ body: (UInt64) -> Void
  ) {
    var window = RollingRun()
    if isText {
      for place in bytes.indices {
        window.append(bytes[place])
        if place >= Runs.length - 1, isWanted(window.run), window.tells { body(window.run) }
      }
      // Six units of ASCII are the same run as six bytes (`Runs.pair`).
      return UnitRuns.forEach(in: bytes) { units in
        if isWanted(units.run) { body(units.run) }
        if isWanted(units.swapped) { body(units.swapped) }
      }
    }
    for place in bytes.indices {
      window.append(bytes[place])
      guard place >= Runs.length - 1 else { continue }
      if isWanted(window.run), window.tells { body(window.run) }
      if place >= 2 * Runs.length - 1, let pair = window.pair, isWanted(pair) { body(pair) }
    }
  }

  /// Calls `body` with the runs of twelve bytes of what is no text.
  @inline(__always) static func forEachPair(in bytes: UnsafeBufferPointer<UInt8>, _ body: (UInt64) -> Void) {
    // Most have no zero.
    guard bytes.contains(0) else { return }
    var window = RollingRun()
    for place in bytes.indices {
      window.append(bytes[place])
      if place >= 2 * Runs.length - 1, let pair = window.pair { body(pair) }
    }
  }
}

/// Runs of six units of UTF-16.
struct UnitRuns {
  /// The last three units and the three before; the same as bytes of which capitals of ASCII are small.
  private var (last, before, small, smallBefore): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  /// A bit for each of the last units: whether it is beyond ASCII, whether it tells something, and that there is one.
  private var (wide, telling, known): (UInt32, UInt32, UInt32) = (0, 0, 0)

  /// How many other units a run has beside one.
  private static let others = 5

  /// Calls `body` with those of a text that have a unit beyond ASCII and tell something; with none of what is no text.
  @inline(__always) static func forEach(in bytes: UnsafeBufferPointer<UInt8>, _ body: (UnitRuns) -> Void) {
    if UTF8Bytes.areWide(bytes) { forEach(inValid: bytes, body) }
  }

  /// The same for a text that is known to be valid.
  @inline(__always) static func forEach(inValid bytes: UnsafeBufferPointer<UInt8>, _ body: (UnitRuns) -> Void) {
    guard let first = UTF8Bytes.firstBeyondASCII(bytes, from: 0) else { return }
    // Of what lies between two units beyond ASCII only what is near them.
    var (place, next) = (max(first - others, 0), first)
    var runs = UnitRuns()
    while place < bytes.count {
      let (scalar, length) = UTF8Bytes.scalar(bytes, at: place)
      place += length
      // Beyond 16 bits the second of two is in the high half.
      var units = scalar < 0x10000 ? scalar : (0xdc00 | scalar & 0x3ff) << 16 | (0xd7c0 &+ scalar >> 10)
      repeat {
        if runs.append(UInt16(truncatingIfNeeded: units)) { body(runs) }
        units >>= 16
      } while units != 0
      guard runs.wide == 0, place > next else { continue }
      guard let found = UTF8Bytes.firstBeyondASCII(bytes, from: place) else { return }
      next = found
      guard found - others > place else { continue }
      (place, runs) = (found - others, UnitRuns())
    }
  }

  /// The last six units, with the higher byte of each first.
  var run: UInt64 { Runs.pair(smallBefore, small) }
  /// The same in the other byte order.
  var swapped: UInt64 { Runs.pair(Self.swapped(smallBefore), Self.swapped(small)) }

  /// Calls `body` with where to look for them first, in both orders: of the last six of their bytes, and of those that end one and two
  /// bytes before them (`Runs.head`).
  @inline(__always) func forEachHead(_ body: (UInt32) -> Void) {
    for (first, second) in [(smallBefore, small), (Self.swapped(smallBefore), Self.swapped(small))] {
      body(Runs.head(second))
      body(Runs.head(second >> 8 | (first & 0xff) << 40))
      body(Runs.head(second >> 16 | (first & 0xffff) << 32))
    }
  }

  /// Takes a unit; whether a run ends in it that has one beyond ASCII and tells something.
  @inline(__always) private mutating func append(_ unit: UInt16) -> Bool {
    let mask: UInt64 = 1 << 48 - 1
    let high = UInt64(Runs.lowercased(UInt8(truncatingIfNeeded: unit >> 8)))
    let low = UInt64(Runs.lowercased(UInt8(truncatingIfNeeded: unit)))
    before = (before << 16 | last >> 32) & mask
    last = (last << 16 | UInt64(unit)) & mask
    smallBefore = (smallBefore << 16 | small >> 32) & mask
    small = (small << 16 | high << 8 | low) & mask
    wide = (wide << 1 | (unit >= 0x80 ? 1 : 0)) & 0x3f
    telling = (telling << 1 | (Self.tells(unit) ? 1 : 0)) & 0x3f
    known = known << 1 | 1
    return wide != 0 && known & 0x3f == 0x3f && telling.nonzeroBitCount > 2 && Self.areVaried(before, last)
  }

  @inline(__always) private static func tells(_ unit: UInt16) -> Bool {
    unit >= 0x80 || unit &- 0x31 < 9 || unit | 0x20 &- 0x61 < 26
  }

  /// Three units in the other byte order.
  @inline(__always) private static func swapped(_ units: UInt64) -> UInt64 {
    (units & 0x00ff_00ff_00ff) << 8 | units >> 8 & 0x00ff_00ff_00ff
  }

  /// Whether three of six units differ.
  @inline(__always) private static func areVaried(_ before: UInt64, _ last: UInt64) -> Bool {
    let each: UInt64 = 0x0001_0001_0001
    let first = last & 0xffff
    let (own, others) = (nonzero(last ^ first &* each), nonzero(before ^ first &* each))
    guard own | others != 0 else { return false }
    // One that is not the first; whether another is neither.
    let second =
      own != 0
      ? last >> UInt64(own.trailingZeroBitCount & 0x30) & 0xffff
      : before >> UInt64(others.trailingZeroBitCount & 0x30) & 0xffff
    return own & nonzero(last ^ second &* each) != 0 || others & nonzero(before ^ second &* each) != 0
  }

  /// The highest bit of each of three units that is not zero.
  @inline(__always) private static func nonzero(_ units: UInt64) -> UInt64 {
    let low: UInt64 = 0x7fff_7fff_7fff
    return (units & low &+ low | units) & 0x8000_8000_8000
  }
}
