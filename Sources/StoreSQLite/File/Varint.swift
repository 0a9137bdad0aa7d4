/// A variable-length integer of the SQLite file format.
///
/// "A variable-length integer or "varint" is a static Huffman encoding of 64-bit twos-complement integers that uses less
/// space for small positive values": big-endian groups of 7 bits, the high bit set in all bytes but the last; a ninth
/// byte gives all its 8 bits. https://www.sqlite.org/fileformat2.html#varint
///
/// Public, like what reads bytes beside it, because the compiler inlines `package` functions within a module only.
@frozen public struct Varint: Equatable, Sendable {
  /// The integer.
  public let value: Int64
  /// The bytes it takes, 1 to 9.
  public let length: Int

  /// Reads the integer at `offset`; nil where it would reach beyond the end.
  @inlinable @inline(__always)
  public init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= 0, offset < bytes.count else { return nil }
    let first = bytes[offset]
    if first < 0x80 {
      (value, length) = (Int64(first), 1)
      return
    }
    var sum: UInt64 = 0
    var index = 0
    while index < 9 {
      guard offset + index < bytes.count else { return nil }
      let byte = bytes[offset + index]
      index += 1
      if index == 9 {
        sum = sum << 8 | UInt64(byte)
        break
      }
      sum = sum << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { break }
    }
    (value, length) = (Int64(bitPattern: sum), index)
  }

  /// The bytes of `value`, which is 0 to 2^56 - 1: no type and no length is more.
  package static func bytes(of value: Int64) -> [UInt8] {
    var rest = UInt64(clamping: value) & (1 << 56 - 1)
    var bytes = [UInt8(rest & 0x7f)]
    rest >>= 7
    while rest > 0 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes.reversed()
  }

  /// The bytes that SQLite uses for `value`.
  @inlinable
  public static func length(of value: Int64) -> Int {
    guard value >= 0 else { return 9 }
    var (rest, length) = (value >> 7, 1)
    while rest > 0, length < 9 {
      rest >>= 7
      length += 1
    }
    return length
  }
}
