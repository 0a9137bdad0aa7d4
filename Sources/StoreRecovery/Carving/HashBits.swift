/// Hashes, each as one bit: what is not in it was not added, and what is in it may not have been.
struct HashBits {
  private var words: [UInt64]
  private let shift: UInt32

  /// Room for so many hashes, of which then one in sixteen is taken for another.
  init(for count: Int) {
    var bits: UInt32 = 10
    while bits < 31, count > 1 << (bits - 4) { bits += 1 }
    shift = 32 - bits
    words = [UInt64](repeating: 0, count: 1 << Int(bits - 6))
  }

  /// What of a hash is asked for.
  static func part(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 32) }

  func contains(_ part: UInt32) -> Bool {
    let place = part >> shift
    return words[Int(place >> 6)] & (1 << UInt64(place & 63)) != 0
  }

  /// Adds the part of a hash; false where it may have been there already.
  @discardableResult
  mutating func insert(_ part: UInt32) -> Bool {
    guard !contains(part) else { return false }
    let place = part >> shift
    words[Int(place >> 6)] |= 1 << UInt64(place & 63)
    return true
  }
}
