import StoreText

/// Dates as text: `2014-02-28 13:30:00 +0100`, the form in which property lists and Cocoa print a date.
///
/// Words such as "today" stand for another day whenever they are read, and are no date here.
enum XcodeDate {
  /// Seconds since 2001-01-01 00:00:00 UTC; nil for any other text, also for other spellings of a date.
  static func seconds(_ text: String) -> Double? {
    let signs = text.utf8.filter { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard text.utf8.count == 25, signs.elementsEqual("-- :: +".utf8) || signs.elementsEqual("-- :: -".utf8) else {
      return nil
    }
    return DateReading.seconds(text)
  }
}
