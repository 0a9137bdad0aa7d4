import StoreText

/// How long a column of a picture of times is. All are counted from 2001-01-01 UTC.
package enum TimeSpan: Int, CaseIterable, Sendable {
  case minute, hour, day, week, month, quarter, year, decade, century, millennium

  /// The span that shows the most and has no more columns with an event than asked for: days where these are more than two,
  /// since people think in days; a part of them where all is on one day or two.
  static func finest(for times: [Double], most: Int) -> TimeSpan {
    func columns(_ span: TimeSpan) -> Int {
      var numbers: Set<Int> = []
      for time in times {
        numbers.insert(span.number(of: time))
        if numbers.count > most { break }
      }
      return numbers.count
    }
    if columns(.day) <= 2 { return [.minute, .hour].first { columns($0) <= most } ?? .day }
    return allCases.first { $0.rawValue >= TimeSpan.day.rawValue && columns($0) <= most } ?? .millennium
  }

  /// Which span a moment lies in.
  ///
  /// - Parameter time: seconds since 2001-01-01 UTC, of a year from 1 to 9999.
  func number(of time: Double) -> Int {
    let seconds = Int(time.rounded(.down))
    let day = seconds.floorDivided(by: 86_400).quotient
    switch self {
    case .minute: return seconds.floorDivided(by: 60).quotient
    case .hour: return seconds.floorDivided(by: 3_600).quotient
    case .day: return day
    // 2001-01-01 was a Monday.
    case .week: return day.floorDivided(by: 7).quotient
    case .month, .quarter, .year, .decade, .century, .millennium:
      let date = GregorianCalendar.date(daysSince2001: day)
      return (date.year * 12 + date.month - 1).floorDivided(by: months).quotient
    }
  }

  /// "2024-03-03", "2024-03-03 14:00", "week of 2024-03-04", "2024".
  func title(_ number: Int) -> String {
    switch self {
    case .minute: return minute(number * 60)
    case .hour: return minute(number * 3_600)
    case .day: return day(number)
    case .week: return "week of " + day(number * 7)
    case .month: return String(day(firstDay(number)).prefix(7))
    case .quarter: return String(day(firstDay(number)).prefix(4)) + " Q\(number.floorDivided(by: 4).remainder + 1)"
    case .year: return String(day(firstDay(number)).prefix(4))
    case .decade, .century, .millennium: return String(day(firstDay(number)).prefix(4)) + "s"
    }
  }

  /// "day".
  var word: String { "\(self)" }

  private var months: Int {
    switch self {
    case .minute, .hour, .day, .week, .month: 1
    case .quarter: 3
    case .year: 12
    case .decade: 120
    case .century: 1_200
    case .millennium: 12_000
    }
  }

  private func firstDay(_ number: Int) -> Int {
    let (year, month) = (number * months).floorDivided(by: 12)
    return GregorianCalendar.daysSince2001(year: year, month: month + 1, day: 1)
  }

  private func day(_ number: Int) -> String { String(minute(number * 86_400).prefix(10)) }

  /// "2024-03-03 14:07".
  private func minute(_ seconds: Int) -> String {
    String(DateText.text(secondsSince2001: Double(seconds))?.prefix(16).replacing("T", with: " ") ?? "?")
  }
}
