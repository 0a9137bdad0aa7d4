/// A point in time as XML lists write it, such as `2001-01-01T00:00:00Z`, to the second.
struct CalendarDate {
  var secondsSince2001: Int

  /// Reads `[-]YYYY-MM-DDThh:mm:ssZ`, years of four to nine digits.
  init?(_ text: Substring) {
    let isBeforeZero = text.hasPrefix("-")
    let parts = text.dropFirst(isBeforeZero ? 1 : 0).utf8.split(omittingEmptySubsequences: false) { !$0.isDigit }
    let separators = text.dropFirst(isBeforeZero ? 1 : 0).utf8.filter { !$0.isDigit }
    let numbers = parts.dropLast().compactMap { Int(Substring($0)) }
    guard separators.elementsEqual("--T::Z".utf8), numbers.count == 6, parts.last?.isEmpty == true,
      (4...9).contains(parts[0].count), parts[1..<6].allSatisfy({ $0.count == 2 }),
      (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60
    else { return nil }
    let year = isBeforeZero ? -numbers[0] : numbers[0]
    // The 31st of February would be the 3rd of March.
    guard GregorianCalendar.hasDay(numbers[2], year: year, month: numbers[1]) else { return nil }
    let days = GregorianCalendar.daysSince2001(year: year, month: numbers[1], day: numbers[2])
    secondsSince2001 = days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5]
  }

  /// The second that `seconds` is in. Beyond about 300 million years either way the nearest one that can be written
  /// is taken, and 2001 for what is not a number.
  init(secondsSince2001 seconds: Double) {
    let limit = 1e16
    secondsSince2001 = seconds.isNaN ? 0 : Int(min(max(seconds, -limit), limit).rounded(.down))
  }

  var text: String {
    let (days, second) = secondsSince2001.floorDivided(by: 86_400)
    let (year, month, day) = GregorianCalendar.date(daysSince2001: days)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return "\(year < 0 ? "-" : "")\(abs(year).padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))T\(time)Z"
  }
}

extension Int {
  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
