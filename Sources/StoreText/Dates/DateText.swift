/// Dates as text: ISO 8601 in UTC, `2024-05-01T12:30:00Z`.
///
/// Years from 0 to 9999 have four digits, others a sign and at least four: `-0005-01-01T00:00:00Z`,
/// `+10031-12-12T06:40:00Z` (the standard's expanded representation). The year before 1 is 0. All dates that storedoctor
/// prints are written here, and all that it is given are read by ``DateReading``.
///
/// Computed and not made by a formatter, because a store may hold any number.
package enum DateText {
  /// How much of a second is written.
  package enum Fraction: Sendable {
    /// Whole seconds, rounded down.
    case none
    /// Milliseconds where there are some, rounded down.
    case milliseconds
    /// Up to the last digit that tells the number from its neighbours.
    case whole
  }

  /// The most bytes of a date.
  package static let maximumLength = 64

  /// The date of seconds since 2001-01-01 UTC; nil for what is no number, and beyond some million years.
  package static func text(secondsSince2001 seconds: Double, fraction: Fraction = .none) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return nil }
    return withText { text in
      switch fraction {
      case .whole: return write(secondsSince2001: seconds, to: &text)
      case .none: text.append(Int(seconds.rounded(.down)))
      case .milliseconds:
        let (whole, thousandths) = Int((seconds * 1000).rounded(.down)).floorDivided(by: 1000)
        text.append(whole)
        if thousandths > 0 { text.append(fraction: UInt64(thousandths), places: 3) }
      }
      text.append("Z")
      return true
    }
  }

  /// The day of seconds since 2001-01-01 UTC, `2024-05-01`; nil as above.
  package static func day(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return nil }
    return withText { text in
      text.append(day: Int(seconds.rounded(.down)).floorDivided(by: 86_400).quotient)
      return true
    }
  }

  /// The date of seconds since 1970 and a part of one, which is written with that many digits, before `zone`. Beyond some
  /// 300 million years the nearest date that can be written is taken.
  package static func text(
    secondsSince1970 seconds: Int, fraction: UInt64 = 0, places: Int = 0, zone: StaticString = "Z"
  ) -> String {
    withText { text in
      text.append(min(max(seconds, -limit), limit) - Int(secondsFrom1970To2001))
      if places > 0 { text.append(fraction: fraction, places: places) }
      zone.withUTF8Buffer { for byte in $0 { text.append(Unicode.Scalar(byte)) } }
      return true
    } ?? ""
  }

  /// The date of nanoseconds since 1970-01-01, with all nine digits.
  package static func text(nanosecondsSince1970 nanoseconds: Int64) -> String {
    let (seconds, fraction) = Int(nanoseconds).floorDivided(by: 1_000_000_000)
    return text(secondsSince1970: seconds, fraction: UInt64(fraction), places: 9)
  }

  private static let limit = 10_000_000_000_000_000

  /// The date without separators, as names of files have it: `20240501T123000Z`.
  package static func compact(secondsSince1970 seconds: Int) -> String {
    text(secondsSince1970: seconds).filter { $0 != "-" && $0 != ":" }
  }

  /// Writes a date with its whole fraction; the number of bytes, 0 beyond what ten digits of years reach.
  ///
  /// - Parameter memory: has room for ``maximumLength`` bytes.
  package static func write(secondsSince2001 seconds: Double, to memory: UnsafeMutablePointer<UInt8>) -> Int {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return 0 }
    var text = DateDigits(memory)
    _ = write(secondsSince2001: seconds, to: &text)
    return text.count
  }

  private static func write(secondsSince2001 seconds: Double, to text: inout DateDigits) -> Bool {
    var whole = Int(seconds.rounded(.down))
    var fraction = DecimalFraction(of: seconds, above: Double(whole))
    if fraction.isWhole {
      whole += 1
      fraction = DecimalFraction()
    }
    text.append(whole)
    if fraction.places > 0 { text.append(fraction: fraction.digits, places: fraction.places) }
    text.append("Z")
    return true
  }

  private static func withText(_ body: (inout DateDigits) -> Bool) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { memory in
      guard let start = memory.baseAddress else { return nil }
      var text = DateDigits(start)
      guard body(&text) else { return nil }
      return String(decoding: UnsafeBufferPointer(start: start, count: text.count), as: UTF8.self)
    }
  }
}

/// The digits of a date, written without making a string for each: a million rows have a million dates.
private struct DateDigits {
  private let memory: UnsafeMutablePointer<UInt8>
  private(set) var count = 0

  init(_ memory: UnsafeMutablePointer<UInt8>) { self.memory = memory }

  /// Day and time, to the second.
  mutating func append(_ secondsSince2001: Int) {
    let (days, time) = secondsSince2001.floorDivided(by: 86_400)
    append(day: days)
    append(part: time / 3_600, behind: "T")
    append(part: time / 60 % 60, behind: ":")
    append(part: time % 60, behind: ":")
  }

  mutating func append(day: Int) {
    let (year, month, day) = GregorianCalendar.date(daysSince2001: day)
    if !(0...9_999).contains(year) { append(year < 0 ? "-" : "+") }
    append(digits: UInt64(year.magnitude), atLeast: 4)
    append(part: month, behind: "-")
    append(part: day, behind: "-")
  }

  mutating func append(fraction: UInt64, places: Int) {
    append(".")
    append(digits: fraction, atLeast: places)
  }

  mutating func append(_ sign: Unicode.Scalar) {
    memory[count] = UInt8(truncatingIfNeeded: sign.value)
    count += 1
  }

  private mutating func append(part number: Int, behind separator: Unicode.Scalar) {
    append(separator)
    append(digits: UInt64(number), atLeast: 2)
  }

  private mutating func append(digits number: UInt64, atLeast places: Int) {
    count += writeDigits(number, atLeast: places, to: memory + count)
  }
}

/// Writes a whole number in decimal, with zeros before it up to `places`; the number of bytes, 20 at most without these.
@inlinable
public func writeDigits(_ number: UInt64, atLeast places: Int, to memory: UnsafeMutablePointer<UInt8>) -> Int {
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
  var position = length
  while position > 0 {
    position -= 1
    memory[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
    rest /= 10
  }
  return length
}
