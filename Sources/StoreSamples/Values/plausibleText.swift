import StoreText

/// A text as an app might have it, by the attribute's name.
func plausibleText(_ name: String, number: Int, random: inout SampleRandom) -> String {
  let lower = name.lowercased()
  func names(_ parts: String...) -> Bool { parts.contains { lower.contains($0) } }
  if names("email") { return "person\(number + 1)@example.com" }
  if names("url", "link") { return "https://example.com/\(number + 1)" }
  if names("phone") { return "+1 555 01\(number % 90 + 10)" }
  if names("color", "colour") { return "#\(hexadecimal(random.bytes(3)))" }
  if names("uuid", "guid") || lower == "id" || lower.hasSuffix("identifier") { return UUIDText.text(random.uuid()) }
  if names("body", "content", "description", "comment", "summary") || lower == "text" || lower == "notes" {
    return sentences(4 + random.below(30), random: &random) + " (\(number + 1))"
  }
  return "\(spaced(name)) \(number + 1)"
}

/// "firstName" as "First name".
private func spaced(_ name: String) -> String {
  var words = ""
  for character in name {
    if character.isUppercase, let last = words.last, last.isLowercase { words += " " }
    words += words.isEmpty ? character.uppercased() : character.lowercased()
  }
  return words
}

private func sentences(_ count: Int, random: inout SampleRandom) -> String {
  var text = ""
  for position in 0..<count {
    let word = sampleWords[random.below(sampleWords.count)]
    let begins = position % 9 == 0
    if position > 0 { text += begins ? ". " : " " }
    text += begins ? word.capitalizedFirst : word
  }
  return text + "."
}

private let sampleWords = [
  "milk", "letter", "train", "garden", "blue", "before", "noon", "with", "green", "coffee", "and", "the", "old",
  "bridge",
  "seven", "under", "paper", "light", "slowly", "finds", "keeps", "sends", "winter", "road", "music", "small", "again",
]

/// A long text of words, exactly `count` UTF-16 units long.
func longText(_ count: Int) -> String {
  let words = "lorem ipsum dolor sit amet "
  return String((String(repeating: words, count: max(count, 0) / 27 + 1)).prefix(max(count, 0)))
}

/// The text with a length, in UTF-16 units, within bounds; `number` stays part of it, so that texts stay different.
func fitted(_ text: String, to lengths: ClosedRange<Int>, number: Int) -> String {
  let length = text.utf16.count
  if length < lengths.lowerBound { return text + longText(min(lengths.lowerBound, 1_000_000) - length) }
  guard length > lengths.upperBound else { return text }
  let digits = String(number, radix: 36)
  guard digits.utf8.count < lengths.upperBound else { return String(digits.suffix(lengths.upperBound)) }
  var head = ""
  for character in text {
    guard head.utf16.count + character.utf16.count + digits.utf8.count <= lengths.upperBound else { break }
    head.append(character)
  }
  return head + digits
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
