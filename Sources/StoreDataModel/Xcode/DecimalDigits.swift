/// A number in decimal notation: "-12.50", "7", "1e3".
///
/// It is never rounded, because a decimal attribute holds more digits than a binary number.
struct DecimalDigits {
  private let isNegative: Bool
  /// Significant digits, without leading and trailing zeros; empty for zero.
  private let digits: Substring.UTF8View
  /// The power of ten of the last significant digit.
  private let exponent: Int

  /// Nil for any other text: "0x10", "inf", "1,5".
  init?(_ text: String) {
    guard text.utf8.count <= 400 else { return nil }
    var rest = text.utf8[...]
    isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = Self.take(&rest)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.take(&rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var power = 0
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      guard let stated = Int(String(Substring(rest.dropFirst()))), abs(stated) <= 400 else { return nil }
      power = stated
      rest = rest.suffix(0)
    }
    guard rest.isEmpty else { return nil }
    let all = String(Substring(whole)) + String(Substring(fraction))
    let leading = all.utf8.prefix { $0 == UInt8(ascii: "0") }.count
    let trailing = all.utf8.count == leading ? 0 : all.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    digits = Substring(all).utf8.dropFirst(leading).dropLast(trailing)
    exponent = power - fraction.count + trailing
  }

  /// Whether a decimal attribute can hold it: up to 38 digits, and an exponent of eight bits.
  var fitsDecimal: Bool { digits.count <= 38 && (digits.isEmpty || (-128...127).contains(exponent)) }

  /// The number without exponent and without unnecessary zeros: "-12.5", "0", "1000".
  var shortest: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let all = String(Substring(digits))
    if exponent >= 0 { return sign + all + String(repeating: "0", count: exponent) }
    let places = -exponent
    guard places < all.utf8.count else {
      return sign + "0." + String(repeating: "0", count: places - all.utf8.count) + all
    }
    return sign + all.dropLast(places) + "." + all.suffix(places)
  }

  private static func take(_ rest: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
