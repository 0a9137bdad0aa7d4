import StorePredicates
import Testing

@Suite struct PredicateTextTests {
  @Test(arguments: [
    // Case
    ("Straße", "title == 'straße'", false), ("Straße", "title ==[c] 'straße'", true),
    ("Straße", "title ==[c] 'STRASSE'", true), ("STRASSE", "title CONTAINS[c] 'aß'", true),
    ("ΟΔΟΣ", "title ==[c] 'οδος'", true), ("ΟΔΟΣ", "title ENDSWITH[c] 'ς'", true),
    ("\u{212A}", "title ==[c] 'k'", true),
    ("ı", "title ==[c] 'I'", false), ("Éa", "title ==[c] 'éA'", true), ("Éa", "title ==[c] 'ea'", false),
    // Diacritics
    ("Crème", "title ==[d] 'Creme'", true), ("Crème", "title ==[d] 'creme'", false),
    ("Crème", "title ==[cd] 'CREME'", true),
    ("Creme", "title ==[cd] 'crème'", true), ("naïve café", "title CONTAINS[cd] 'VE CAFE'", true),
    ("Ťažký", "title BEGINSWITH[cd] 'taz'", true), ("Ťažký", "title ENDSWITH[d] 'zky'", true),
    ("Ærø", "title ==[cd] 'aero'", false), ("łódź", "title ==[cd] 'łodz'", true),
    ("łódź", "title ==[cd] 'lodz'", false),
    ("Ǖ", "title ==[cd] 'u'", true), ("Й", "title ==[cd] 'и'", true), ("が", "title ==[d] 'か'", true),
    ("한글", "title CONTAINS[d] '한'", true), ("हिन्दी", "title ==[d] 'हिन्दी'", true),
    // One letter in two ways of writing it
    ("e\u{301}", "title == '\u{E9}'", false), ("e\u{301}", "title ==[c] '\u{E9}'", true),
    ("e\u{301}", "title CONTAINS[c] 'e'", false),
    ("\u{E9}", "title CONTAINS[c] 'e'", false), ("e\u{301}", "title CONTAINS 'e'", true),
    ("e\u{301}e", "title CONTAINS[c] 'E'", true),
    ("\u{E9}x", "title BEGINSWITH[c] 'E'", false), ("\u{E9}", "title LIKE '?'", true),
    ("e\u{301}", "title LIKE '?'", false),
    ("e\u{301}", "title LIKE[d] '?'", true),
    // Order, by bytes or folded
    ("b", "title > 'B'", true), ("b", "title <=[c] 'B'", true), ("é", "title > 'z'", true),
    ("é", "title <[d] 'z'", true),
    ("\u{FFFD}", "title < '\u{1F600}'", true), ("a", "title < 'aa'", true), ("b", "title BETWEEN {'a', 'c'}", true),
    // Lists and empty texts
    ("Rot", "title IN[c] {'blau', 'ROT'}", true), ("Rot", "title IN {'blau', 'ROT'}", false),
    ("e\u{301}", "title IN {'\u{E9}', 'b'}", false), ("\u{E9}", "title IN {'\u{E9}', 'b'}", true),
    ("", "title == ''", true), ("", "title == NULL", false), ("a", "title CONTAINS ''", true),
    ("", "title LIKE '*'", true),
    ("", "title MATCHES ''", true), ("", "title LIKE '?'", false),
    // Wildcards
    ("report.txt", "title LIKE '*.txt'", true), ("report.TXT", "title LIKE '*.txt'", false),
    ("report.TXT", "title LIKE[c] '*.t?t'", true),
    ("a*b", "title LIKE 'a\\\\*b'", true), ("axb", "title LIKE 'a\\\\*b'", false),
    ("axbxc", "title LIKE 'a*b*c'", true),
    ("mississippi", "title LIKE 'm*iss*ip*i'", true), ("50%", "title LIKE '50%'", true),
    ("ab", "title LIKE 'a'", false),
    ("Café", "title LIKE[cd] 'c?FE'", true),
  ])
  func comparesTexts(_ value: String, _ text: String, _ matches: Bool) throws {
    #expect(try Notebook.match(text, Object(["title": .text(value)])) == (matches ? .matches : .differs))
  }

  @Test func comparesTwoAttributes() throws {
    let note = Object(["title": .text("Crème brûlée"), "body": .text("BRULEE")])
    #expect(try Notebook.match("title CONTAINS[cd] body", note) == .matches)
    #expect(try Notebook.match("title CONTAINS[c] body", note) == .differs)
    #expect(try Notebook.match("title >[cd] body", note) == .matches)
    #expect(try Notebook.match("body IN[c] {'brulee'}", note) == .matches)
  }

  @Test(arguments: [
    ("abc", "abc", true), ("abcd", "abc", false), ("abc", "a.c", true), ("a\nc", "a.c", false),
    ("a\nc", "(?s)a.c", true),
    ("aaab", "a*b", true), ("b", "a+b", false), ("ab", "a?b", true), ("aa", "a{2}", true), ("aaa", "a{2}", false),
    ("aaaa", "a{2,}", true), ("aaaa", "a{2,3}", false), ("cat", "cat|dog", true), ("cado", "ca(t|do)", true),
    ("abab", "(?:ab)+", true), ("abab", "(?<x>ab)+", true), ("2026-03-01", "\\d{4}-\\d\\d-\\d\\d", true),
    ("a_1", "\\w+", true), ("a b", "\\S+", false), ("a b", "\\S+\\s\\S+", true), ("x", "[a-w]", false),
    ("x", "[^a-w]", true), ("]", "[]]", true), ("-", "[a-]", true), (".", "\\.", true), ("a", "\\.", false),
    ("É", "\\p{Lu}", true), ("é", "\\P{Lu}", true), ("é", "(?i)É", true), ("K", "(?i)[a-z]", true),
    ("a.b", "\\Qa.b\\E", true),
    ("aXb", "\\Qa.b\\E", false), ("abc", "^abc$", true), ("a b", "a\\b b", true), ("ab", "a\\bb", false),
    ("ab", "a\\Bb", true), ("aé", "a\\u00e9", true), ("a", "\\x61", true), ("a", "\\x{61}", true), ("", "(a*)*", true),
    ("aaaa", "(a|aa)+", true), ("ab", "a.*?b", true), ("😀", ".", true), ("a", "[[a]]", true), ("a", "[a&&b]", false),
    (String(repeating: "a", count: 501), "a{501}", true), ("a@b.de", "[\\w.]+@[\\w.]+\\.\\w{2,}", true),
  ])
  func matchesExpressions(_ value: String, _ pattern: String, _ matches: Bool) throws {
    let text = "title MATCHES '\(pattern.replacing("\\", with: "\\\\"))'"
    #expect(try Notebook.match(text, Object(["title": .text(value)])) == (matches ? .matches : .differs))
  }

  @Test(arguments: [
    "(?=a)", "(?!a)", "(?<=a)", "(?<!a)", "(?>a)", "(a)\\1", "a*+", "a**", "*a", "(", ")", "[a", "[z-a]", "a{3,2}",
    "(a{400}){400}", "((((){500}){500}){500}){500}", "\\p{Klingon}", "[a--]", "a\\", "\\c", "(?x)a", "(?<x>a)(?<x>b)",
    "a{", "(?i", "\\u12", "\\x{110000}",
  ])
  func refusesExpressions(_ pattern: String) {
    let text = "title MATCHES '\(pattern.replacing("\\", with: "\\\\"))'"
    #expect(Notebook.mistake(text).hasPrefix("15: MATCHES: "), "\(Notebook.mistake(text))")
  }

  @Test(.timeLimit(.minutes(10)))
  func takesTimeInProportionToTheText() throws {
    let text = String(repeating: "a", count: 20_000)
    for predicate in [
      "title MATCHES '(a+)+b'", "title MATCHES '(a|a|aa)*b'", "title LIKE '*a*a*a*a*a*b'",
      "title CONTAINS '\(String(repeating: "a", count: 5_000))b'",
      "title CONTAINS[cd] '\(String(repeating: "a", count: 5_000))b'",
    ] {
      #expect(try Notebook.match(predicate, Object(["title": .text(text)])) == .differs)
    }
  }
}
