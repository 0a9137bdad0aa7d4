/// Parses dates in the format of property lists and Cocoa: `2014-02-28 13:30:00 +0100`.
///
/// Words such as "today" are not accepted, because they mean another day whenever they are read.
enum XcodeDate {
  /// Seconds since 2001-01-01 00:00:00 UTC; nil for any other text.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, let day = numbers(parts[0], "-", [4, 2, 2]), let time = numbers(parts[1], ":", [2, 2, 2]),
      let zone = zone(parts[2]), (1...12).contains(day[1]), (1...days(in: day[1], of: day[0])).contains(day[2]),
      time[0] < 24, time[1] < 60, time[2] < 60
    else { return nil }
    return Double(daysSince2001(day[0], day[1], day[2]) * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2] - zone)
  }

  /// Numbers in groups of fixed lengths.
  private static func numbers(_ text: Substring, _ separator: Character, _ lengths: [Int]) -> [Int]? {
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == lengths else { return nil }
    let numbers = groups.compactMap { group in
      group.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(group) : nil
    }
    return numbers.count == lengths.count ? numbers : nil
  }

  /// "+0100" in seconds.
  private static func zone(_ text: Substring) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-", let digits = numbers(text.dropFirst(), "-", [4]),
      digits[0] / 100 < 24, digits[0] % 100 < 60
    else { return nil }
    let seconds = digits[0] / 100 * 3_600 + digits[0] % 100 * 60
    return sign == "-" ? -seconds : seconds
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// In the Gregorian calendar, also for earlier years.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Day 0 is the first day of the year 0, which is 730,851 days before 2001.
    let before = year - 1
    let ofYears = year * 365 + (year == 0 ? 0 : before / 4 - before / 100 + before / 400 + 1)
    return ofYears + (1..<month).reduce(0) { $0 + days(in: $1, of: year) } + day - 1 - 730_851
  }
}
