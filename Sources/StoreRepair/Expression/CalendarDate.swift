/// Dates of the Gregorian calendar in UTC. Computed here and not by a formatter, because a store may hold any number.
package enum CalendarDate {
  static let secondsFrom1970To2001 = 978_307_200.0
  /// The Julian day at the beginning of 2001.
  static let julianDay2001 = 2_451_910.5

  // MARK: Reading

  /// Seconds since 2001 for a date in ISO 8601: "2024-05-01" (midnight UTC), "2024-05-01T12:30:00.5Z",
  /// "2024-05-01T12:30+02:00". Nil for anything else; also for a time without zone, which is ambiguous.
  static func seconds(_ text: String) -> Double? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2), take(&rest, "-"),
      let day = number(&rest, 2), year >= 1, (1...12).contains(month), (1...length(ofMonth: month, year)).contains(day)
    else { return nil }
    let midnight = Double(days(year, month, day)) * 86400 - secondsFrom1970To2001
    if rest.isEmpty { return midnight }
    guard take(&rest, "T") || take(&rest, " "), let time = time(&rest), let offset = zone(&rest), rest.isEmpty else {
      return nil
    }
    return midnight + time - offset
  }

  private static func time(_ rest: inout ArraySlice<UInt8>) -> Double? {
    guard let hour = number(&rest, 2), take(&rest, ":"), let minute = number(&rest, 2), hour < 24, minute < 60 else {
      return nil
    }
    var seconds = Double(hour * 3600 + minute * 60)
    guard take(&rest, ":") else { return seconds }
    guard let second = number(&rest, 2), second < 60 else { return nil }
    seconds += Double(second)
    guard take(&rest, ".") else { return seconds }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...9).contains(digits.count), let fraction = Double("0." + String(decoding: digits, as: UTF8.self)) else {
      return nil
    }
    rest = rest.dropFirst(digits.count)
    return seconds + fraction
  }

  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Double? {
    if take(&rest, "Z") { return 0 }
    let isEast = take(&rest, "+")
    guard isEast || take(&rest, "-"), let hours = number(&rest, 2), hours < 24 else { return nil }
    _ = take(&rest, ":")
    guard let minutes = number(&rest, 2), minutes < 60 else { return nil }
    return Double(hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int64? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }

  // MARK: Writing

  /// ISO 8601 in UTC, with milliseconds where there is a fraction; nil beyond some million years.
  static func text(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return nil }
    let milliseconds = Int64((seconds * 1000).rounded(.down)) + 978_307_200_000
    let (whole, fraction) = floored(milliseconds, 1000)
    let (day, time) = floored(whole, 86400)
    let (year, month, dayOfMonth) = civilDate(daysSince1970: day)
    let fractionText = fraction == 0 ? "" : "." + String(String(1000 + fraction).dropFirst())
    return "\(fourDigits(year))-\(two(month))-\(two(dayOfMonth))T\(two(time / 3600)):\(two(time / 60 % 60))"
      + ":\(two(time % 60))\(fractionText)Z"
  }

  private static func floored(_ number: Int64, _ unit: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: unit)
    return remainder < 0 ? (quotient - 1, remainder + unit) : (quotient, remainder)
  }

  private static func fourDigits(_ year: Int64) -> String {
    (0...999).contains(year) ? String(String(10_000 + year).dropFirst()) : String(year)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }

  // MARK: Days

  /// The Gregorian date of a day, by the usual era arithmetic: years start in March, so that leap days come last.
  ///
  /// - Parameter day: within some 10¹² of 1970.
  package static func civilDate(daysSince1970 day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Days since 1970 of a date with a year from 1 to 9999.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = floored(shiftedYear, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    case _: 31
    }
  }
}
