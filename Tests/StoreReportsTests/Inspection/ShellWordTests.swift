@testable import StoreReports
import Testing

/// What is printed to be pasted into a shell.
@Suite struct ShellWordTests {
  /// A quote with a combining accent ends a word of a shell all the same.
  @Test(
    arguments: [
      ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("x'\u{301}; rm y", "'x'\\''\u{301}; rm y'"),
      ("plain.sqlite", "plain.sqlite"),
    ])
  func quotesEveryQuote(_ word: String, _ expected: String) {
    #expect(Array(shellQuoted(word).utf8) == Array(expected.utf8))
  }
}
