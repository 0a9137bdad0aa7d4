/// Which runs of six bytes the replaced values have: a Bloom filter, so that it may say yes too often, and never no.
///
/// Runs are looked at with ASCII letters in lower case. Of texts also runs of six units of UTF-16, in both byte orders. Runs of
/// fewer than three different bytes, and runs in which all but two are spaces, punctuation, control characters or zeros, tell
/// nothing of a value and are not counted (`Runs.tells`).
///
/// It grows with the number of different runs, in layers of which each is four times as large as the one before, up to 85 MiB.
final class RunFilter {
  private var newest = Layer(words: 1 << 17)
  private var older: [Layer] = []
  /// How many runs were added, equal ones counted again.
  private(set) var added: Int64 = 0
  /// Whether runs were added that only texts in UTF-16 have.
  private(set) var hasPairs = false

  /// The largest layer: more runs than it is made for are added to it all the same.
  private static let mostWords = 1 << 23

  /// Words of 64 bits; a run sets three bits of one word.
  private final class Layer {
    let words: UnsafeMutablePointer<UInt64>
    let count: Int
    var runs = 0

    init(words count: Int) {
      self.count = count
      words = .allocate(capacity: count)
      words.initialize(repeating: 0, count: count)
    }

    deinit { words.deallocate() }

    /// With one run for each word on average, about one in a thousand others is taken for one of them. More would leave a
    /// text among many numbers no way around.
    var isFull: Bool { runs >= count }

    // The number of words is a power of two, so that no place is behind the last.
    @inline(__always) func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 18) & (count - 1) }

    @inline(__always) func has(_ hash: UInt64, _ bits: UInt64) -> Bool { words[place(hash)] & bits == bits }
  }

  @inline(__always) private static func mixed(_ run: UInt64) -> UInt64 {
    var word = run &* 0x9e37_79b9_7f4a_7c15
    word ^= word >> 29
    word = word &* 0xbf58_476d_1ce4_e5b9
    return word ^ word >> 32
  }

  @inline(__always) private static func bits(_ hash: UInt64) -> UInt64 {
    1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
  }

  private func insert(_ run: UInt64) {
    added &+= 1
    let hash = Self.mixed(run)
    let bits = Self.bits(hash)
    guard !has(hash, bits) else { return }
    if run >> 63 == 1 { hasPairs = true }
    if newest.isFull, newest.count < Self.mostWords {
      older.append(newest)
      newest = Layer(words: newest.count * 4)
    }
    newest.words[newest.place(hash)] |= bits
    newest.runs &+= 1
  }

  @inline(__always) private func has(_ hash: UInt64, _ bits: UInt64) -> Bool {
    if newest.has(hash, bits) { return true }
    for layer in older where layer.has(hash, bits) { return true }
    return false
  }

  /// Whether a run may have been added.
  @inline(__always) func contains(_ run: UInt64) -> Bool {
    let hash = Self.mixed(run)
    return has(hash, Self.bits(hash))
  }

  /// Adds the runs of a value.
  func insert(_ piece: ValuePiece) { piece.forEachRun { insert($0) } }

  /// Adds runs.
  func insert(_ runs: Set<UInt64>) { for run in runs { insert(run) } }
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
      // Six units of ASCII are the same run as six bytes (`Runs.pair`).
      guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else { return }
      let units = Array(text.utf16)
      guard units.count >= 6 else { return }
      for start in 0...units.count - 6 {
        let part = units[start..<start + 6]
        guard part.contains(where: { $0 >= 0x80 }), Runs.tells(part) else { continue }
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

  /// Twelve bytes, six units of UTF-16, as one number: that of a run of six bytes where each second byte is zero, as in texts of
  /// ASCII; else one that is no run of six.
  @inline(__always) static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    if (first | second) & everyHigh == 0 { return packed(first) << 24 | packed(second) }
    if (first | second) & everyLow == 0 { return packed(first >> 8) << 24 | packed(second >> 8) }
    return (first &* 0xd6e8_feb8_6659_fd93 ^ second &* 0xa076_1d64_78bd_642f) | 1 << 63
  }

  private static let everyHigh: UInt64 = 0xff00_ff00_ff00
  private static let everyLow: UInt64 = 0x00ff_00ff_00ff

  @inline(__always) private static func packed(_ run: UInt64) -> UInt64 {
    run >> 32 & 0xff << 16 | run >> 16 & 0xff << 8 | run & 0xff
  }

  /// Whether each second byte is zero, as in UTF-16, and the three others differ.
  @inline(__always) static func isSparse(_ run: UInt64) -> Bool {
    guard run & everyHigh == 0 || run & everyLow == 0 else { return false }
    let word = run & everyHigh == 0 ? packed(run) : packed(run >> 8)
    let (first, second, third) = (word >> 16, word >> 8 & 0xff, word & 0xff)
    return first != 0 && second != 0 && third != 0 && first != second && first != third && second != third
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
    if areLetters(run) { return hasThree(run) }
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
      } else if !isJSONMark(value) {
        others &+= 1
      }
    }
    guard isVaried, telling > 2, zeros < 3 else { return false }
    return others > 0 || letters == 6 || !isOfJSONWords(run)
  }

  @inline(__always) private static func areLetters(_ run: UInt64) -> Bool {
    for shift in stride(from: 0 as UInt64, through: 40, by: 8) where (run >> shift & 0xff) &- 0x61 >= 26 {
      return false
    }
    return true
  }

  /// Whether three of its bytes differ.
  @inline(__always) private static func hasThree(_ run: UInt64) -> Bool {
    let first = run & 0xff
    var second = first
    for shift in stride(from: 8 as UInt64, through: 40, by: 8) {
      let value = run >> shift & 0xff
      if value == first || value == second { continue }
      if second != first { return true }
      second = value
    }
    return false
  }

  private static func isJSONMark(_ value: UInt8) -> Bool {
    switch value {
    case 0x20, 0x22, 0x27, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d, 0x2d, 0x0a, 0x0d, 0x09: true
    default: false
    }
  }

  /// The letters of the words of JSON, a bit each.
  private static let jsonLetters: UInt64 = "truefalsn".utf8.reduce(0) { $0 | 1 << UInt64($1 - 0x61) }
  private static let jsonWords = ["true", "false", "null"].map { Array($0.utf8) }

  /// Whether the letters of a run are parts of words of JSON.
  private static func isOfJSONWords(_ run: UInt64) -> Bool {
    for shift in stride(from: 0 as UInt64, through: 40, by: 8) {
      let letter = (run >> shift & 0xff) &- 0x61
      if letter < 26, jsonLetters >> letter & 1 == 0 { return false }
    }
    let bytes = stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: run >> UInt64($0)) }
    return bytes.split { !(0x61...0x7a).contains($0) }.allSatisfy { word in
      jsonWords.contains { whole in
        word.count <= whole.count
          && (0...whole.count - word.count).contains { whole[$0..<$0 + word.count].elementsEqual(word) }
      }
    }
  }

  fileprivate static func tells(_ units: ArraySlice<UInt16>) -> Bool {
    guard let first = units.first else { return false }
    var second = first
    var (isVaried, telling) = (false, 0)
    for unit in units {
      if unit != first, unit != second {
        if second != first { isVaried = true } else { second = unit }
      }
      if unit >= 0x80 || (0x31...0x39).contains(unit) || (0x61...0x7a).contains(unit | 0x20) { telling &+= 1 }
    }
    return isVaried && telling > 2
  }
}
