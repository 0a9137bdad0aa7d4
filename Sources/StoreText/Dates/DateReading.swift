/// A day or a moment as a person or a program writes it.
///
/// | spelling | |
/// | --- | --- |
/// | `2024-05-01` | a day |
/// | `2024-05-01T12:30`, `2024-05-01 12:30:00` | a minute, a second; UTC where no zone is given |
/// | `2024-05-01T12:30:00.25` | one to nine digits of a second |
/// | `…Z`, `…+02:00`, `…+0200`, `… -0330` | with its zone |
/// | `0001-…`, `0000-…`, `-0005-…`, `+10031-…`, `10031-…` | years of four to nine digits, with or without sign |
package struct DateReading {
  /// Seconds from 2001-01-01 UTC to its beginning.
  package var seconds: Double
  /// How long it is: 86,400 of a day, 60 of a minute, 1 of a second, 0 of a moment with a fraction.
  package var length: Double
  /// Whether a zone is given.
  package var hasZone = false

  /// Its last moment.
  package var end: Double { length > 0 ? seconds + length.nextDown : seconds }

  /// Seconds since 2001 of a date in one of these spellings, the beginning of a day, minute or second; nil for other text.
  package static func seconds(_ text: String) -> Double? { DateReading(text)?.seconds }

  /// Nil for other text.
  ///
  /// - Parameter allowsLeapSecond: whether a minute may have a second 60.
  package init?(_ text: String, allowsLeapSecond: Bool = false) {
    var rest = DateCursor(text)
    guard let days = rest.day() else { return nil }
    self.init(seconds: Double(days) * 86_400, length: 86_400)
    if rest.isAtEnd { return }
    guard rest.take("T") || rest.take(" "), let (time, length) = rest.time(allowsLeapSecond: allowsLeapSecond) else {
      return nil
    }
    self.length = length
    seconds += time
    if rest.isAtEnd { return }
    guard let offset = rest.zone(), rest.isAtEnd else { return nil }
    hasZone = true
    seconds -= offset
  }

  private init(seconds: Double, length: Double) {
    self.seconds = seconds
    self.length = length
  }
}

/// What is left of the text of a date.
private struct DateCursor {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8.prefix(80))[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Digits, of which there have to be as many as the range says.
  private mutating func number(_ counts: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(counts.upperBound)
    guard digits.count >= counts.lowerBound else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// A part of two digits below a bound.
  private mutating func part(below bound: Int) -> Int? { number(2...2).flatMap { $0 < bound ? $0 : nil } }

  /// Days since 2001.
  mutating func day() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let digits = number(4...9), take("-"), let month = part(below: 13), month > 0, take("-"),
      let day = part(below: 32), day > 0
    else { return nil }
    let year = isNegative ? -digits : digits
    // The 31st of February would be the 3rd of March.
    guard GregorianCalendar.hasDay(day, year: year, month: month) else { return nil }
    return GregorianCalendar.daysSince2001(year: year, month: month, day: day)
  }

  /// Seconds since midnight, and how long the minute, second or moment is.
  mutating func time(allowsLeapSecond: Bool) -> (Double, length: Double)? {
    guard let hour = part(below: 24), take(":"), let minute = part(below: 60) else { return nil }
    let seconds = Double(hour * 3_600 + minute * 60)
    guard take(":") else { return (seconds, 60) }
    guard let second = part(below: allowsLeapSecond ? 61 : 60) else { return nil }
    guard take(".") else { return (seconds + Double(second), 1) }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count), let fraction = Double("0." + String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    rest = rest.dropFirst(digits.count)
    return (seconds + Double(second) + fraction, 0)
  }

  /// Seconds east of UTC.
  mutating func zone() -> Double? {
    _ = take(" ")
    if take("Z") { return 0 }
    let isEast = take("+")
    guard isEast || take("-"), let hours = part(below: 24) else { return nil }
    _ = take(":")
    guard let minutes = part(below: 60) else { return nil }
    return Double(hours * 3_600 + minutes * 60) * (isEast ? 1 : -1)
  }
}
