import StorePropertyLists

/// An ISO 8601 date and time in UTC from seconds since 2001-01-01, whole seconds; years beyond four digits are kept.
///
/// Not made by a formatter, because a store may hold any number, even infinite ones.
func timestamp(_ secondsSince2001: Double) -> String {
  guard secondsSince2001.isFinite, abs(secondsSince2001) < 1e14 else { return "not a date" }
  let (days, time) = Int(secondsSince2001.rounded(.down)).floorDivided(by: 86400)
  let (year, month, day) = GregorianCalendar.date(daysSince2001: days)
  return "\(year)-\(two(month))-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z"
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

/// An ISO 8601 date and time in UTC from nanoseconds since 1970-01-01.
func timestamp(nanoseconds: Int64) -> String {
  let (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
  let (whole, rest) = fraction < 0 ? (seconds - 1, fraction + 1_000_000_000) : (seconds, fraction)
  let digits = String(rest)
  let text = timestamp(Double(whole - secondsFrom1970To2001))
  return text.dropLast() + "." + String(repeating: "0", count: 9 - digits.count) + digits + "Z"
}

/// Seconds from 1970-01-01 to 2001-01-01 UTC.
let secondsFrom1970To2001: Int64 = 978_307_200
