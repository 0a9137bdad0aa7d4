import StoreText

/// A moment as text, and as Timesketch counts it.
struct Moment {
  var microsecondsSince1970: Int64

  /// "2024-03-03T15:58:09.123456+00:00".
  var microseconds: String {
    DateText.text(secondsSince1970: parts.0, fraction: UInt64(parts.1), places: 6, zone: "+00:00")
  }
  /// "2024-03-03T15:58:09.123Z".
  var milliseconds: String { DateText.text(secondsSince1970: parts.0, fraction: UInt64(parts.1 / 1_000), places: 3) }

  private var parts: (Int, Int) { Int(microsecondsSince1970).floorDivided(by: 1_000_000) }
}

/// The moment of a number of seconds since 2001; nil outside of the years 1 to 9999.
func datetime(_ seconds: Double?) -> Moment? {
  guard let seconds, seconds.isFinite, seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return nil }
  return Moment(microsecondsSince1970: Int64((seconds * 1_000_000).rounded()) + secondsFrom1970To2001 * 1_000_000)
}
