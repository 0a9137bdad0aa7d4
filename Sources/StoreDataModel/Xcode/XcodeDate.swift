import StorePropertyLists

/// Dates as text: `2014-02-28 13:30:00 +0100`, the form in which property lists and Cocoa print a date.
///
/// Words such as "today" stand for another day whenever they are read, and are no date here.
enum XcodeDate {
  /// Seconds since 2001-01-01 00:00:00 UTC; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let day = numbers(in: parts[0], separator: "-", lengths: [4, 2, 2]),
      let time = numbers(in: parts[1], separator: ":", lengths: [2, 2, 2]),
      let zone = zone(parts[2]), (1...12).contains(day[1]),
      GregorianCalendar.hasDay(day[2], year: day[0], month: day[1]),
      time[0] < 24, time[1] < 60, time[2] < 60
    else { return nil }
    let days = GregorianCalendar.daysSince2001(year: day[0], month: day[1], day: day[2])
    return Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2] - zone)
  }

  /// Digits in groups of fixed lengths.
  private static func numbers(in text: Substring, separator: Character, lengths: [Int]) -> [Int]? {
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == lengths else { return nil }
    let numbers = groups.compactMap { group in
      group.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(group) : nil
    }
    return numbers.count == lengths.count ? numbers : nil
  }

  /// "+0100" in seconds.
  private static func zone(_ text: Substring) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-",
      let digits = numbers(in: text.dropFirst(), separator: "-", lengths: [4]),
      digits[0] / 100 < 24, digits[0] % 100 < 60
    else { return nil }
    let seconds = digits[0] / 100 * 3_600 + digits[0] % 100 * 60
    return sign == "-" ? -seconds : seconds
  }
}
