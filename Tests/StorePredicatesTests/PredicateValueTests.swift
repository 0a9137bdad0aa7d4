import StorePredicates
import Testing

@Suite struct PredicateValueTests {
  /// NULL equals NULL, differs from every value, and is in no order and no list; NOT turns each of these round.
  @Test(arguments: [
    ("title == NULL", true), ("title != NULL", false), ("title == 'a'", false), ("title != 'a'", true),
    ("NOT title == 'a'", true), ("NOT title != 'a'", false), ("count < 1", false), ("NOT count < 1", true),
    ("count >= 1", false), ("count BETWEEN {0, 9}", false), ("count IN {1}", false), ("count IN {1, NULL}", true),
    ("NOT count IN {1}", true), ("title CONTAINS 'a'", false), ("NOT title CONTAINS 'a'", true),
    ("title CONTAINS ''", false), ("title LIKE '*'", false), ("title MATCHES '.*'", false), ("title ==[cd] NULL", true),
    ("title !=[cd] 'a'", true), ("title == body", true), ("title ==[c] body", true), ("title != body", false),
    ("folder == NULL", true), ("folder.name == NULL", true), ("folder.name != 'a'", true),
    ("folder.notes.@count == 0", false), ("folder.notes.@count == NULL", true), ("tags.@count == 0", true),
    ("ANY tags.name == NULL", false), ("ALL tags.name == 'a'", true), ("NONE tags.name == 'a'", true),
    ("ANY folder.notes.title == 'a'", false), ("ALL folder.notes.title == 'a'", true),
    ("tags.@sum.weight == 0", true), ("tags.@max.weight == NULL", true), ("tags.@avg.weight == NULL", true),
    ("data == NULL", true), ("isDone == FALSE", false), ("isDone != TRUE", true),
  ])
  func comparesNullLikeAPredicate(_ text: String, _ matches: Bool) throws {
    #expect(try Notebook.match(text, Object()) == (matches ? .matches : .differs))
  }

  @Test(arguments: [
    ("count == 1", Match.unknown), ("count != 1", .unknown), ("count == NULL", .unknown), ("NOT count == 1", .unknown),
    ("count == 1 AND title == 'b'", .differs), ("count == 1 OR title == 'a'", .matches),
    ("count == 1 AND title == 'a'", .unknown), ("count IN {1, 2}", .unknown), ("count BETWEEN {1, 2}", .unknown),
    ("ANY tags.name == 'red'", .matches), ("ANY tags.name == 'blue'", .unknown), ("ALL tags.name == 'red'", .unknown),
    ("ALL tags.name == 'blue'", .differs), ("NONE tags.name == 'red'", .differs), ("'blue' IN tags.name", .unknown),
    ("body CONTAINS 'a'", .unknown), ("body == 'a'", .unknown), ("body ==[c] 'a'", .unknown), ("body < 'a'", .unknown),
    ("tags.@max.name == 'red'", .unknown),
  ])
  func keepsWhatIsNotKnown(_ text: String, _ match: Match) throws {
    let note = Object(
      ["count": .unknown, "title": .text("a"), "body": .data([1])],
      toManys: ["tags": [Object(["name": .text("red")]), Object(["name": .unknown])]])
    #expect(try Notebook.match(text, note) == match)
  }

  @Test(arguments: [
    ("9007199254740993", "count == 9007199254740993", true), ("9007199254740993", "count == 9007199254740992.0", false),
    ("9223372036854775807", "count < 9223372036854775808", true), ("-9223372036854775808", "count > -1e300", true),
    ("7", "count > 6.999999999999999999999999", true), ("7", "count == 7.000", true),
  ])
  func comparesIntegersExactly(_ value: String, _ text: String, _ matches: Bool) throws {
    let note = Object(["count": .integer(try #require(Int64(value)))])
    #expect(try Notebook.match(text, note) == (matches ? .matches : .differs))
  }

  @Test(arguments: [
    ("0.1", "price == 0.10", true), ("0.1", "price == 1e-1", true), ("-0", "price == 0", true),
    ("00012.5", "price == 12.5", true),
    ("12345678901234567890123456789.01", "price > 12345678901234567890123456789", true),
    ("12345678901234567890123456789.01", "price < 12345678901234567890123456789.02", true),
    ("-2.5", "price < -2.49", true), ("-2.5", "price > -2.5000000000000000000001", true), ("99", "price < 100", true),
    ("0.001", "price < 0.01", true), ("1e3", "price == 1000", true), ("5", "price BETWEEN {4.99, 5}", true),
  ])
  func comparesDecimalsExactly(_ value: String, _ text: String, _ matches: Bool) throws {
    #expect(try Notebook.match(text, Object(["price": .decimal(value)])) == (matches ? .matches : .differs))
  }

  @Test func comparesADoubleWithTheNearestDouble() throws {
    #expect(try Notebook.match("size == 0.1", Object(["size": .real(0.1)])) == .matches)
    #expect(try Notebook.match("size == 0.1", Object(["size": .real(Double(Float(0.1)))])) == .differs)
    #expect(try Notebook.match("size == count", Object(["size": .real(7), "count": .integer(7)])) == .matches)
    #expect(try Notebook.match("size < count", Object(["size": .real(6.5), "count": .integer(7)])) == .matches)
    #expect(try Notebook.match("size == price", Object(["size": .real(0.5), "price": .decimal("0.50")])) == .matches)
  }
}
