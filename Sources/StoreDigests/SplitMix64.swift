/// Pseudo-random numbers that follow from a seed and nothing else, the same on every machine. No secret: who sees a few tells the
/// next ones.
///
/// SplitMix64, by Sebastiano Vigna, https://prng.di.unimi.it/splitmix64.c
public struct SplitMix64: Sendable {
  @usableFromInline var state: UInt64

  /// The numbers of a seed.
  @inlinable public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  @inlinable @inline(__always) public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// A number from 0 up to `bound`, which is not reached; 0 for a bound below 1.
  @inlinable public mutating func next(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    return Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
