/// Base-64 with padding, as the metadata spells digest and checksum.
package func base64(_ bytes: [UInt8]) -> String {
  let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
    var length = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(bytes.count - start, 3)
      let second = count > 1 ? UInt32(bytes[start + 1]) : 0
      let third = count > 2 ? UInt32(bytes[start + 2]) : 0
      let word = UInt32(bytes[start]) << 16 | second << 8 | third
      for position in 0..<4 {
        let sextet = Int(word >> (18 - 6 * UInt32(position)) & 63)
        text[length] = position <= count ? digits.utf8Start[sextet] : UInt8(ascii: "=")
        length += 1
      }
    }
    return length
  }
}

/// The bytes that base-64 with padding stands for; nil for text that is none.
package func decoded(base64 digits: ArraySlice<UInt8>) -> [UInt8]? {
  guard digits.count % 4 == 0 else { return nil }
  let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
  var result: [UInt8] = []
  result.reserveCapacity(digits.count / 4 * 3)
  var (word, bits): (UInt32, UInt32) = (0, 0)
  for digit in digits.dropLast(padding) {
    guard let sextet = sextet(digit) else { return nil }
    word = (word << 6 | sextet) & 0xFFFF
    bits += 6
    if bits >= 8 {
      bits -= 8
      result.append(UInt8(truncatingIfNeeded: word >> bits))
    }
  }
  return result
}

private func sextet(_ digit: UInt8) -> UInt32? {
  switch digit {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
  case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  case _: nil
  }
}
