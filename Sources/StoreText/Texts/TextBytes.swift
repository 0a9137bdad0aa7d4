/// Text in SQLite's memory, examined without making a string; 32 bytes at a time while they are ASCII.
public struct TextBytes {
  /// The bytes.
  public let bytes: UnsafeRawBufferPointer

  /// A text at its place.
  @inlinable
  public init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // What the scan asks of every text is compiled into it: `@inlinable`.
  @inlinable static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  @inlinable static var lowBits: UInt64 { 0x0101_0101_0101_0101 }

  /// The index of the first byte from `start` on that is NUL or not ASCII; the number of bytes if there is none.
  @inlinable @inline(__always)
  func endOfPlainASCII(from start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    let count = bytes.count
    func signs(at offset: Int) -> UInt64 { Self.signs(in: Self.word(base, offset)) }
    var offset = start
    while offset &+ 32 <= count, Self.isPlain(Self.vector(base, offset), Self.vector(base, offset &+ 16)) {
      offset &+= 32
    }
    while offset &+ 16 <= count {
      let (first, second) = (signs(at: offset), signs(at: offset &+ 8))
      guard first | second == 0 else {
        return offset &+ (first == 0 ? 8 &+ Self.position(second) : Self.position(first))
      }
      offset &+= 16
    }
    if offset &+ 8 <= count {
      let found = signs(at: offset)
      guard found == 0 else { return offset &+ Self.position(found) }
      offset &+= 8
    }
    guard offset < count, count >= 8 else {
      while offset < count, base.load(fromByteOffset: offset, as: Int8.self) > 0 { offset &+= 1 }
      return offset
    }
    // The rest, up to seven bytes, is the end of the last word, which is filled up with ASCII.
    let bits = UInt64(truncatingIfNeeded: (count &- offset) &* 8)
    let found = Self.signs(in: Self.word(base, count &- 8) &>> (64 &- bits) | Self.lowBits &<< bits)
    return found == 0 ? count : offset &+ Self.position(found)
  }

  @inlinable @inline(__always)
  static func vector(_ base: UnsafeRawPointer, _ offset: Int) -> SIMD16<UInt8> {
    base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
  }

  /// Whether all bytes are ASCII and not NUL. Compared byte by byte, since subtraction of whole words would borrow.
  @inlinable @inline(__always)
  static func isPlain(_ first: SIMD16<UInt8>, _ second: SIMD16<UInt8>) -> Bool {
    let one = SIMD16<UInt8>(repeating: 1)
    let signs = unsafeBitCast(first | (first &- one) | second | (second &- one), to: SIMD2<UInt64>.self)
    return (signs[0] | signs[1]) & highBits == 0
  }

  @inlinable @inline(__always)
  static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Not 0 if a byte of the word is NUL or not ASCII; the lowest set bit belongs to the first such byte.
  @inlinable @inline(__always)
  static func signs(in word: UInt64) -> UInt64 {
    // A NUL byte borrows from the byte above, but sets its own highest bit.
    (word | (word &- lowBits)) & highBits
  }

  /// The index of the first byte that is marked.
  @inlinable @inline(__always)
  static func position(_ signs: UInt64) -> Int { signs.trailingZeroBitCount &>> 3 }

  /// Whether all bytes are ASCII and none is NUL.
  @inlinable public var isPlainASCII: Bool { endOfPlainASCII(from: 0) == bytes.count }

  /// Whether the text is valid UTF-8 without NUL.
  @inlinable public var isValid: Bool { bytes.count < 32 ? isValidByScalars : isValidByBlocks }

  @inlinable var isValidByScalars: Bool {
    var offset = 0
    while true {
      offset = endOfPlainASCII(from: offset)
      guard offset < bytes.count else { return true }
      // Scalars beyond ASCII usually follow one another.
      repeat {
        guard let length = lengthOfScalar(at: offset) else { return false }
        offset &+= length
      } while offset < bytes.count && bytes[offset] >= 0x80
    }
  }

  /// The length of the scalar at `offset`; nil if there is no valid one, and for NUL.
  ///
  /// The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
  @inlinable @inline(__always)
  func lengthOfScalar(at offset: Int) -> Int? {
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

  /// The length in UTF-16 units, as Core Data counts; the text must be valid.
  @inlinable public var utf16Length: Int64 {
    var length: Int64 = 0
    for byte in bytes {
      // Each scalar's first byte counts one, or two if the scalar has four bytes.
      if byte & 0xc0 != 0x80 { length += byte >= 0xf0 ? 2 : 1 }
    }
    return length
  }

  /// The scalar at `offset`, which is moved behind it; nil at the end. The text must be valid.
  @inline(__always)
  func nextScalar(at offset: inout Int) -> UInt32? {
    guard offset < bytes.count else { return nil }
    let first = bytes[offset]
    guard first >= 0x80, let length = lengthOfScalar(at: offset) else {
      offset += 1
      return UInt32(first)
    }
    var scalar = UInt32(first) & 0xff >> UInt32(length + 1)
    for next in offset + 1..<offset + length { scalar = scalar << 6 | UInt32(bytes[next] & 0x3f) }
    offset += length
    return scalar
  }
}
