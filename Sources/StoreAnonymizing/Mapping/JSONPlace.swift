/// Where in JSON a text is that is read in pieces: which of its letters are the format's own.
struct JSONPlace {
  /// Whether it is taken for JSON at all.
  var isJSON: Bool
  private var isInText = false
  /// How many letters of an escape are in the next piece.
  private var escaped = 0

  init(isJSON: Bool) { self.isJSON = isJSON }

  private static let words = ["true", "false", "null"].map { $0.unicodeScalars.map(\.value) }
  private static let beginnings = words.compactMap(\.first)
  private static let quote: UInt32 = 0x22
  private static let backslash: UInt32 = 0x5c

  /// Places that stay: the words true, false and null, exponents, and escapes; goes on behind them.
  ///
  /// - Parameter besidesTexts: whether everything outside of texts counts.
  mutating func fixed(in letters: [UInt32], besidesTexts: Bool = false) -> [Int: UInt32] {
    guard isJSON else { return [:] }
    var fixed: [Int: UInt32] = [:]
    var place = 0
    func keep(_ count: Int) {
      for kept in place..<min(place + count, letters.count) { fixed[kept] = letters[kept] }
    }
    keep(escaped)
    place = min(escaped, letters.count)
    escaped -= place
    while place < letters.count {
      let letter = letters[place]
      if letter == Self.quote {
        isInText.toggle()
      } else if isInText {
        if letter == Self.backslash {
          let length = place + 1 < letters.count && letters[place + 1] == 0x75 ? 6 : 2
          keep(length)
          escaped = max(place + length - letters.count, 0)
          place += length
          continue
        }
      } else if besidesTexts {
        fixed[place] = letter
      } else if Self.beginnings.contains(letter),
        let word = Self.words.first(where: { letters[place...].starts(with: $0) })
      {
        keep(word.count)
        place += word.count
        continue
      } else if letter == 0x65, place > 0, (0x30...0x39).contains(letters[place - 1]) {
        fixed[place] = letter
      }
      place += 1
    }
    return fixed
  }
}
