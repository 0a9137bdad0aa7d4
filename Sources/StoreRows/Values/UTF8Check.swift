/// UTF-8 in memory that nobody has checked.
enum UTF8Check {
  /// The scalar of several bytes at a place, and their number; nil where they are no valid UTF-8.
  static func scalar(_ bytes: UnsafeRawBufferPointer, at start: Int) -> (Unicode.Scalar, Int)? {
    let first = bytes[start]
    let length =
      if first < 0xC2 {
        0
      } else if first < 0xE0 {
        2
      } else if first < 0xF0 {
        3
      } else if first < 0xF5 {
        4
      } else {
        0
      }
    guard length > 0, start + length <= bytes.count else { return nil }
    var value = UInt32(first) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<length {
      let next = bytes[start + offset]
      guard next & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3F)
    }
    // Overlong forms, surrogates and what is beyond Unicode.
    guard length == 2 || value >= (length == 3 ? 0x800 : 0x1_0000), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    return (scalar, length)
  }

  /// Whether a text is valid UTF-8.
  static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while position < text.count {
      if text[position] < 0x80 {
        position += 1
        while position + 8 <= text.count,
          text.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          position += 8
        }
      } else if let (_, length) = scalar(text, at: position) {
        position += length
      } else {
        return false
      }
    }
    return true
  }
}
