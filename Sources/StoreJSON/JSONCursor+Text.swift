import StorePlatform

extension JSONCursor {
  /// A string as written in the document; mostly a member's name.
  package struct Name {
    let raw: UnsafeBufferPointer<UInt8>
    let isEscaped: Bool

    /// The string's value.
    package var text: String { isEscaped ? unescaped(raw) : String(decoding: raw, as: UTF8.self) }

    func precedes(_ other: Name) -> Bool { raw.lexicographicallyPrecedes(other.raw) }

    /// Lets a `switch` compare names.
    package static func ~= (pattern: StaticString, name: Name) -> Bool {
      guard !name.isEscaped else {
        return pattern.withUTF8Buffer { $0.elementsEqual(name.text.utf8) }
      }
      guard name.raw.count == pattern.utf8CodeUnitCount, let start = name.raw.baseAddress else { return false }
      return pattern.withUTF8Buffer { buffer in
        buffer.baseAddress.map { memcmp(start, $0, buffer.count) == 0 } ?? false
      }
    }
  }

  // MARK: Escapes

  /// The length of the escape at the cursor: `\n`, `\u00fc`, or two of the latter for a character beyond U+FFFF.
  func escapeLength() throws(JSONError) -> Int {
    guard offset + 1 < bytes.count else { throw error("the document ends within a text") }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      guard let first = codeUnit(in: bytes, at: offset) else { throw error("'\\u' needs four hex digits") }
      if !UTF16.isLeadSurrogate(first), !UTF16.isTrailSurrogate(first) { return 6 }
      guard UTF16.isLeadSurrogate(first), let second = codeUnit(in: bytes, at: offset + 6),
        UTF16.isTrailSurrogate(second)
      else { throw error("half of a surrogate pair") }
      return 12
    case _: throw error("an escape that JSON does not have")
    }
  }

  // MARK: UTF-8

  /// How long the character beyond ASCII at `offset` is; 0 for bytes that are none. RFC 3629, section 4:
  ///
  ///     UTF8-2 = %xC2-DF UTF8-tail
  ///     UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
  ///     UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
  func utf8Length(at offset: Int) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch bytes[offset] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      case _: (0, 0x80...0xBF)
      }
    guard length > 0, offset + length <= bytes.count, second ~= bytes[offset + 1] else { return 0 }
    for byte in bytes[(offset + 2)..<(offset + length)] where byte & 0xC0 != 0x80 { return 0 }
    return length
  }
}

/// The value of the `\uXXXX` at `offset`; nil where there is none.
private func codeUnit(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt16? {
  guard offset + 6 <= bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
    return nil
  }
  var unit: UInt16 = 0
  for byte in bytes[(offset + 2)..<(offset + 6)] {
    guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
    unit = unit << 4 | UInt16(digit)
  }
  return unit
}

/// The value of a string with escapes, which must be valid.
private func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> String {
  var units: [UInt8] = []
  units.reserveCapacity(raw.count)
  var offset = 0
  while offset < raw.count {
    guard raw[offset] == UInt8(ascii: "\\"), offset + 1 < raw.count else {
      units.append(raw[offset])
      offset += 1
      continue
    }
    guard let first = codeUnit(in: raw, at: offset) else {
      units.append(plain(raw[offset + 1]))
      offset += 2
      continue
    }
    let second = UTF16.isLeadSurrogate(first) ? codeUnit(in: raw, at: offset + 6) : nil
    let code = second.map { 0x10000 + (UInt32(first) & 0x3FF) << 10 + (UInt32($0) & 0x3FF) } ?? UInt32(first)
    units += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    offset += second == nil ? 6 : 12
  }
  return String(decoding: units, as: UTF8.self)
}

/// The character that a letter after a backslash stands for.
private func plain(_ letter: UInt8) -> UInt8 {
  switch letter {
  case UInt8(ascii: "b"): 0x08
  case UInt8(ascii: "f"): 0x0C
  case UInt8(ascii: "n"): 0x0A
  case UInt8(ascii: "r"): 0x0D
  case UInt8(ascii: "t"): 0x09
  case _: letter
  }
}
