/// Text where SQLite has it, looked at without making a string of it: 32 bytes at a time while they are ASCII.
struct TextBytes {
  /// The bytes.
  let bytes: UnsafeRawBufferPointer

  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  /// Of the eight bytes at `offset` the highest bit of the first that is not ASCII, or is NUL, and perhaps of later ones;
  /// 0 if there is none.
  private func found(at offset: Int) -> UInt64 {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    // A NUL borrows from its neighbour above, which leaves its own highest bit set: the lowest bit tells the first.
    return (word | (word &- Self.lowBits)) & Self.highBits
  }

  /// Where the first byte is that is not ASCII, or is NUL; the number of bytes if there is none.
  private func endOfPlainASCII(from start: Int) -> Int {
    var offset = start
    while offset + 32 <= bytes.count {
      let found = found(at: offset) | found(at: offset + 8) | found(at: offset + 16) | found(at: offset + 24)
      if found != 0 { break }
      offset += 32
    }
    while offset + 8 <= bytes.count {
      let found = found(at: offset)
      guard found == 0 else { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < bytes.count, bytes[offset] < 0x80, bytes[offset] != 0 { offset += 1 }
    return offset
  }

  /// Whether all bytes are ASCII, none of them NUL.
  var isPlainASCII: Bool { endOfPlainASCII(from: 0) == bytes.count }

  /// Whether the text is UTF-8 and has no NUL inside.
  var isValid: Bool {
    var offset = endOfPlainASCII(from: 0)
    while offset < bytes.count {
      guard let length = lengthOfScalar(at: offset) else { return false }
      offset = endOfPlainASCII(from: offset + length)
    }
    return true
  }

  /// The length of the scalar that begins at `offset`; nil if none does, and for NUL.
  ///
  /// The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  private func lengthOfScalar(at offset: Int) -> Int? {
    func isByte(_ distance: Int, in range: ClosedRange<UInt8>) -> Bool {
      offset + distance < bytes.count && range.contains(bytes[offset + distance])
    }
    switch bytes[offset] {
    case 0x01...0x7f: return 1
    case 0xc2...0xdf: return isByte(1, in: 0x80...0xbf) ? 2 : nil
    case 0xe0...0xef:
      let second: ClosedRange<UInt8> =
        bytes[offset] == 0xe0 ? 0xa0...0xbf : bytes[offset] == 0xed ? 0x80...0x9f : 0x80...0xbf
      return isByte(1, in: second) && isByte(2, in: 0x80...0xbf) ? 3 : nil
    case 0xf0...0xf4:
      let second: ClosedRange<UInt8> =
        bytes[offset] == 0xf0 ? 0x90...0xbf : bytes[offset] == 0xf4 ? 0x80...0x8f : 0x80...0xbf
      return isByte(1, in: second) && isByte(2, in: 0x80...0xbf) && isByte(3, in: 0x80...0xbf) ? 4 : nil
    default: return nil
    }
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
