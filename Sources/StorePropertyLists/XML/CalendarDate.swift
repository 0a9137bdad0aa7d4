import StoreText

/// A point in time as XML lists write it, such as `2001-01-01T00:00:00Z`, to the second.
struct CalendarDate {
  var secondsSince2001: Int

  /// Reads `[-]YYYY-MM-DDThh:mm:ssZ`, years of four to nine digits.
  init?(_ text: Substring) {
    // Of the spellings of dates the one with "T", seconds and "Z".
    guard text.utf8.last == UInt8(ascii: "Z"), text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 2,
      !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }),
      let date = DateReading(String(text), allowsLeapSecond: true), date.hasZone
    else { return nil }
    secondsSince2001 = Int(date.seconds)
  }

  /// The second that `seconds` is in. Beyond about 300 million years either way the nearest one that can be written
  /// is taken, and 2001 for what is not a number.
  init(secondsSince2001 seconds: Double) {
    let limit = 1e16
    secondsSince2001 = seconds.isNaN ? 0 : Int(min(max(seconds, -limit), limit).rounded(.down))
  }

  /// Years of more than four digits have no sign here.
  var text: String {
    let text = DateText.text(secondsSince1970: secondsSince2001 + Int(secondsFrom1970To2001))
    return text.hasPrefix("+") ? String(text.dropFirst()) : text
  }
}
