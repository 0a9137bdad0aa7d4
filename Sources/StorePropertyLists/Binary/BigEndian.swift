extension Array<UInt8> {
  /// The unsigned big-endian number of `size` bytes at `offset`; `nil` if they are not all there.
  func bigEndian(at offset: Int, size: Int) -> UInt64? {
    guard (1...8).contains(size), offset >= 0, offset <= count - size else { return nil }
    var value: UInt64 = 0
    for position in offset..<(offset + size) { value = value << 8 | UInt64(self[position]) }
    return value
  }

  /// Appends the lowest `size` bytes of a number, the highest of them first.
  mutating func appendBigEndian(_ value: UInt64, size: Int) {
    for shift in stride(from: 8 * (size - 1), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }
}

extension UInt64 {
  /// The bytes this number needs, of the sizes that Apple's writer uses.
  var storedSize: Int {
    switch self {
    case ...0xff: 1
    case ...0xffff: 2
    case ...0xffff_ffff: 4
    default: 8
    }
  }
}
