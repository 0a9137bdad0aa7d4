import StoreDataModel
import StoreDigests

/// Random numbers for the content of a store, which depend on a seed and nothing else.
struct SampleRandom {
  private var numbers: SplitMix64

  /// Numbers for a store: a seed, a model and a kind of content give the same ones on every machine.
  init(_ options: SampleOptions, _ model: Model) {
    var state = options.seed
    for byte in model.versionHashes.checksum + Array(options.kind.rawValue.utf8) {
      state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    numbers = SplitMix64(seed: state)
    _ = numbers.next()
  }

  /// The next 64 bits.
  mutating func next() -> UInt64 { numbers.next() }

  /// A number from 0 up to `bound`, which is not reached; 0 where there is none.
  mutating func below(_ bound: Int) -> Int { numbers.next(below: bound) }

  /// Bytes.
  mutating func bytes(_ count: Int) -> [UInt8] { (0..<max(count, 0)).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// A UUID of version 4.
  mutating func uuid() -> [UInt8] {
    var bytes = bytes(16)
    // RFC 9562, 5.4: version 4 in the high bits of byte 6, the variant in those of byte 8.
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }

  /// The same elements in another order.
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in elements.indices.dropFirst().reversed() { elements.swapAt(last, below(last + 1)) }
    return elements
  }
}
