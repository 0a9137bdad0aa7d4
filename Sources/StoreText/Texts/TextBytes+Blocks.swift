extension TextBytes {
  /// Whether a text of 32 bytes and more is valid UTF-8 without NUL: blocks of plain ASCII, and from the first other one on
  /// 16 bytes at a time, each held against the three before it, so that no branch depends on where a scalar begins.
  ///
  /// The last block reaches back over bytes that were looked at before.
  @usableFromInline var isValidByBlocks: Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    guard count >= 32 else { return isValidByScalars }
    var offset = 0
    while offset &+ 32 <= count, Self.isPlain(Self.vector(base, offset), Self.vector(base, offset &+ 16)) {
      offset &+= 32
    }
    if offset &+ 32 > count, Self.isPlain(Self.vector(base, count &- 32), Self.vector(base, count &- 16)) {
      return true
    }
    let last = count &- 16
    var (wrong, hasRareScalar) = (Bytes.zero, false)
    while true {
      let start = min(offset, last)
      let block = Block(base, start)
      hasRareScalar = hasRareScalar || block.hasRareScalar
      wrong |= hasRareScalar ? block.wrong : block.wrongWithoutRareScalars
      if start == last { break }
      offset &+= 16
    }
    let isCut = bytes[count &- 1] >= 0xc0 || bytes[count &- 2] >= 0xe0 || bytes[count &- 3] >= 0xf0
    return wrong.isZero && !isCut
  }

  fileprivate typealias Bytes = SIMD16<UInt8>

  /// Sixteen bytes of a text, each with the three before it; before the text there are zeros.
  private struct Block {
    let bytes: Bytes
    let before: Bytes
    let second: Bytes
    let third: Bytes

    @inline(__always)
    init(_ base: UnsafeRawPointer, _ offset: Int) {
      bytes = vector(base, offset)
      if offset >= 3 {
        (before, second, third) = (vector(base, offset &- 1), vector(base, offset &- 2), vector(base, offset &- 3))
      } else {
        (before, second, third) = (bytes.moved(1), bytes.moved(2), bytes.moved(3))
      }
    }

    /// Whether a byte here begins a scalar whose second byte has bounds of its own, or one of four bytes.
    @inline(__always)
    var hasRareScalar: Bool {
      !(bytes.equal(0xe0) | bytes.equal(0xed) | bytes.atLeast(0xf0)).isZero
    }

    /// The bytes that are not as they have to be, where no rare scalar was met: those that continue a scalar and need not,
    /// or do not and have to.
    @inline(__always)
    var wrongWithoutRareScalars: Bytes {
      let continues = bytes.atLeast(0x80) & ~bytes.atLeast(0xc0)
      return continues ^ (before.atLeast(0xc0) | second.atLeast(0xe0)) | bytes.equal(0)
        | (bytes & Bytes(repeating: 0xfe)).equal(0xc0)
    }

    /// The bytes that are not as they have to be.
    ///
    /// The Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
    var wrong: Bytes {
      let continues = bytes.atLeast(0x80) & ~bytes.atLeast(0xc0)
      let mustContinue = before.atLeast(0xc0) | second.atLeast(0xe0) | third.atLeast(0xf0)
      let isNoScalar = bytes.equal(0) | (bytes & Bytes(repeating: 0xfe)).equal(0xc0) | bytes.atLeast(0xf5)
      let isTooLow = before.equal(0xe0) & ~bytes.atLeast(0xa0) | before.equal(0xf0) & ~bytes.atLeast(0x90)
      let isTooHigh = before.equal(0xed) & bytes.atLeast(0xa0) | before.equal(0xf4) & bytes.atLeast(0x90)
      return continues ^ mustContinue | isNoScalar | isTooLow | isTooHigh
    }
  }
}

extension SIMD16<UInt8> {
  /// All bits of each byte that is at least that large.
  @inline(__always)
  fileprivate func atLeast(_ byte: UInt8) -> Self { unsafeBitCast(self .>= Self(repeating: byte), to: Self.self) }

  /// All bits of each byte that is that one.
  @inline(__always)
  fileprivate func equal(_ byte: UInt8) -> Self { unsafeBitCast(self .== Self(repeating: byte), to: Self.self) }

  /// Whether no bit is set.
  @inline(__always)
  fileprivate var isZero: Bool {
    let words = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }

  /// The bytes so many places further on, 1 to 7, behind zeros.
  @inline(__always)
  fileprivate func moved(_ places: UInt64) -> Self {
    let words = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    let (low, high) = (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    let bits = places &* 8
    return unsafeBitCast(
      SIMD2(UInt64(littleEndian: low &<< bits), UInt64(littleEndian: high &<< bits | low &>> (64 &- bits))),
      to: Self.self)
  }
}
