/// Texts as JSON strings, with what JSON demands escaped, and what could act on a terminal.
extension OutputBytes {
  /// A text in double quotes; false where it is not valid UTF-8, and was repaired.
  func append(jsonText bytes: UnsafeRawBufferPointer) throws -> Bool {
    try append(UInt8(ascii: "\""))
    var start = 0
    var position = 0
    let count = bytes.count
    while position < count {
      let byte = bytes[position]
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        position += 1
        continue
      }
      if byte >= 0x80 {
        guard let (scalar, length) = UTF8Check.scalar(bytes, at: position) else {
          try append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
          try appendRepaired(UnsafeRawBufferPointer(rebasing: bytes[position...]))
          try append(UInt8(ascii: "\""))
          return false
        }
        guard scalar.actsOnReaders else {
          position += length
          continue
        }
        try append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        try appendEscaped(scalar)
        position += length
        start = position
        continue
      }
      try append(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      switch byte {
      case UInt8(ascii: "\""): try append("\\\"")
      case UInt8(ascii: "\\"): try append("\\\\")
      case UInt8(ascii: "\n"): try append("\\n")
      case UInt8(ascii: "\r"): try append("\\r")
      case UInt8(ascii: "\t"): try append("\\t")
      default: try appendEscaped(Unicode.Scalar(byte))
      }
      position += 1
      start = position
    }
    try append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    try append(UInt8(ascii: "\""))
    return true
  }

  /// A text as a JSON string.
  func append(jsonText text: String) throws {
    var text = text
    _ = try text.withUTF8 { try append(jsonText: UnsafeRawBufferPointer($0)) }
  }

  /// The rest of a text with errors: each is U+FFFD.
  private func appendRepaired(_ bytes: UnsafeRawBufferPointer) throws {
    // Long texts in pieces, cut where no character can go on.
    var start = 0
    while start < bytes.count {
      var end = min(start + (1 << 16), bytes.count)
      while end < bytes.count, end > start + 1, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      for scalar in String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars {
        switch scalar {
        case "\"": try append("\\\"")
        case "\\": try append("\\\\")
        default:
          if scalar.value < 0x20 || scalar.value == 0x7F || scalar.actsOnReaders {
            try appendEscaped(scalar)
          } else {
            try append([UInt8](UTF8.encode(scalar)?.map(\.self) ?? []))
          }
        }
      }
      start = end
    }
  }

  private func appendEscaped(_ scalar: Unicode.Scalar) throws {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      try require(6)
      try append("\\u")
      for shift in [12, 8, 4, 0] as [UInt16] {
        let nibble = UInt8(truncatingIfNeeded: unit >> shift & 15)
        try append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
      }
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a control or bidirectional character, or a separator of lines: none of them can be seen, and some act
  /// on terminals and editors. Scalars above 0x7F only.
  var actsOnReaders: Bool {
    switch value {
    case 0x80...0x9F, 0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0x61C, 0x180E, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
