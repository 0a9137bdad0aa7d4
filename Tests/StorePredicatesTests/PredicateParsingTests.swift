import Foundation
import StorePredicates
import TestSupport
import Testing

@Suite struct PredicateParsingTests {
  private let note = Object(
    key: 3,
    [
      "title": .text("it's"), "count": .integer(7), "size": .real(0.5), "price": .decimal("12.50"),
      "isDone": .boolean(true), "createdAt": .date(794_016_000), "link": .uri("https://example.org/a"),
      "identifier": .uuid(Array(0..<16)), "address.city": .text("Köln"), "order": .integer(-2),
    ],
    toOnes: [
      "folder": Object(
        key: 8, ["name": .text("Work")], toOnes: ["parent": Object(key: 9, ["name": .text("All")])],
        toManys: ["notes": [Object(), Object()]])
    ],
    toManys: [
      "tags": [
        Object(key: 20, ["name": .text("red"), "weight": .integer(2)]),
        Object(key: 21, ["name": .text("blue"), "weight": .integer(5)]),
      ]
    ])

  @Test(arguments: [
    "count == 7", "count = 7", "7 == count", "count == 0x7", "count == 7.0", "count == 0.7e1", "count != 8",
    "count <> 8", "count < 8", "count <= 7", "count =< 7", "count > 6", "count >= 7", "count => 7",
    "count BETWEEN {7, 9}", "count between {6.5, 7.5}", "count IN {1, 7}", "NOT count IN {}", "-2 == order",
    "size == .5", "price == 12.5", "price > 12.49", "price < 1e2", "price BETWEEN {12.5, 12.5}",
    "isDone == TRUE", "isDone = yes", "isDone == 1", "isDone != FALSE", "count == 7 AND isDone == YES",
    "title == 'it\\'s'", "title == \"it's\"", "title == \"it\\u0027s\"", "title ==[c] 'IT\\'S'", "'it' < title",
    "title BEGINSWITH 'it'", "title endswith[c] 'S'", "title CONTAINS \"'\"", "title LIKE 'i*'", "title MATCHES 'i.+'",
    "address.city == 'Köln'", "address.city CONTAINS[cd] 'KOL'", "#order == -2", "order < 0",
    "createdAt == '2026-03-01'", "createdAt == '2026-03-01T01:00+01:00'", "createdAt < '2026-03-01T00:00:00.5Z'",
    "createdAt == CAST(794016000, 'NSDate')", "createdAt == CAST('2026-03-01', \"NSDate\")",
    "identifier == '00010203-0405-0607-0809-0A0B0C0D0E0F'", "identifier == '000102030405060708090a0b0c0d0e0f'",
    "link BEGINSWITH 'https:'", "link == 'https://example.org/a'",
    "SELF == 3", "self IN {3, 8}", "objectID == 3", "folder == 8", "folder.parent == 9", "folder != NULL",
    "folder.name == 'Work'", "folder.parent.name == 'All'", "SELF.folder.name == 'Work'", "folder.parent.parent = nil",
    "folder.notes.@count == 2", "tags.@count > 1", "tags.@sum.weight == 7", "tags.@min.weight == 2",
    "tags.@max.weight == 5", "tags.@avg.weight == 3.5", "tags.@max.name == 'red'",
    "ANY tags.name == 'red'", "SOME tags.weight > 4", "ALL tags.weight > 1", "NONE tags.name == 'green'",
    "ANY tags == 21", "ANY tags.name CONTAINS[c] 'BLU'", "ANY tags.name IN {'red'}", "tags.name CONTAINS 'red'",
    "'red' IN tags.name", "title IN {'a', title}", "'RED' IN[c] tags.name", "21 IN tags",
    "TRUEPREDICATE", "NOT FALSEPREDICATE", "!(count == 8)", "count == 7 && !isDone == NO || FALSEPREDICATE",
    "count == 8 AND FALSEPREDICATE OR count == 7", "NOT count == 8 AND count == 7", "((count) == 7)",
    "  count\n==\t7  ", "1 == 1", "'a' != 'b'", "NULL == NULL", "count == order OR count > order",
  ])
  func reads(_ text: String) throws {
    // A parenthesis holds a predicate, never an operand: the one form of Apple's that is written otherwise.
    guard text != "((count) == 7)" else {
      #expect(Notebook.mistake(text).contains("an operator is expected"))
      return
    }
    #expect(try Notebook.match(text, note) == .matches)
  }

  @Test(arguments: [
    ("", "1: the predicate is empty"),
    ("count", "6: an operator is expected, such as == or CONTAINS; write 'count == TRUE' or 'count != NULL'"),
    ("count ==", "9: a key path or a value is expected after this"),
    ("count == 1 count == 2", "12: AND, OR or the end is expected"),
    ("(count == 1", "1: this parenthesis is not closed"),
    ("count == 1)", "11: no parenthesis was opened before this one"),
    ("title == 'a", "10: this text has no closing '"),
    ("title == “a”", "10: texts stand in straight quotes, '…' or \"…\""),
    ("title IS NULL", "7: no operator 'IS'; write == NULL or != NULL"),
    ("title NOT IN {'a'}", "7: NOT stands before the whole comparison: NOT title IN {'a', 'b'}"),
    ("count IN (1, 2)", "10: a key path or a value is expected; a list stands in braces: IN {1, 2}"),
    ("count IN {1, 2", "10: this list is not closed with '}'"),
    ("count IN {{1}}", "11: a list holds values, not lists"),
    ("count & 1", "7: no predicate has a '&' here; AND is written AND or &&"),
    ("count == %@", "10: arguments such as %@ are not known here; write the value itself, texts in quotes"),
    ("count == $n", "10: variables are not known here; write the value itself"),
    ("count + 1 == 2", "7: arithmetic is not evaluated here; write the result"),
    ("count == 1 + 1", "12: arithmetic is not evaluated here; write the result"),
    ("createdAt > 2026-03-01", "13: a date stands in quotes: '2026-03-01'"),
    ("createdAt > 2026x", "13: a number ends with a letter; names begin with one, and texts and dates stand in quotes"),
    (
      "title ==[n] 'a'",
      "10: [n] says that texts are normalised already, which is not known of a store; leave it out, or use [cd]"
    ),
    ("title ==[l] 'a'", "10: [l] depends on the language set on a device, which is not known here; use [cd]"),
    ("title ==[x] 'a'", "10: no option 'x'; there are c (case) and d (diacritics)"),
    (
      "in == 1",
      "1: a key path or a value is expected; 'in' is a word of the language, a property of that name is written '#in'"
    ),
    ("title MATCHES '\\d'", "16: \\d is no escape; a backslash itself is written \\\\, also in patterns"),
    (
      "uppercase(title) == 'A'",
      "1: functions such as uppercase(…) are not evaluated here; compare key paths with values"
    ),
    (
      "SUBQUERY(tags, $t, $t.name == 'a').@count > 0",
      "1: SUBQUERY is not evaluated here; conditions on one to-many are written ANY path == value"
    ),
    ("FUNCTION(title, 'length') > 1", "1: FUNCTION is not evaluated here; compare key paths with values"),
    (
      "tags[0].name == 'a'",
      "5: a position in a relationship ([0], [FIRST], [SIZE]) is not evaluated here; use .@count"
    ),
    ("createdAt > CAST(1, 'NSNumber')", "21: only CAST(…, 'NSDate') is evaluated here"),
    ("count == 1e999", "10: the number is too large"),
    ("count == 0xFFFFFFFFFFFFFFFFF", "10: '0xFFFFFFFFFFFFFFFFF' is no number of 64 bits"),
  ])
  func saysWhereATextIsNoPredicate(_ text: String, _ mistake: String) {
    #expect(Notebook.mistake(text) == mistake)
  }

  /// What `docs/predicates.md` shows can be written.
  @Test func readsTheFormsOfThePage() throws {
    let page = try String(contentsOfFile: Project.path("docs/predicates.md"), encoding: .utf8)
    let forms = try #require(page.split(separator: "## ").first { $0.hasPrefix("Forms") })
    let spans = forms.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    let examples = spans.filter { $0.offset % 2 == 1 && $0.element.count { $0 == " " } > 1 }.map { String($0.element) }
    #expect(examples.count > 20)
    for example in examples { #expect(throws: Never.self, "\(example)") { try FetchPredicate(parsing: example) } }
  }

  @Test func pointsAtThePlace() throws {
    let error = try #require(throws: FetchPredicateError.self) { try Notebook.resolved("count == 1 AND titel == 'a'") }
    #expect(error.description == "column 16 of the predicate: no property 'titel' of Note; did you mean 'title'?")
    #expect(error.excerpt == "count == 1 AND titel == 'a'\n               ^")
  }

  @Test func cutsALongLineAroundThePlace() throws {
    let text =
      String(repeating: "count == 1 AND ", count: 10) + "titel == 'a'" + String(repeating: " OR count == 1", count: 9)
    let lines = try #require(throws: FetchPredicateError.self) { try Notebook.resolved(text) }.excerpt?.split(
      separator: "\n")
    #expect(lines?[0] == "… == 1 AND count == 1 AND count == 1 AND titel == 'a' OR count == 1 OR …")
    #expect(lines?[1].count == 42)
  }

  @Test func hasLimits() {
    let deep = String(repeating: "(", count: 101) + "count == 1" + String(repeating: ")", count: 101)
    #expect(Notebook.mistake(deep) == "101: more than 100 levels of parentheses and NOT")
    #expect(
      Notebook.mistake(String(repeating: "!", count: 60_000)) == "101: more than 100 levels of parentheses and NOT")
    #expect(Notebook.mistake(String(repeating: " ", count: 65_537)) == "the predicate has 65537 bytes, more than 65536")
    let long = "count IN {\(String(repeating: "1,", count: 10_000))1}"
    #expect(Notebook.mistake(long) == "20011: more than 10000 values in a list")
    let steps = "folder" + String(repeating: ".parent", count: 16) + ".name == 'a'"
    #expect(Notebook.mistake(steps).hasSuffix("more than 16 relationships in a key path"))
  }
}
