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

  /// Where to look for six bytes of a run of twelve: 20 bits.
  @inline(__always) static func head(_ bytes: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (bytes &* 0x9e37_79b9_7f4a_7c15) >> 44)
  }

  /// Whether twelve bytes are six units of UTF-16 with a byte that is zero.
  @inline(__always) static func areUnitsOfASCII(_ first: UInt64, _ second: UInt64) -> Bool {
    (first | second) & everyHigh == 0 || (first | second) & everyLow == 0
  }

  /// Whether six bytes may be the second half of these.
  @inline(__always) static func mayBeUnitsOfASCII(_ run: UInt64) -> Bool {
    // Of most bytes neither of the last two is zero.
    run & 0xff == 0 || run & 0xff00 == 0 ? run != 0 && (run & everyHigh == 0 || run & everyLow == 0) : false
  }

  /// The run that six bytes are.
  @inline(__always) static func run(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64(lowercased($1)) } & mask
  }

  private static let everyHigh: UInt64 = 0xff00_ff00_ff00
  private static let everyLow: UInt64 = 0x00ff_00ff_00ff

  @inline(__always) private static func packed(_ run: UInt64) -> UInt64 {
    (run >> 32 & 0xff) << 16 | (run >> 16 & 0xff) << 8 | run & 0xff
  }

  /// Whether each second byte is zero, as in UTF-16, and the three others differ.
  @inline(__always) static func isSparse(_ run: UInt64) -> Bool {
    guard run & everyHigh == 0 || run & everyLow == 0 else { return false }
    let word = run & everyHigh == 0 ? packed(run) : packed(run >> 8)
    let (first, second, third) = (word >> 16, word >> 8 & 0xff, word & 0xff)
    return first != 0 && second != 0 && third != 0 && first != second && first != third && second != third
  }

  /// Calls `body` with each run and the place behind it.
  @inline(__always) static func forEach(in bytes: some Sequence<UInt8>, _ body: (UInt64, Int) -> Void) {
    var (run, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      run = (run << 8 | UInt64(lowercased(byte))) & mask
      count &+= 1
      if count >= length { body(run, count) }
    }
  }

  // MARK: What tells something

  /// Whether a run tells something of a value: three different bytes, and three that are letters, digits other than 0, or beyond
  /// ASCII without punctuation. Not the middle of a UUID between two hyphens, and not words of JSON with what stands between.
  static func tells(_ run: UInt64) -> Bool { tells(run, ByteFacts.sums(of: run)) }

  /// - Parameter sums: those of its bytes.
  @inline(__always) fileprivate static func tells(_ run: UInt64, _ sums: UInt32) -> Bool {
    if sums >> 12 & 15 != 0 { return tellsBeyondASCII(run) }
    let telling = sums & 15
    guard telling > 2, sums >> 4 & 15 < 3, isVaried(run) else { return false }
    if run >> 40 == 0x2d, run & 0xff == 0x2d { return false }
    return sums >> 8 & 15 > 0 || telling == 6 || !isOfJSONWords(run)
  }

  /// Whether a run may tell something: false for most bytes that are no text.
  @inline(__always) static func mayTell(_ run: UInt64) -> Bool {
    let sums = ByteFacts.sums(of: run)
    return (sums & 15) &+ (sums >> 12 & 15) > 2 && sums >> 4 & 15 < 3
  }

  /// Whether a run with bytes beyond ASCII tells something.
  fileprivate static func tellsBeyondASCII(_ run: UInt64) -> Bool {
    func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: run >> UInt64(40 - place * 8)) }
    guard isVaried(run) else { return false }
    var (telling, zeros) = (0, 0)
    var isBeginning = true
    var skipped = 0
    for place in 0..<6 {
      let value = byte(place)
      if value == 0 { zeros &+= 1 }
      if value & 0xc0 == 0x80, isBeginning || skipped > 0 {
        // The rest of a character that began before the run, or of one of punctuation.
        skipped = max(skipped - 1, 0)
        continue
      }
      (isBeginning, skipped) = (false, 0)
      let next: UInt8? = place < 5 ? byte(place + 1) : nil
      switch (value, next) {
      case (0xc2, _): skipped = 1
      case (0xe2, nil), (0xe2, 0x80?), (0xe2, 0x81?), (0xe3, 0x80?), (0xef, 0xb8?), (0xef, 0xbb?): skipped = 2
      default: break
      }
      if skipped == 0, value >= 0x80 || value &- 0x31 < 9 || value &- 0x61 < 26 { telling &+= 1 }
    }
    return telling > 2 && zeros < 3
  }

  /// Whether three of its bytes differ.
  @inline(__always) fileprivate static func isVaried(_ run: UInt64) -> Bool {
    let each: UInt64 = 0x0101_0101_0101
    let others = nonzero(run ^ (run & 0xff) &* each)
    guard others != 0 else { return false }
    let second = run >> UInt64(others.trailingZeroBitCount & 0x38) & 0xff
    return others & nonzero(run ^ second &* each) != 0
  }

  /// The highest bit of each byte that is not zero.
  @inline(__always) private static func nonzero(_ run: UInt64) -> UInt64 {
    let low: UInt64 = 0x7f7f_7f7f_7f7f
    return (run & low &+ low | run) & 0x8080_8080_8080
  }

  private static let jsonWords = ["true", "false", "null"].map { Array($0.utf8) }

  /// Whether the letters of a run are parts of words of JSON.
  fileprivate static func isOfJSONWords(_ run: UInt64) -> Bool {
    let bytes = stride(from: 40, through: 0, by: -8).map { UInt8(truncatingIfNeeded: run >> UInt64($0)) }
    return bytes.split { !(0x61...0x7a).contains($0) }.allSatisfy { word in
      jsonWords.contains { whole in
        word.count <= whole.count
          && (0...whole.count - word.count).contains { whole[$0..<$0 + word.count].elementsEqual(word) }
      }
    }
  }
}

/// What there is to know of a byte in a run: itself in lower case (bits 0 to 7), its kind (8 to 12), and in four bits each, so
/// that those of six bytes can be added: whether it tells something (16), is zero (20), is no letter or mark of JSON's words (24),
/// is beyond ASCII (28).
enum ByteFacts {
  /// 256 of them. Made once and never changed.
  nonisolated(unsafe) static let all: UnsafePointer<UInt32> = {
    let facts = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
    for byte in UInt8.min ... .max { (facts + Int(byte)).initialize(to: of(byte)) }
    return UnsafePointer(facts)
  }()

  /// Those of the six bytes of a run, added: without what there is in the low 16 bits.
  @inline(__always) static func sums(of run: UInt64) -> UInt32 {
    func fact(_ shift: UInt64) -> UInt32 { all[Int(truncatingIfNeeded: run >> shift & 0xff)] >> 16 }
    return fact(0) &+ fact(8) &+ fact(16) &+ fact(24) &+ fact(32) &+ fact(40)
  }

  private static let lettersOfJSON = Set("truefalsn".utf8)
  private static let marksOfJSON = Set(" \"',:[]{}-\n\r\t".utf8)

  private static func of(_ byte: UInt8) -> UInt32 {
    let small = Runs.lowercased(byte)
    let isLetter = small &- 0x61 < 26
    let kind: UInt32 =
      switch small {
      case 0x61...0x7a: UInt32(small) - 0x61
      case 0x30: 26
      case 0x31...0x39: 27
      case 0x20: 28
      case 0..<0x80: 29
      case 0x80..<0xc0: 30
      default: 31
      }
    let tells = isLetter || small &- 0x31 < 9
    let isOther = isLetter ? !lettersOfJSON.contains(small) : !marksOfJSON.contains(small)
    return UInt32(small) | kind << 8 | (tells ? 1 << 16 : 0) | (small == 0 ? 1 << 20 : 0) | (isOther ? 1 << 24 : 0)
      | (small >= 0x80 ? 1 << 28 : 0)
  }
}

/// The last six bytes of many.
struct RollingRun {
  private let facts = ByteFacts.all
  /// The run that ends here; as long as there were fewer bytes, with zeros before them.
  private(set) var run: UInt64 = 0
  /// The six bytes before it.
  private(set) var before: UInt64 = 0
  private var sums: UInt32

  init() { sums = facts[0] >> 16 &* 6 }

  @inline(__always) mutating func append(_ byte: UInt8) {
    let fact = facts[Int(byte)]
    let first = run >> 40
    before = (before << 8 | first) & Runs.mask
    run = (run << 8 | UInt64(fact & 0xff)) & Runs.mask
    sums = sums &+ fact >> 16 &- facts[Int(truncatingIfNeeded: first)] >> 16
  }

  /// The run of twelve bytes that ends here, behind as many: where texts are of UTF-16, each second byte is zero.
  @inline(__always) var pair: UInt64? {
    Runs.isSparse(run) && Runs.isSparse(before) ? Runs.pair(before, run) : nil
  }

  /// Whether the run tells something of a value (`Runs.tells`).
  @inline(__always) var tells: Bool { Runs.tells(run, sums) }
}
