/// Days and dates of the Gregorian calendar, which is also used for the years before it was introduced.
///
/// Both directions follow Howard Hinnant, "chrono-compatible low-level date algorithms"
/// (https://howardhinnant.github.io/date_algorithms.html): years start in March, so that leap days come last, and eras have
/// 400 years.
package enum GregorianCalendar {
  /// The Julian day at the beginning of 2001.
  package static let julianDay2001 = 2_451_910.5
  private static let daysFromMarch0To2001 = 730_791

  /// Days from 2001-01-01 to a date; a day beyond the end of its month is one of the next.
  ///
  /// - Parameter year: within some 10¹² years.
  package static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shifted.floorDivided(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysFromMarch0To2001
  }

  /// The date of a day.
  ///
  /// - Parameter days: days since 2001-01-01, within some 10¹⁵.
  package static func date(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = (days + daysFromMarch0To2001).floorDivided(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
  }

  /// Whether a month from 1 to 12 has that day.
  package static func hasDay(_ day: Int, year: Int, month: Int) -> Bool {
    date(daysSince2001: daysSince2001(year: year, month: month, day: day)) == (year, month, day)
  }
}

extension Int {
  /// The quotient rounded down, and what remains, which is never negative.
  package func floorDivided(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Seconds from 1970-01-01 to 2001-01-01 UTC: from the moment from which Unix counts to the one from which Core Data does.
package let secondsFrom1970To2001: Int64 = 978_307_200
