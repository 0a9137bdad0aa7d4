/// UUIDs as text: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F".
package enum UUIDText {
  /// 16 bytes from 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12; nil for other text.
  ///
  /// - Parameter mayLackHyphens: whether 32 digits alone are one too.
  package static func bytes(_ text: String, mayLackHyphens: Bool = false) -> [UInt8]? {
    let utf8 = Array(text.utf8)
    let isGrouped = utf8.count == 36 && [8, 13, 18, 23].allSatisfy { utf8[$0] == UInt8(ascii: "-") }
    guard isGrouped || mayLackHyphens && utf8.count == 32 else { return nil }
    let digits = utf8.compactMap(value)
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// In capitals, as Apple's UUID type writes it.
  package static func text(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { text($0) } }

  /// The same of bytes in memory.
  package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { memory in
      guard let start = memory.baseAddress else { return "" }
      let count = write(bytes, to: start)
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// Writes the first 16 bytes; the number of bytes written, 36 or, of fewer than 16, less.
  package static func write(_ bytes: UnsafeRawBufferPointer, to memory: UnsafeMutablePointer<UInt8>) -> Int {
    var count = 0
    for (position, byte) in bytes.prefix(16).enumerated() {
      if position == 4 || position == 6 || position == 8 || position == 10 {
        memory[count] = UInt8(ascii: "-")
        count += 1
      }
      memory[count] = digit(byte >> 4)
      memory[count + 1] = digit(byte & 15)
      count += 2
    }
    return count
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
