/// The words of an SQL statement, as far as a `CREATE TABLE` needs them: names, quoted names and symbols. Comments are
/// skipped.
struct SQLWords {
  /// One word.
  enum Word: Equatable {
    /// A name or keyword without quotes, or a number.
    case bare(String)
    /// A name or text in quotes, without them.
    case quoted(String)
    /// Any other character.
    case symbol(Character)

    /// The text of a word.
    var text: String {
      switch self {
      case .bare(let text), .quoted(let text): text
      case .symbol(let symbol): String(symbol)
      }
    }

    /// Whether it is that keyword.
    func isWord(_ keyword: String) -> Bool {
      if case .bare(let text) = self { return text.uppercased() == keyword }
      return false
    }
  }

  private var words: [Word] = []

  /// Whether one of these keywords stands anywhere in it.
  func hasKeyword(of keywords: Set<String>) -> Bool {
    words.contains { word in
      if case .bare(let text) = word { keywords.contains(text.uppercased()) } else { false }
    }
  }

  private var next = 0

  /// The most words that are read; the widest real table has some hundred columns.
  private static let limit = 1 << 18

  init(_ sql: String) {
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count, words.count < Self.limit { index = read(bytes, at: index) }
  }

  /// Reads one word; where the next begins.
  private mutating func read(_ bytes: [UInt8], at start: Int) -> Int {
    let byte = bytes[start]
    switch byte {
    case UInt8(ascii: " "), 9, 10, 12, 13: return start + 1
    case UInt8(ascii: "-") where start + 1 < bytes.count && bytes[start + 1] == byte:
      return (bytes[start...].firstIndex(of: 10) ?? bytes.count - 1) + 1
    case UInt8(ascii: "/") where start + 1 < bytes.count && bytes[start + 1] == UInt8(ascii: "*"):
      var end = start + 2
      while end + 1 < bytes.count, !(bytes[end] == UInt8(ascii: "*") && bytes[end + 1] == UInt8(ascii: "/")) {
        end += 1
      }
      return end + 2
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return quoted(bytes, from: start, until: byte)
    case UInt8(ascii: "["): return quoted(bytes, from: start, until: UInt8(ascii: "]"))
    default:
      var end = start
      while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
      guard end > start else {
        words.append(.symbol(Character(UnicodeScalar(byte))))
        return start + 1
      }
      words.append(.bare(String(decoding: bytes[start..<end], as: UTF8.self)))
      return end
    }
  }

  private mutating func quoted(_ bytes: [UInt8], from start: Int, until close: UInt8) -> Int {
    var text: [UInt8] = []
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == close {
        guard close != UInt8(ascii: "]"), index + 1 < bytes.count, bytes[index + 1] == close else { break }
        index += 1
      }
      text.append(bytes[index])
      index += 1
    }
    words.append(.quoted(String(decoding: text, as: UTF8.self)))
    return index + 1
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Takes the next word if it is that keyword.
  mutating func take(_ keyword: String) -> Bool {
    guard next < words.count, words[next].isWord(keyword) else { return false }
    next += 1
    return true
  }

  /// Takes the next word if it is that symbol.
  mutating func takeSymbol(_ symbol: Character) -> Bool {
    guard next < words.count, words[next] == .symbol(symbol) else { return false }
    next += 1
    return true
  }

  /// Takes the next word if it is a name.
  mutating func name() -> String? {
    guard next < words.count else { return nil }
    if case .symbol = words[next] { return nil }
    next += 1
    return words[next - 1].text
  }

  /// Takes the words up to the next comma or closing parenthesis that is not inside parentheses.
  mutating func item() -> [Word] {
    var item: [Word] = []
    var depth = 0
    while next < words.count {
      if depth == 0, words[next] == .symbol(",") || words[next] == .symbol(")") { return item }
      if words[next] == .symbol("(") { depth += 1 }
      if words[next] == .symbol(")") { depth -= 1 }
      item.append(words[next])
      next += 1
    }
    return item
  }

  /// The words that are left, in upper case.
  func rest() -> [String] { words[min(next, words.count)...].map { $0.text.uppercased() } }
}
