import StorePropertyLists

/// Dates of the Gregorian calendar in UTC. Computed here and not by a formatter, because a store may hold any number.
enum CalendarDate {
  static let secondsFrom1970To2001 = 978_307_200.0
  /// The Julian day at the beginning of 2001.
  static let julianDay2001 = 2_451_910.5

  /// ISO 8601 in UTC, with milliseconds where there is a fraction; nil beyond some million years.
  static func text(secondsSince2001 seconds: Double) -> String? {
    guard seconds.isFinite, abs(seconds) < 1e14 else { return nil }
    let milliseconds = Int((seconds * 1000).rounded(.down))
    let (whole, fraction) = milliseconds.floorDivided(by: 1000)
    let (days, time) = whole.floorDivided(by: 86400)
    let (year, month, dayOfMonth) = GregorianCalendar.date(daysSince2001: days)
    let fractionText = fraction == 0 ? "" : "." + String(String(1000 + fraction).dropFirst())
    return "\(fourDigits(year))-\(two(month))-\(two(dayOfMonth))T\(two(time / 3600)):\(two(time / 60 % 60))"
      + ":\(two(time % 60))\(fractionText)Z"
  }

  private static func fourDigits(_ year: Int) -> String {
    (0...999).contains(year) ? String(String(10_000 + year).dropFirst()) : String(year)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
