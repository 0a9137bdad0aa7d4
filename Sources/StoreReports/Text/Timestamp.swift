import StoreRepair

/// An ISO 8601 date and time in UTC from seconds since 2001-01-01, whole seconds; years beyond four digits are kept.
///
/// Not made by a formatter, because a store may hold any number, even infinite ones.
func timestamp(_ secondsSince2001: Double) -> String {
  guard secondsSince2001.isFinite, abs(secondsSince2001) < 1e14 else { return "not a date" }
  let seconds = Int64(secondsSince2001.rounded(.down)) + 978_307_200
  let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
  let time = seconds - days * 86400
  let (year, month, day) = CalendarDate.civilDate(daysSince1970: days)
  return "\(year)-\(two(month))-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
}

private func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
