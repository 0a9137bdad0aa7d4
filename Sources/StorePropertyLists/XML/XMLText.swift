/// Turns text as written in XML into what it means.
enum XMLText {
  /// Appends `text` with its five predefined entities and character references replaced.
  static func append(
    _ text: Range<Int>, of bytes: [UInt8], to output: inout [UInt8]
  ) throws(PropertyListError) {
    var position = text.lowerBound
    while position < text.upperBound {
      let ampersand = bytes[position..<text.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? text.upperBound
      appendLiteral(position..<ampersand, of: bytes, to: &output)
      position = ampersand
      if position < text.upperBound {
        try appendReference(at: &position, before: text.upperBound, of: bytes, to: &output)
      }
    }
  }

  /// Appends text in which nothing is special, with each line end as one line feed
  /// (https://www.w3.org/TR/xml/#sec-line-ends).
  static func appendLiteral(_ text: Range<Int>, of bytes: [UInt8], to output: inout [UInt8]) {
    var previous: UInt8 = 0
    for byte in bytes[text] {
      if byte == 0x0d {
        output.append(0x0a)
      } else if byte != 0x0a || previous != 0x0d {
        output.append(byte)
      }
      previous = byte
    }
  }

  private static func appendReference(
    at position: inout Int, before end: Int, of bytes: [UInt8], to output: inout [UInt8]
  ) throws(PropertyListError) {
    let start = position
    // The longest useful one is &#x10ffff; but leading zeros are allowed.
    let rest = bytes[(start + 1)..<min(end, start + 32)]
    guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw PropertyListError("'&' without an entity", at: start)
    }
    let name = String(decoding: rest[..<semicolon], as: UTF8.self)
    guard let scalar = scalar(named: name) else {
      throw PropertyListError("an unknown entity '&\(name);'", at: start)
    }
    output += String(scalar).utf8
    position = semicolon + 1
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.hasPrefix("#x")
      let digits = name.dropFirst(isHex ? 2 : 1)
      guard digits.first?.isHexDigit == true, let number = UInt32(digits, radix: isHex ? 16 : 10) else { return nil }
      return Unicode.Scalar(number).flatMap { $0.isXMLCharacter ? $0 : nil }
    }
  }

  /// Where `bytes` stop being UTF-8 of characters that XML has; `nil` when they never do.
  static func firstInvalidByte(in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position < bytes.count {
      let first = bytes[position]
      if first < 0x80 {
        guard Unicode.Scalar(first).isXMLCharacter else { return position }
        position += 1
        continue
      }
      guard let length = lengthOfSequence(first, bytes[(position + 1)...].first) else { return position }
      let rest = bytes[(position + 1)...].prefix(length - 1)
      guard rest.count == length - 1, rest.allSatisfy({ $0 & 0xc0 == 0x80 }) else { return position }
      // U+FFFE and U+FFFF are well-formed, but XML does not have them.
      if first == 0xef, rest.elementsEqual([0xbf, 0xbe]) || rest.elementsEqual([0xbf, 0xbf]) { return position }
      position += length
    }
    return nil
  }

  /// Table 3-7 "Well-Formed UTF-8 Byte Sequences" of the Unicode standard: the second byte is narrower after four
  /// of the first bytes.
  private static func lengthOfSequence(_ first: UInt8, _ second: UInt8?) -> Int? {
    guard let second else { return nil }
    return switch (first, second) {
    case (0xc2...0xdf, 0x80...0xbf): 2
    case (0xe0, 0xa0...0xbf), (0xe1...0xec, 0x80...0xbf), (0xed, 0x80...0x9f), (0xee...0xef, 0x80...0xbf): 3
    case (0xf0, 0x90...0xbf), (0xf1...0xf3, 0x80...0xbf), (0xf4, 0x80...0x8f): 4
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// https://www.w3.org/TR/xml/#charsets
  var isXMLCharacter: Bool {
    value >= 0x20 ? value != 0xfffe && value != 0xffff : value == 0x09 || value == 0x0a || value == 0x0d
  }
}
