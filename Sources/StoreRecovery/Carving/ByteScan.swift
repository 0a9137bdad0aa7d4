/// Looks through bytes eight at a time, for what most bytes of a page are not: most of what is searched is text.
enum ByteScan {
  /// Bytes that are looked at at once.
  static let width = 8

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Eight bytes from an offset on, which are within `bytes`.
  @inline(__always)
  static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// Whether any of eight bytes is `most` or less. Always, where `most` is above 127.
  @inline(__always)
  static func hasAny(upTo most: UInt8, _ word: UInt64) -> Bool {
    most > 0x7f || (word &- ones &* (UInt64(most) &+ 1)) & ~word & tops != 0
  }

  /// Whether any of eight bytes is above `least`, or above 127.
  @inline(__always)
  static func hasAny(above least: UInt8, _ word: UInt64) -> Bool {
    let distance = UInt64(0x7f &- min(least, 0x7f))
    return ((word &+ ones &* distance) | word) & tops != 0
  }

  /// The first offset in `range` whose byte is `most` or less; the end of the range where there is none.
  ///
  /// - Parameter range: within `bytes`.
  @inline(__always)
  static func first(upTo most: UInt8, in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var place = range.lowerBound
    while place < range.upperBound {
      if place + width <= range.upperBound, !hasAny(upTo: most, word(bytes, at: place)) {
        place += width
        continue
      }
      let end = min(place + width, range.upperBound)
      while place < end {
        if bytes[place] <= most { return place }
        place += 1
      }
    }
    return place
  }
}
