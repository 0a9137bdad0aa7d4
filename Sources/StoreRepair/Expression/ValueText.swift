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
