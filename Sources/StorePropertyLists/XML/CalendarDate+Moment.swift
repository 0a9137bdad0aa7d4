/// Seconds since 2001-01-01 UTC of a day or a moment as a person writes it: "2024-03-01", "2024-03-01T12:00:00Z", the latter
/// with or without fraction and "Z"; nil for other text.
///
/// - Parameter isEnd: whether a day stands for its last moment and not its first.
package func secondsSince2001(_ text: String, isEnd: Bool) -> Double? {
  if !text.contains("T") {
    guard let date = CalendarDate(Substring("\(text)T00:00:00Z")) else { return nil }
    return Double(date.secondsSince2001) + (isEnd ? 86_400.0.nextDown : 0)
  }
  let words = text.hasSuffix("Z") ? text.dropLast() : text[...]
  let parts = words.split(separator: ".", omittingEmptySubsequences: false)
  guard parts.count <= 2, let date = CalendarDate(parts[0] + "Z") else { return nil }
  guard parts.count == 2 else { return Double(date.secondsSince2001) + (isEnd ? 1.0.nextDown : 0) }
  guard parts[1].utf8.count <= 9, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
    let fraction = Double("0.\(parts[1])")
  else { return nil }
  return Double(date.secondsSince2001) + fraction
}
