import StoreDigests

/// The secret of one run, from which every replacement is computed. It is made anew for each run and written nowhere.
package struct MappingKey: Sendable, Equatable {
  let low: UInt64
  let high: UInt64

  /// A key of the system's random numbers.
  package static func random() -> MappingKey {
    MappingKey(low: .random(in: .min ... .max), high: .random(in: .min ... .max))
  }

  /// A key that is known, for tests: with it, who knows a value can tell what it became.
  package static func known(_ seed: UInt64) -> MappingKey { MappingKey(low: seed, high: seed &* 0x9e37_79b9_7f4a_7c15) }
}

extension MappingKey {
  /// 32 hexadecimal digits, for handing it to another process of the same run; it is in no file.
  package var text: String { [low, high].map { hexadecimal($0) }.joined() }

  /// The key that was handed over.
  package init?(text: String) {
    guard text.utf8.count == 32, let low = UInt64(text.prefix(16), radix: 16),
      let high = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(low: low, high: high)
  }

  /// A name that only who has the key can make of these bytes: 16 hexadecimal digits.
  package func name(for bytes: [UInt8]) -> String {
    var hash = KeyedHash(self, 0x6e61_6d65)
    bytes.withUnsafeBytes { hash.combine($0) }
    return hexadecimal(hash.finish())
  }

  private func hexadecimal(_ word: UInt64) -> String {
    StoreDigests.hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) })
  }
}

/// SipHash-2-4 over words of 64 bits: without the key nobody can tell which value a hash is of.
///
/// Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", 2012.
struct KeyedHash {
  private var a: UInt64
  private var b: UInt64
  private var c: UInt64
  private var d: UInt64
  private var count: UInt64 = 0

  /// - Parameter purpose: tells hashes of different kinds of values apart.
  init(_ key: MappingKey, _ purpose: UInt64) {
    a = key.low ^ 0x736f_6d65_7073_6575
    b = key.high ^ 0x646f_7261_6e64_6f6d
    c = key.low ^ 0x6c79_6765_6e65_7261
    d = key.high ^ 0x7465_6462_7974_6573
    combine(purpose)
  }

  @inline(__always) mutating func combine(_ word: UInt64) {
    count &+= 1
    d ^= word
    round()
    round()
    a ^= word
  }

  mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    var place = 0
    while bytes.count - place >= 8 {
      combine(UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place += 8
    }
    combine(bytes[place...].reduce(0) { $0 << 8 | UInt64($1) })
    combine(UInt64(bytes.count))
  }

  mutating func finish() -> UInt64 {
    combine(count)
    c ^= 0xff
    for _ in 0..<4 { round() }
    return a ^ b ^ c ^ d
  }

  @inline(__always) private mutating func round() {
    a = a &+ b
    b = (b << 13 | b >> 51) ^ a
    a = a << 32 | a >> 32
    c = c &+ d
    d = (d << 16 | d >> 48) ^ c
    a = a &+ d
    d = (d << 21 | d >> 43) ^ a
    c = c &+ b
    b = (b << 17 | b >> 47) ^ c
    c = c << 32 | c >> 32
  }
}
