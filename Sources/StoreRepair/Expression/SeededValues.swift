import StoreDigests

/// The seed and time that generated values are computed from, so that planning again gives the same values.
package struct SeededValues: Sendable, Equatable {
  /// The seed of all random values.
  package let seed: UInt64
  /// The time of planning, in seconds since 2001-01-01 UTC.
  package let now: Double

  /// Values generated from a seed and a time, in seconds since 2001-01-01 UTC.
  package init(seed: UInt64, now: Double) {
    self.seed = seed
    self.now = now
  }

  /// A UUID of version 4, computed from seed, place and row.
  ///
  /// - Parameters:
  ///   - row: `Z_PK`.
  ///   - place: the attribute it is for, "Item.uuid".
  package func uuid(for row: Int64, of place: String) -> [UInt8] {
    var message: [UInt8] = []
    for number in [seed, UInt64(bitPattern: row)] {
      for shift in stride(from: 0, to: 64, by: 8) { message.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    message += place.utf8
    var bytes = Array(Digests.sha256(message).prefix(16))
    // RFC 9562, 5.4: version 4 in the high bits of byte 6, the variant in those of byte 8.
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }
}
