// Stands in for `StoreDigests` while fuzzing: decoders do not depend on the hash function, and building the crypto
// package with a sanitizer would take minutes.

/// A quick function of the bytes, as long as SHA-2's.
public enum Digests {
  /// 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] { stretch(bytes, to: 32) }
  /// 64 bytes.
  public static func sha512(_ bytes: [UInt8]) -> [UInt8] { stretch(bytes, to: 64) }

  private static func stretch(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return (0..<count).map { UInt8(truncatingIfNeeded: state >> (($0 % 8) * 8)) ^ UInt8($0) }
  }
}

/// As above, in pieces.
public struct SHA256Stream: ~Copyable {
  private var bytes: [UInt8] = []
  /// As the real one.
  public init() {}
  /// As the real one.
  public mutating func update(_ piece: UnsafeRawBufferPointer) { bytes += piece }
  /// As the real one.
  public var digest: [UInt8] { Digests.sha256(bytes) }
  /// As the real one.
  public consuming func finalize() -> [UInt8] { Digests.sha256(bytes) }
}
