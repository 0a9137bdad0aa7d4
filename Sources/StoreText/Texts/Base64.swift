/// Base64 of RFC 4648.
package enum Base64 {
  private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for value in 0..<64 { values[Int(alphabet.utf8Start[value])] = UInt8(value) }
    return values
  }()

  /// Writes bytes as text with padding; the number of bytes written, four for three or fewer.
  package static func write(_ bytes: UnsafeRawBufferPointer, to memory: UnsafeMutablePointer<UInt8>) -> Int {
    var length = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(bytes.count - start, 3)
      let second = count > 1 ? UInt32(bytes[start + 1]) : 0
      let third = count > 2 ? UInt32(bytes[start + 2]) : 0
      let word = UInt32(bytes[start]) << 16 | second << 8 | third
      for position in 0..<4 {
        let sextet = Int(word >> (18 - 6 * UInt32(position)) & 63)
        memory[length] = position <= count ? alphabet.utf8Start[sextet] : UInt8(ascii: "=")
        length += 1
      }
    }
    return length
  }

  /// What a text encodes; nil if it encodes nothing. White space may stand between the digits, and padding may be missing.
  package static func decode(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    return append(decodingOf: text.utf8, to: &output) ? output : nil
  }

  /// Appends what `text` encodes, as above; false if it encodes nothing.
  package static func append(decodingOf text: some Sequence<UInt8>, to output: inout [UInt8]) -> Bool {
    var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text where !isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = values[Int(byte)] else { return false }
      bits = bits << 6 | UInt32(value)
      count += 1
      if !count.isMultiple(of: 4) { continue }
      for shift in [16, 8, 0] as [UInt32] { output.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    switch count % 4 {
    case 0: return padding == 0
    case 2: output.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3: for shift in [10, 2] as [UInt32] { output.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    default: return false
    }
    return padding == 0 || padding == 4 - count % 4
  }

  /// White space of XML.
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }
}

/// Base64 with padding, as the metadata spells digest and checksum.
package func base64(_ bytes: [UInt8]) -> String {
  String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
    text.baseAddress.map { start in bytes.withUnsafeBytes { Base64.write($0, to: start) } } ?? 0
  }
}

/// The bytes that base64 with padding stands for, and without anything between the digits; nil for other text.
package func decoded(base64 digits: ArraySlice<UInt8>) -> [UInt8]? {
  guard digits.count % 4 == 0, digits.allSatisfy({ $0 > 0x20 }) else { return nil }
  var output: [UInt8] = []
  output.reserveCapacity(digits.count / 4 * 3)
  return Base64.append(decodingOf: digits, to: &output) ? output : nil
}
