@testable import StoreText
import TestSupport
import Testing

/// Text is searched by bytes, so that what is escaped is escaped whatever follows it.
@Suite struct TextSearchTests {
  @Test(
    arguments: [
      ("it's", "'", "''", "it''s"), ("'\u{301}", "'", "''", "''\u{301}"), ("a\r\nb", "\n", "_", "a\r_b"),
      ("aaa", "aa", "b", "ba"), ("", "a", "b", ""), ("aba", "", "x", "aba"), ("aba", "aba", "", ""),
      ("e\u{301}", "\u{e9}", "x", "e\u{301}"),
    ])
  func replaces(_ text: String, _ words: String, _ replacement: String, _ expected: String) {
    #expect(Array(text.replacing(words, with: replacement).utf8) == Array(expected.utf8))
  }

  @Test func finds() {
    #expect("|\u{301}".contains("|") && "x".contains("") && !"".contains("x"))
    #expect("ab\u{301}c"[...].firstRange(of: "\u{301}").map { "ab\u{301}c"[$0.upperBound...] } == "c")
    #expect("abc".firstRange(of: "") == nil)
  }

  @Test func splits() {
    #expect("a; b;; c; ".split(by: "; ") == ["a", "b;", "c"])
    #expect("k: v: w".split(by: ": ", most: 2) == ["k", "v: w"] && "k: ".split(by: ": ", most: 2) == ["k"])
    #expect("abc".split(by: "") == ["abc"] && "".split(by: ",").isEmpty)
  }

  /// The first place, against comparing at every place.
  @Test func findsTheFirstPlace() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
      let words = (0..<Int.random(in: 1...6, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
      let expected = text.indices.first { text[$0...].starts(with: words) }
      #expect(text.firstRange(ofBytes: words)?.lowerBound == expected, "\(words) in \(text)")
    }
  }
}
