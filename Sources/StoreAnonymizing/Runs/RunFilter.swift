/// Which runs of six bytes the replaced values have: a Bloom filter, so that it may say yes too often, and never no.
///
/// Runs are looked at with ASCII letters in lower case. Of texts also runs of six units of UTF-16, in both byte orders. Runs of
/// fewer than three different bytes, and runs in which all but two are spaces, punctuation, control characters or zeros, tell
/// nothing of a value and are not counted (`Runs.tells`).
final class RunFilter {
  private var words: [UInt64]
  private let mask: UInt64
  /// How many runs were added, equal ones counted again.
  private(set) var added: Int64 = 0

  /// - Parameter bytes: about how many bytes of values will be added.
  init(bytes: Int64) {
    let wanted = UInt64(min(max(bytes, 0), 1 << 40)) &* 32
    var bits: UInt64 = 1 << 20
    while bits < wanted, bits < 1 << 30 { bits <<= 1 }
    words = Array(repeating: 0, count: Int(bits >> 6))
    mask = bits - 1
  }

  private static func mixed(_ run: UInt64) -> UInt64 {
    var word = run &* 0x9e37_79b9_7f4a_7c15
    word ^= word >> 29
    word = word &* 0xbf58_476d_1ce4_e5b9
    return word ^ word >> 32
  }

  private func insert(_ run: UInt64) {
    added &+= 1
    let hash = Self.mixed(run)
    for place in [hash & mask, hash >> 24 & mask] { words[Int(place >> 6)] |= 1 << (place & 63) }
  }

  /// Whether a run may have been added.
  @inline(__always) func contains(_ run: UInt64) -> Bool {
    let hash = Self.mixed(run)
    let (first, second) = (hash & mask, hash >> 24 & mask)
    return words[Int(first >> 6)] >> (first & 63) & 1 == 1 && words[Int(second >> 6)] >> (second & 63) & 1 == 1
  }

  /// Adds the runs of a value.
  func insert(_ piece: ValuePiece) { piece.forEachRun { insert($0) } }
}

/// Bytes of a value that is replaced.
enum ValuePiece {
  /// Text in UTF-8, perhaps invalid.
  case text([UInt8])
  /// Any other bytes.
  case bytes([UInt8])

  /// Calls `body` with each run that tells something.
  func forEachRun(_ body: (UInt64) -> Void) {
    switch self {
    case .bytes(let bytes):
      // Where texts in them are of UTF-16, each second byte is zero: of these the runs are twice as long.
      var ring: [UInt64] = Array(repeating: 0, count: Runs.length)
      Runs.forEach(in: bytes) { run, end in
        if Runs.tells(run) { body(run) }
        let before = ring[end % Runs.length]
        if end >= 2 * Runs.length, Runs.isSparse(before), Runs.isSparse(run) { body(Runs.pair(before, run)) }
        ring[end % Runs.length] = run
      }
    case .text(let bytes):
      Runs.forEach(in: bytes) { run, _ in if Runs.tells(run) { body(run) } }
      guard bytes.count >= 6, let text = String(validating: bytes, as: UTF8.self) else { return }
      let units = Array(text.utf16)
      guard units.count >= 6 else { return }
      for start in 0...units.count - 6 {
        let part = units[start..<start + 6]
        guard Runs.tells(part) else { continue }
        var (big, little): ((UInt64, UInt64), (UInt64, UInt64)) = ((0, 0), (0, 0))
        for (index, unit) in part.enumerated() {
          let (high, low) = (UInt64(Runs.lowercased(UInt8(unit >> 8))), UInt64(Runs.lowercased(UInt8(unit & 0xff))))
          if index < 3 {
            big.0 = big.0 << 16 | high << 8 | low
            little.0 = little.0 << 16 | low << 8 | high
          } else {
            big.1 = big.1 << 16 | high << 8 | low
            little.1 = little.1 << 16 | low << 8 | high
          }
        }
        body(Runs.pair(big.0, big.1))
        body(Runs.pair(little.0, little.1))
      }
    }
  }
}

/// Runs of six bytes, as the low 48 bits of a number.
enum Runs {
  static let length = 6
  static let mask: UInt64 = 1 << 48 - 1

  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Twelve bytes, six units of UTF-16, as one number that is no run of six.
  @inline(__always) static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    (first &* 0xd6e8_feb8_6659_fd93 ^ second &* 0xa076_1d64_78bd_642f) | 1 << 63
  }

  /// Whether three of its bytes are zeros, and three different ones are not.
  static func isSparse(_ run: UInt64) -> Bool {
    let bytes = stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: run >> UInt64($0)) }.filter {
      $0 != 0
    }
    return bytes.count == 3 && Set(bytes).count == 3
  }

  /// Calls `body` with each run and the place behind it.
  static func forEach(in bytes: some Sequence<UInt8>, _ body: (UInt64, Int) -> Void) {
    var (run, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      run = (run << 8 | UInt64(lowercased(byte))) & mask
      count &+= 1
      if count >= length { body(run, count) }
    }
  }

  /// Whether a run tells something of a value: three different bytes, and three that are letters, digits other than 0, or beyond
  /// ASCII without punctuation. Not the middle of a UUID between two hyphens, and not words of JSON with what stands between.
  static func tells(_ run: UInt64) -> Bool {
    func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: run >> UInt64(40 - place * 8)) }
    if byte(0) == 0x2d, byte(5) == 0x2d { return false }
    var (first, second): (UInt8?, UInt8?) = (nil, nil)
    var (isVaried, telling, zeros, letters, others) = (false, 0, 0, 0, 0)
    var isBeginning = true
    var skipped = 0
    for place in 0..<6 {
      let value = byte(place)
      if first == nil {
        first = value
      } else if value != first {
        if second == nil { second = value } else if value != second { isVaried = true }
      }
      if value == 0 { zeros &+= 1 }
      if value & 0xc0 == 0x80, isBeginning || skipped > 0 {
        // The rest of a character that began before the run, or of one of punctuation.
        skipped = max(skipped - 1, 0)
        others &+= 1
        continue
      }
      (isBeginning, skipped) = (false, 0)
      let next: UInt8? = place < 5 ? byte(place + 1) : nil
      switch (value, next) {
      case (0xc2, _): skipped = 1
      case (0xe2, nil), (0xe2, 0x80?), (0xe2, 0x81?), (0xe3, 0x80?), (0xef, 0xb8?), (0xef, 0xbb?): skipped = 2
      default: break
      }
      if skipped > 0 {
        others &+= 1
      } else if value >= 0x80 || value &- 0x31 < 9 {
        telling &+= 1
        others &+= 1
      } else if value &- 0x61 < 26 {
        telling &+= 1
        letters &+= 1
      } else if !jsonMarks.contains(value) {
        others &+= 1
      }
    }
    guard isVaried, telling > 2, zeros < 3 else { return false }
    return others > 0 || letters == 6 || !isOfJSONWords(run)
  }

  private static let jsonMarks: Set<UInt8> = Set("\"',:[]{}- \n\r\t".utf8)
  private static let jsonWords = ["true", "false", "null"].map { Array($0.utf8) }

  /// Whether the letters of a run are parts of words of JSON.
  private static func isOfJSONWords(_ run: UInt64) -> Bool {
    let bytes = stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: run >> UInt64($0)) }
    return bytes.split { !(0x61...0x7a).contains($0) }.allSatisfy { word in
      jsonWords.contains { whole in
        word.count <= whole.count
          && (0...whole.count - word.count).contains { whole[$0..<$0 + word.count].elementsEqual(word) }
      }
    }
  }

  fileprivate static func tells(_ units: ArraySlice<UInt16>) -> Bool {
    Set(units).count >= 3
      && units.count { $0 >= 0x80 || (0x31...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) } > 2
  }
}
