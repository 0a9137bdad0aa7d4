/// A percentage kept exactly as written, without rounding.
package struct Percentage: Sendable, Equatable, CustomStringConvertible {
  /// In millionths of a percent.
  private var millionths: Int64
  /// The text without the sign.
  package var text: String

  /// Reads "99.9%" or "99.9": 0 to 100 with at most six digits after the point.
  package init?(_ words: String) {
    let text = words.hasSuffix("%") ? String(words.dropLast()) : words
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy {
      !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
    guard areDigits, 1...2 ~= parts.count, parts[0].count <= 3, parts.count == 1 || parts[1].count <= 6 else {
      return nil
    }
    let fraction = parts.count == 2 ? parts[1] + String(repeating: "0", count: 6 - parts[1].count) : "000000"
    guard let millionths = Int64(parts[0] + fraction), millionths <= 100_000_000 else { return nil }
    self.millionths = millionths
    self.text = text
  }

  /// The text with the sign.
  package var description: String { text + "%" }

  /// Whether `part` of `whole` is at least this share; false if `whole` is 0.
  package func isReached(by part: Int64, of whole: Int64) -> Bool {
    guard whole > 0 else { return false }
    let left = part.multipliedFullWidth(by: 100_000_000)
    let right = whole.multipliedFullWidth(by: millionths)
    return left.high == right.high ? left.low >= right.low : left.high > right.high
  }
}
