/// The digits after the point of a number.
struct DecimalFraction {
  var digits: UInt64 = 0
  /// How many digits, zeros at the front included; 0 for a whole number.
  var places = 0
  /// Whether the fraction rounds to 1, which happens with numbers so large that no digit of it is left.
  var isWhole = false

  init() {}

  /// The fraction of `number` above the whole number below it: the fewest digits that read back as `number`.
  init(of number: Double, above whole: Double) {
    self.init()
    guard number != whole else { return }
    guard abs(number) >= 1 else {
      self = Self(reading: number.magnitude.description, isBelowZero: number < 0)
      return
    }
    // Exact: both numbers have the same last place.
    let fraction = number - whole
    // A decimal nearer than half a last place reads back as the number; a little less leaves room for this arithmetic.
    let reach = 0.49 * number.ulp
    var scale = 10.0
    for places in 1...15 {
      let digits = (fraction * scale).rounded()
      if abs(digits / scale - fraction) < reach {
        (self.digits, self.places, isWhole) = (UInt64(digits), places, digits == scale)
        return
      }
      scale *= 10
    }
    self = Self(reading: number.magnitude.description, isBelowZero: number < 0)
  }

  /// The fraction from the shortest digits; for a number below zero what is missing to the whole number above.
  private init(reading text: String, isBelowZero: Bool) {
    self.init()
    var exponent = 0
    var mantissa = Substring(text)
    if let mark = text.firstIndex(of: "e") {
      exponent = Int(text[text.index(after: mark)...]) ?? 0
      mantissa = text[..<mark]
    }
    let parts = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    var fraction = parts.count > 1 ? String(parts[1]) : ""
    if exponent < 0 { fraction = String(repeating: "0", count: min(-exponent, 30) - 1) + parts[0] + fraction }
    if exponent > 0 { fraction = String(fraction.dropFirst(exponent)) }
    // 19 digits are more than a number beyond 1 has; of a smaller one those after the nineteenth are rounded away.
    fraction = String(fraction.prefix(19))
    while fraction.hasSuffix("0") { fraction.removeLast() }
    guard let digits = UInt64(fraction), digits > 0 else { return }
    places = fraction.utf8.count
    self.digits = digits
    guard isBelowZero else { return }
    var bound: UInt64 = 1
    for _ in 0..<places { bound = bound &* 10 }
    self.digits = bound &- digits
    // A fraction too small for the digits that are kept.
    if self.digits >= bound { (self.digits, isWhole) = (0, true) }
  }
}
