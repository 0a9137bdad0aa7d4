/// Bytes of a value that is replaced.
enum ValuePiece: Sendable {
  /// Text in UTF-8, perhaps invalid.
  case text([UInt8])
  /// Any other bytes.
  case bytes([UInt8])

  /// Calls `body` with each run that tells something, and where to look for it first: the kinds of its bytes
  /// (`RollingRun.kinds`), or what its second half says (`Runs.head`).
  ///
  /// - Parameter isWanted: asked first, since most runs were seen before, or are none of those that are looked for.
  @inline(__always) func forEachRun(
    where isWanted: (UInt64) -> Bool = { _ in true }, _ body: (_ run: UInt64, _ kinds: UInt32) -> Void
  ) {
    switch self {
    case .bytes(let bytes):
      var window = RollingRun()
      bytes.withUnsafeBufferPointer { bytes in
        for place in bytes.indices {
          window.append(bytes[place])
          guard place >= Runs.length - 1 else { continue }
          if isWanted(window.run), window.tells { body(window.run, window.kinds) }
          // Where texts in them are of UTF-16, each second byte is zero: of these the runs are twice as long.
          if place >= 2 * Runs.length - 1, Runs.isSparse(window.run), Runs.isSparse(window.before) {
            let pair = Runs.pair(window.before, window.run)
            if isWanted(pair) { body(pair, RunFilter.kinds(of: pair)) }
          }
        }
      }
    case .text(let bytes):
      var window = RollingRun()
      bytes.withUnsafeBufferPointer { bytes in
        for place in bytes.indices {
          window.append(bytes[place])
          if place >= Runs.length - 1, isWanted(window.run), window.tells { body(window.run, window.kinds) }
        }
      }
      // Six units of ASCII are the same run as six bytes (`Runs.pair`).
      guard let units = UnitRuns.wideUnits(bytes) else { return }
      UnitRuns.forEach(in: units) { if isWanted($0) { body($0, $1) } }
    }
  }
}

/// Runs of six units of UTF-16.
enum UnitRuns {
  /// The units of a text beyond ASCII; nil for one of ASCII alone, of fewer than six units, and for what is no text.
  static func wideUnits(_ bytes: [UInt8]) -> [UInt16]? {
    guard bytes.count >= 6, !UTF8Bytes.areASCII(bytes), UTF8Bytes.areValid(bytes) else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count)
    UTF8Bytes.forEachScalar(in: bytes) { scalar in
      if scalar < 0x10000 {
        units.append(UInt16(truncatingIfNeeded: scalar))
      } else {
        units.append(UInt16(truncatingIfNeeded: 0xd7c0 &+ scalar >> 10))
        units.append(UInt16(truncatingIfNeeded: 0xdc00 | scalar & 0x3ff))
      }
    }
    return units.count >= 6 ? units : nil
  }

  /// Calls `body` with those that have a unit beyond ASCII and tell something, in both byte orders.
  static func forEach(in units: [UInt16], _ body: (_ run: UInt64, _ head: UInt32) -> Void) {
    let mask: UInt64 = 1 << 48 - 1
    // As bytes of which capitals of ASCII are small: the last three units, the three before, and how many tell and are wide.
    var (big, bigBefore, little, littleBefore): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var (wide, telling) = (0, 0)
    for place in units.indices {
      let unit = units[place]
      let (high, low) = (
        UInt64(Runs.lowercased(UInt8(truncatingIfNeeded: unit >> 8))),
        UInt64(Runs.lowercased(UInt8(truncatingIfNeeded: unit)))
      )
      bigBefore = (bigBefore << 16 | big >> 32) & mask
      littleBefore = (littleBefore << 16 | little >> 32) & mask
      big = (big << 16 | high << 8 | low) & mask
      little = (little << 16 | low << 8 | high) & mask
      if unit >= 0x80 { wide &+= 1 }
      if tells(unit) { telling &+= 1 }
      if place >= 6 {
        let gone = units[place - 6]
        if gone >= 0x80 { wide &-= 1 }
        if tells(gone) { telling &-= 1 }
      }
      guard place >= 5, wide > 0, telling > 2, areVaried(units[(place - 5)...place]) else { continue }
      body(Runs.pair(bigBefore, big), Runs.head(big))
      body(Runs.pair(littleBefore, little), Runs.head(little))
    }
  }

  @inline(__always) private static func tells(_ unit: UInt16) -> Bool {
    unit >= 0x80 || unit &- 0x31 < 9 || unit | 0x20 &- 0x61 < 26
  }

  /// Whether three of them differ.
  private static func areVaried(_ units: ArraySlice<UInt16>) -> Bool {
    guard let first = units.first, let second = units.first(where: { $0 != first }) else { return false }
    return units.contains { $0 != first && $0 != second }
  }
}
