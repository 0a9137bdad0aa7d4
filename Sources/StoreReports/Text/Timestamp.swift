/// An ISO 8601 date and time in UTC from seconds since 2001-01-01, whole seconds; years beyond four digits are kept.
///
/// Written here rather than with a formatter because a store may hold any number, infinite ones included.
func timestamp(_ secondsSince2001: Double) -> String {
  guard secondsSince2001.isFinite, abs(secondsSince2001) < 1e14 else { return "not a date" }
  let seconds = Int64(secondsSince2001.rounded(.down)) + 978_307_200
  let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
  let time = seconds - days * 86400
  let (year, month, day) = civilDate(daysSince1970: days)
  return "\(year)-\(two(month))-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
}

/// The Gregorian date of a day, by the usual era arithmetic: years begin in March so that leap days come last.
private func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = daysSince1970 + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
