import StorePropertyLists

/// A moment as text, and as Timesketch counts it.
struct Moment {
  var microsecondsSince1970: Int64

  /// "2024-03-03T15:58:09.123456+00:00".
  var microseconds: String { seconds.dropLast() + "." + fraction(6) + "+00:00" }
  /// "2024-03-03T15:58:09.123Z".
  var milliseconds: String { seconds.dropLast() + "." + fraction(6).prefix(3) + "Z" }

  private var parts: (Int, Int) { Int(microsecondsSince1970).floorDivided(by: 1_000_000) }
  private var seconds: String {
    let text = timestamp(Double(parts.0 - Int(secondsFrom1970To2001)))
    // Four digits for the year.
    return String(repeating: "0", count: max(0, 20 - text.utf8.count)) + text
  }

  private func fraction(_ digits: Int) -> String {
    let text = String(parts.1)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}

/// The moment of a number of seconds since 2001; nil outside of the years 1 to 9999.
func datetime(_ seconds: Double?) -> Moment? {
  guard let seconds, seconds.isFinite, seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return nil }
  return Moment(microsecondsSince1970: Int64((seconds * 1_000_000).rounded()) + secondsFrom1970To2001 * 1_000_000)
}
