/// Base64 of RFC 4648, with white space between the digits and the padding optional.
package enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let values: [UInt8?] = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// The bytes that a text encodes; nil if it encodes nothing.
  package static func decode(_ text: String) -> [UInt8]? {
    var output: [UInt8] = []
    return append(decodingOf: text.utf8, to: &output) ? output : nil
  }

  /// Appends what `text` encodes; false if it encodes nothing.
  static func append(decodingOf text: some Sequence<UInt8>, to output: inout [UInt8]) -> Bool {
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text where !byte.isXMLSpace {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = values[Int(byte)] else { return false }
      bits = bits << 6 | UInt32(value)
      count += 1
      if !count.isMultiple(of: 4) { continue }
      output.appendBigEndian(UInt64(bits), size: 3)
    }
    switch count % 4 {
    case 0: return padding == 0
    case 2: output.appendBigEndian(UInt64(bits >> 4), size: 1)
    case 3: output.appendBigEndian(UInt64(bits >> 2), size: 2)
    default: return false
    }
    return padding == 0 || padding == 4 - count % 4
  }

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 3 * 4 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      let text = [18, 12, 6, 0].map { digits[Int(bits >> UInt32($0) & 0x3f)] }
      output += text.prefix(group.count + 1)
      output += repeatElement(UInt8(ascii: "="), count: 3 - group.count)
    }
    return output
  }
}
