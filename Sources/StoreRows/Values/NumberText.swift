import StorePropertyLists

// Numbers and dates as digits, written without making a string for each: a million rows have a million dates.
extension OutputBytes {
  /// A whole number in decimal.
  func append(integer number: Int64) throws {
    try require(20)
    if number < 0 { try append(UInt8(ascii: "-")) }
    writeDigits(number.magnitude, atLeast: 1)
  }

  /// A number with the fewest digits that read back as the same one; infinities are left to the caller.
  func append(real number: Double) throws {
    // Most stored numbers have a few decimal places; those need no search for the shortest digits.
    var scale = 1.0
    for places in 0...4 {
      let scaled = number * scale
      guard abs(scaled) < 9e15 else { break }
      let whole = scaled.rounded()
      if whole / scale == number, whole != 0 || number.sign == .plus {
        try require(40)
        if whole < 0 { try append(UInt8(ascii: "-")) }
        let digits = UInt64(abs(whole))
        let divisor = UInt64(scale)
        writeDigits(digits / divisor, atLeast: 1)
        try append(UInt8(ascii: "."))
        return writeDigits(digits % divisor, atLeast: max(places, 1))
      }
      scale *= 10
    }
    try append(number.description)
  }

  /// A date as ISO 8601 in UTC, with its fraction to the last digit that tells it from its neighbours; nil where the
  /// number is none that a calendar of 10 digits of years has.
  func append(date seconds: Double) throws -> Bool {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return false }
    var whole = Int(seconds.rounded(.down))
    var fraction = DecimalFraction(of: seconds, above: Double(whole))
    if fraction.isWhole {
      whole += 1
      fraction = DecimalFraction()
    }
    let (days, time) = whole.floorDivided(by: 86_400)
    let (year, month, day) = GregorianCalendar.date(daysSince2001: days)
    try require(64)
    // Years beyond four digits carry a sign (ISO 8601, expanded representation).
    if year < 0 || year > 9_999 { try append(UInt8(ascii: year < 0 ? "-" : "+")) }
    writeDigits(UInt64(year.magnitude), atLeast: 4)
    writePart("-", number: month)
    writePart("-", number: day)
    writePart("T", number: time / 3_600)
    writePart(":", number: time / 60 % 60)
    writePart(":", number: time % 60)
    if fraction.places > 0 {
      buffer[count] = UInt8(ascii: ".")
      count += 1
      writeDigits(fraction.digits, atLeast: fraction.places)
    }
    buffer[count] = UInt8(ascii: "Z")
    count += 1
    return true
  }

  private func writePart(_ separator: Unicode.Scalar, number: Int) {
    buffer[count] = UInt8(truncatingIfNeeded: separator.value)
    buffer[count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
    buffer[count + 2] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    count += 3
  }

  /// Digits into room that was asked for.
  private func writeDigits(_ number: UInt64, atLeast places: Int) {
    var length = 1
    var bound: UInt64 = 10
    while length < 20, number >= bound {
      length += 1
      let (next, overflows) = bound.multipliedReportingOverflow(by: 10)
      if overflows { break }
      bound = next
    }
    length = max(length, places)
    var rest = number
    var position = count + length
    while position > count {
      position -= 1
      buffer[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  /// A UUID as Foundation spells it.
  func append(uuid bytes: UnsafeRawBufferPointer) throws {
    try require(36)
    for (position, byte) in bytes.prefix(16).enumerated() {
      if position == 4 || position == 6 || position == 8 || position == 10 {
        buffer[count] = UInt8(ascii: "-")
        count += 1
      }
      buffer[count] = Self.hexDigit(byte >> 4)
      buffer[count + 1] = Self.hexDigit(byte & 15)
      count += 2
    }
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
  }

  /// Base-64 with padding, whatever the length.
  func append(base64 bytes: UnsafeRawBufferPointer) throws {
    let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var start = 0
    while start < bytes.count {
      try require(4)
      let left = bytes.count - start
      let second = left > 1 ? UInt32(bytes[start + 1]) : 0
      let third = left > 2 ? UInt32(bytes[start + 2]) : 0
      let word = UInt32(bytes[start]) << 16 | second << 8 | third
      for position in 0..<4 {
        let sextet = Int(word >> (18 - 6 * UInt32(position)) & 63)
        buffer[count + position] = position <= left ? digits.utf8Start[sextet] : UInt8(ascii: "=")
      }
      count += 4
      start += 3
    }
  }
}

/// The digits after the point of a number.
private struct DecimalFraction {
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
