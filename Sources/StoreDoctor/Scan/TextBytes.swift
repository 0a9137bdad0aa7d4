/// Text where SQLite has it, looked at without making a string of it: eight bytes at a time while they are ASCII.
struct TextBytes {
  /// The bytes.
  let bytes: UnsafeRawBufferPointer

  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  /// Where the first byte is, from `start` on, that is not ASCII, or is NUL; the number of bytes if there is none.
  @inline(__always)
  private func endOfPlainASCII(from start: Int) -> Int {
    var offset = start
    while offset &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      // A NUL borrows from its neighbour above, which leaves its own highest bit set: the lowest bit tells the first.
      let found = (word | (word &- Self.lowBits)) & Self.highBits
      guard found == 0 else { return offset &+ found.trailingZeroBitCount / 8 }
      offset &+= 8
    }
    while offset < bytes.count, Int8(bitPattern: bytes[offset]) > 0 { offset &+= 1 }
    return offset
  }

  /// Whether all bytes are ASCII, none of them NUL.
  var isPlainASCII: Bool { endOfPlainASCII(from: 0) == bytes.count }

  /// Whether the text is UTF-8 and has no NUL inside.
  var isValid: Bool {
    var offset = 0
    while true {
      offset = endOfPlainASCII(from: offset)
      guard offset < bytes.count else { return true }
      // Scalars of other scripts come in rows.
      repeat {
        guard let length = lengthOfScalar(at: offset) else { return false }
        offset &+= length
      } while offset < bytes.count && bytes[offset] >= 0x80
    }
  }

  /// The length of the scalar that begins at `offset`; nil if none does, and for NUL.
  ///
  /// The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  @inline(__always)
  private func lengthOfScalar(at offset: Int) -> Int? {
    func isTail(_ distance: Int) -> Bool { bytes[offset &+ distance] & 0xc0 == 0x80 }
    let rest = bytes.count &- offset
    let first = bytes[offset]
    if first < 0x80 { return first == 0 ? nil : 1 }
    guard rest > 1 else { return nil }
    let second = bytes[offset &+ 1]
    if first < 0xe0 { return first >= 0xc2 && isTail(1) ? 2 : nil }
    guard rest > 2, isTail(2) else { return nil }
    if first < 0xf0 {
      return second >= (first == 0xe0 ? 0xa0 : 0x80) && second <= (first == 0xed ? 0x9f : 0xbf) ? 3 : nil
    }
    guard rest > 3, isTail(3), first <= 0xf4 else { return nil }
    return second >= (first == 0xf0 ? 0x90 : 0x80) && second <= (first == 0xf4 ? 0x8f : 0xbf) ? 4 : nil
  }

  /// The length as Core Data counts it: UTF-16 units. The text is valid.
  var utf16Length: Int64 {
    var length: Int64 = 0
    for byte in bytes {
      // All bytes but those that continue a scalar; one that begins four bytes takes two units.
      if byte & 0xc0 != 0x80 { length += byte >= 0xf0 ? 2 : 1 }
    }
    return length
  }

  /// Calls `body` with each scalar of the text, which is valid, until it returns false.
  func forEachScalar(_ body: (UInt32) -> Bool) {
    var offset = 0
    while offset < bytes.count {
      let length = lengthOfScalar(at: offset) ?? 1
      var scalar = UInt32(bytes[offset])
      if length > 1 {
        scalar &= 0xff >> UInt32(length + 1)
        for next in offset + 1..<offset + length { scalar = scalar << 6 | UInt32(bytes[next] & 0x3f) }
      }
      guard body(scalar) else { return }
      offset += length
    }
  }
}
