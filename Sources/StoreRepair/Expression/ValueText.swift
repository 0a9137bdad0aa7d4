import StoreScanning

/// A decimal number in a text: "-12.50", "1e3".
struct DecimalText {
  private let text: String
  private let isWhole: Bool

  /// Nil for anything else, such as "0x10", "inf" and "1,5". White space at the ends is ignored.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 1_000, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(text)
  }

  /// The same for a string.
  init?(_ text: String) {
    let trimmed = text.trimmed
    var rest = trimmed.utf8[...]
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let digits = Self.dropDigits(&rest)
    isWhole = rest.isEmpty
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.dropDigits(&rest)
    }
    guard digits + fraction > 0, digits + fraction <= 400 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard (1...5).contains(Self.dropDigits(&rest)) else { return nil }
    }
    guard rest.isEmpty else { return nil }
    self.text = trimmed
  }

  /// The number, if it has neither fraction nor exponent and fits.
  var integer: Int64? { isWhole ? Int64(text) : nil }

  /// The number, if it is finite.
  var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  private static func dropDigits(_ rest: inout Substring.UTF8View) -> Int {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count
  }
}

/// A UUID as text: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F".
enum UUIDText {
  /// 16 bytes; nil for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let utf8 = Array(text.utf8)
    guard utf8.count == 36, [8, 13, 18, 23].allSatisfy({ utf8[$0] == UInt8(ascii: "-") }) else { return nil }
    let digits = utf8.filter { $0 != UInt8(ascii: "-") }.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 32 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// In capitals, as Apple's UUID type writes it.
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
