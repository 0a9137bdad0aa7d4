/// Dates as text in ISO 8601, as a person writes them in an expression or a predicate.
package enum ISODate {
  /// Seconds since 2001 for a date in ISO 8601: "2024-05-01" (midnight UTC), "2024-05-01T12:30:00.5Z",
  /// "2024-05-01T12:30+02:00". Nil for anything else; also for a time without zone, which is ambiguous.
  package static func seconds(_ text: String) -> Double? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), take(&rest, "-"), let month = number(&rest, 2), take(&rest, "-"),
      let day = number(&rest, 2), year >= 1, (1...12).contains(month),
      GregorianCalendar.hasDay(day, year: year, month: month)
    else { return nil }
    let midnight = Double(GregorianCalendar.daysSince2001(year: year, month: month, day: day)) * 86400
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

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func take(_ rest: inout ArraySlice<UInt8>, _ sign: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: sign) else { return false }
    rest = rest.dropFirst()
    return true
  }
}
