import Foundation
@testable import StoreText
import TestSupport
import Testing

/// Patterns match whole texts as `SELF MATCHES` does, or are refused.
@Suite struct PatternTests {
  @Test(
    arguments: [
      ("abc", ["abc"], ["ab", "abcd", "", "ABC"]),
      ("", [""], ["a"]),
      ("a|bc|", ["a", "bc", ""], ["b", "abc"]),
      ("(ab)+c?", ["ab", "ababc"], ["", "aba", "abcc"]),
      ("(?:a|b){2,3}", ["ab", "bab"], ["a", "abab"]),
      ("x{3}", ["xxx"], ["xx", "xxxx"]),
      ("x{2,}", ["xx", "xxxxx"], ["x"]),
      ("a*?b+?", ["b", "aabb"], ["a"]),
      ("[a-cx-]+", ["abc-x"], ["d", ""]),
      ("[^a-c]", ["d", "ä", "\n"], ["a", "dd"]),
      ("[\\d.]+", ["1.5", "٣"], ["1,5"]),
      ("\\w+@\\w+\\.de", ["käse_1@host.de"], ["a b@c.de", "a@b.d"]),
      ("\\s\\S", [" a", "\u{2003}b"], ["ab"]),
      (".", ["a", "😀"], ["\n", "\r", "\u{2028}", ""]),
      ("^a$", ["a"], ["ba", "ab"]),
      ("a$\\n", ["a\n"], ["a"]),
      ("\\Aa\\z", ["a"], ["a\n"]),
      ("(a|b^)c", ["ac"], ["bc"]),
      ("\\p{Lu}\\p{L}*", ["Äbc"], ["äbc", "A1"]),
      ("\\P{L}", ["1"], ["a"]),
      ("(?i)straße[a-c]", ["STRAßEB", "straßea"], ["strased"]),
      ("\\u0041\\x42\\x{1F600}\\t", ["AB😀\t"], ["AB"]),
      ("\\.\\*\\\\\\[", [".*\\["], ["a"]),
      ("(?<year>\\d{4})", ["2024"], ["24"]),
      ("(a*)*b", ["aab", "b"], ["aa"]),
      ("[]", nil, nil), ("a**b", nil, nil),
      // What SD507 refused before it had one engine with MATCHES
      ("a{1000}", [String(repeating: "a", count: 1000)], ["a"]), ("\\bword", ["word"], ["words"]),
      ("^\\b[A-Z]{3}\\b$", ["ABC", "ABC"], ["AB", "ABCD", "abc"]), ("[[:alpha:]]", ["a"], ["1"]),
      ("[a-c&&b]", ["b"], ["a", "&"]), ("\\Qa.\\E", ["a."], ["ab"]), ("(?s)a.", ["a\n"], ["a"]), ("^*", [""], ["^"]),
      // Where both engines differed from ICU
      ("a\\z\\n", [], ["a\n"]), ("a$\\r\\n", ["a\r\n"], ["a\n"]), ("(?i)σ", ["ς", "Σ"], ["s"]),
      ("(?i)\\P{Lu}", ["1"], ["a", "A"]),
    ] as [(String, [String]?, [String]?)])
  func matchesTheWholeText(_ pattern: String, _ matching: [String]?, _ others: [String]?) throws {
    guard let matching, let others else {
      #expect(throws: PatternError.self) { try TextPattern(pattern) }
      return
    }
    let parsed = try TextPattern(pattern)
    for text in matching { #expect(matches(parsed, text) == true, "\(pattern) \(text.debugDescription)") }
    for text in others { #expect(matches(parsed, text) == false, "\(pattern) \(text.debugDescription)") }
  }

  @Test(arguments: [
    "(a", "a)", "*a", "a++", "a{", "a{2,1}", "a{,2}", "\\1", "(a)\\1", "(?=a)", "(?<!a)b", "[b-a]", "\\p{Greek}", "\\",
    "[a", "\\x{110000}", "\\uD800", "(?>a)", "\\b*", "(?<a>b)(?<a>c)", "(?)a", "(?x)a", "[a--]", "[a-\\d]",
    "a{1000000}", "((((a{99}){99}){99}){99}){99}", "(((((){999}){999}){999}){999}){999}",
    String(repeating: "(", count: 100_000),
  ])
  func refusesWhatItCannotDo(_ pattern: String) {
    #expect(throws: PatternError.self) { try TextPattern(pattern) }
  }

  @Test func ignoresCaseWhenAsked() throws {
    #expect(matches(try TextPattern("käse", options: .caseInsensitive), "KÄSE") == true)
    #expect(matches(try TextPattern("[^k]", options: .caseInsensitive), "K") == false)
  }

  /// A backtracking engine would take minutes for this; the number of steps here grows only with the text's length.
  @Test func takesTimeThatGrowsWithTheText() throws {
    let pattern = try TextPattern("(a+)+b")
    var work = 1_000_000
    #expect(matches(pattern, String(repeating: "a", count: 50_000), &work) == false)
    #expect(work > 500_000)
  }

  @Test func givesUpWhenTheWorkIsUsedUp() throws {
    var work = 100
    #expect(matches(try TextPattern("a*b"), String(repeating: "a", count: 1000), &work) == nil)
  }

  /// Small patterns over two letters, compared with Foundation's engine.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func agreesWithFoundation(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = randomPattern(depth: 4, &random)
    let ours = try TextPattern(text)
    let theirs = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
    for candidate in ["", "a", "b", "ab", "ba", "aa", "bb", "aab", "aba", "abb", "bab", "baba", "aabb", "\n", "a\n"] {
      let range = NSRange(location: 0, length: candidate.utf16.count)
      let expected = theirs.firstMatch(in: candidate, range: range) != nil
      #expect(matches(ours, candidate) == expected, "seed \(seed): \(text) and \(candidate.debugDescription)")
    }
  }

  private func randomPattern(depth: Int, _ random: inout SeededGenerator) -> String {
    let atoms = ["a", "b", ".", "[ab]", "[^a]", "\\w"]
    guard depth > 0 else { return atoms.randomElement(using: &random) ?? "a" }
    func part() -> String { randomPattern(depth: depth - 1, &random) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return part() + part()
    case 1: return "(\(part())|\(part()))"
    case 2: return "(?:\(part()))" + (["*", "+", "?", "{2}", "{1,2}"].randomElement(using: &random) ?? "*")
    case 3: return "(\(part()))?" + part()
    default: return part()
    }
  }

  private func matches(_ pattern: TextPattern, _ text: String) -> Bool? {
    var work = Int.max
    return matches(pattern, text, &work)
  }

  private func matches(_ pattern: TextPattern, _ text: String, _ work: inout Int) -> Bool? {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { pattern.matches(TextBytes(bytes: $0), work: &work) }
  }
}
