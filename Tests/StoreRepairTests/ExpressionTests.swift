@testable import StoreRepair
import StoreText
import StoreSQLite
import Testing

/// The values of expressions, row by row.
@Suite struct ExpressionTests {
  /// The row for all examples.
  private static let row: [String: (ExpressionType, SQLiteValue)] = [
    "count": (.integer, .integer(7)), "most": (.integer, .integer(.max)), "least": (.integer, .integer(.min)),
    "price": (.real, .real(2.5)), "whole": (.real, .integer(3)), "name": (.text, .text("Grüße")),
    "code": (.text, .text(" 12 ")), "empty": (.text, .null), "done": (.boolean, .integer(1)),
    "unknown": (.boolean, .null), "date": (.date, .real(700_000_000.75)), "noDate": (.date, .null),
    "folder.name": (.text, .text("Inbox")), "size.width": (.real, .real(1)), "end": (.integer, .integer(1)),
    "id": (.uuid, .blob(Array(0..<16))), "bytes": (.bytes, .blob([1, 2])), "broken": (.integer, .text("x")),
    "noUTF8": (.text, .text([0xff])), "infinite": (.real, .real(.infinity)),
  ]

  @Test(arguments: [
    ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 / 2", "3"), ("-7 / 2", "-3"), ("-7 % 2", "-1"), ("7 / 2.0", "3.5"),
    ("2 - 3 - 4", "-5"), ("- - 2", "2"), ("1 - (-2)", "3"), ("5.5 % 2", "1.5"), ("1e3", "1000.0"),
    ("count * price", "17.5"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775807", "9223372036854775807"),
    ("whole + 1", "4.0"), ("\"end\" + 1", "2"), ("least / -1", "a result beyond 64-bit integers"), ("least % -1", "0"),
    ("most + 1", "a result beyond 64-bit integers"), ("least - 1", "a result beyond 64-bit integers"),
    ("most * 2", "a result beyond 64-bit integers"), ("-least", "a result beyond 64-bit integers"),
    ("abs(least)", "a result beyond 64-bit integers"), ("count / 0", "a division by zero"),
    ("count % 0", "a division by zero"), ("price / 0", "a division by zero"),
    ("1e300 * 1e300", "a result beyond what a number can hold"),
    ("integer(1e30)", "a result beyond 64-bit integers"), ("unix(date(1e300))", "a result beyond 64-bit integers"),
    ("count + null", "null"), ("null + null", "null"), ("- null", "null"), ("empty || 'a'", "null"),
    ("'a' || 'b' || 'c'", "'abc'"),
    ("'it''s'", "'it's'"), ("name || ' ' || folder.name", "'Grüße Inbox'"), ("size.width", "1.0"),
    ("1 < 2", "1"), ("2 <= 1", "0"), ("1 = 1.0", "1"), ("most = 9223372036854775807.0", "0"),
    ("most < 9223372036854775807.0", "1"),
    ("least = -9223372036854775808.0", "1"), ("2 > 1.5", "1"), ("1.5 >= 2", "0"), ("-1.5 < -1", "1"),
    ("-1 > -1.5", "1"),
    ("'a' < 'b'", "1"), ("'a' != 'A'", "1"), ("id = id", "1"), ("done = true", "1"), ("date > noDate", "null"),
    ("date > date(0)", "1"),
    ("empty is null", "1"), ("name is null", "0"), ("name is not null", "1"), ("empty is not null", "0"),
    ("null is null", "1"),
    ("not done", "0"), ("not unknown", "null"), ("unknown and false", "0"), ("false and unknown", "0"),
    ("unknown and true", "null"),
    ("unknown or true", "1"), ("unknown or false", "null"), ("true and not false or false", "1"),
    ("1 = 2 or 1 < 2", "1"),
    ("case when count > 5 then 'many' else 'few' end", "'many'"), ("case when unknown then 1 end", "null"),
    ("case when false then 1 when true then 2.5 end", "2.5"), ("case when true then 1 else 2.5 end", "1.0"),
    ("CASE WHEN TRUE THEN NULL ELSE 1 END", "null"),
    ("unix(date)", "1678307200"), ("unix(date(-0.5))", "978307199"), ("reference(date)", "700000000.75"),
    ("julian(date(0))", "2451910.5"), ("date(978307200, 'unix')", "0.0"), ("date(2451911.5, 'julian')", "86400.0"),
    ("date(5, 'reference')", "5.0"), ("date(5) + 10", "15.0"), ("date - date(700000000)", "0.75"),
    ("unix(noDate)", "null"),
    ("now()", "1000.0"), ("text(date(0))", "'2001-01-01T00:00:00Z'"), ("text(date)", "'2023-03-08T20:26:40.750Z'"),
    ("text(date(-63113904000.0))", "'0001-01-01T00:00:00Z'"), ("text(date(1e200))", "null"),
    ("number(code)", "12.0"), ("integer(code)", "12"), ("number('1.5e2')", "150.0"), ("number('nan')", "null"),
    ("number('0x10')", "null"),
    ("integer('1.5')", "null"), ("integer('99999999999999999999')", "null"), ("number('1e999')", "null"),
    ("number(true)", "1.0"),
    ("integer(2.9)", "2"), ("integer(-2.9)", "-2"), ("integer(done)", "1"), ("integer(count)", "7"),
    ("number(price)", "2.5"),
    ("round(2.5)", "3.0"), ("round(-2.5)", "-3.0"), ("round(2.345, 2)", "2.35"), ("round(count)", "7"),
    ("round(1e308, 5)", "1e+308"),
    ("abs(-3)", "3"), ("abs(-2.5)", "2.5"), ("text(7)", "'7'"), ("text(2.0)", "'2.0'"), ("text(done)", "'true'"),
    ("text(name)", "'Grüße'"),
    ("text(id)", "'00010203-0405-0607-0809-0A0B0C0D0E0F'"), ("uuid(text(id)) = id", "1"), ("uuid('x')", "null"),
    ("uuid(empty)", "null"),
    ("lower('ÄB')", "'äb'"), ("upper(name)", "'GRÜSSE'"), ("trim(code)", "'12'"), ("length(name)", "5"),
    ("length('')", "0"), ("length(empty)", "null"),
    ("substring(name, 2, 3)", "'rüß'"), ("substring(name, 4)", "'ße'"), ("substring('abc', 0, 2)", "'a'"),
    ("substring('abc', -5, 3)", "''"),
    ("substring('abc', 2, -1)", "''"), ("substring('abc', most, most)", "''"), ("substring('abc', least, most)", "''"),
    ("substring('abc', 9)", "''"),
    ("replace('banana', 'an', '-')", "'b--a'"), ("replace('abc', '', 'x')", "'abc'"),
    ("replace(empty, 'a', 'b')", "null"),
    ("before('Ada King Lovelace', ' ')", "'Ada'"), ("after('Ada King Lovelace', ' ')", "'King Lovelace'"),
    ("before(name, 'ßü')", "null"), ("before(name, 'üß')", "'Gr'"), ("after(name, 'ü')", "'ße'"),
    ("before('x', '')", "null"), ("after('x', 'x')", "''"), ("before(empty, 'a')", "null"),
    ("before('a', empty)", "null"), ("coalesce(before('Ada', ' '), 'Ada')", "'Ada'"),
    ("coalesce(empty, folder.name, 'x')", "'Inbox'"), ("coalesce(null, null)", "null"),
    ("coalesce(null, 1, 2.5)", "1.0"),
    ("broken", "'broken' holds something else than an integer"),
    ("infinite", "'infinite' holds something else than a number"),
    ("coalesce(1, broken)", "1"), ("lower(noUTF8)", "a text that is not UTF-8"),
  ])
  func gives(source: String, result: String) throws {
    let expression = try RecipeExpression(source)
    let checked = try expression.checked { path throws(ExpressionError) in
      guard let (type, _) = Self.row[path] else { throw ExpressionError(column: nil, "no attribute '\(path)'") }
      return type
    }
    let inputs = expression.paths.map { Self.row[$0]?.1 ?? .null }
    let made = SeededValues(seed: 1, now: 1000)
    do throws(EvaluationError) {
      #expect(shown(try checked.value(of: inputs, row: 1, in: "A.b", made: made)) == result)
    } catch {
      #expect(error.description == result)
    }
  }

  @Test(arguments: [
    // SQL outside the grammar is refused.
    (
      "ATTACH 'a' AS b", 8, "an operator or the end is expected in place of a text; an expression is made of attributes"
    ),
    ("SELECT 1", 8, "an operator or the end is expected in place of '1'; an expression is made of"),
    ("(SELECT name FROM ZNOTE)", 9, "')' is expected in place of 'name'"),
    ("1 UNION SELECT 2", 3, "an operator or the end is expected in place of 'UNION'"),
    ("pragma_table_info('a')", 1, "there is no function 'pragma_table_info'; the functions are unix, reference"),
    ("load_extension('a')", 1, "there is no function 'load_extension'"), ("uid()", 1, "did you mean 'uuid'?"),
    ("1 -- a", 3, "there are no comments"), ("1 /* a */", 3, "there are no comments"),
    ("1; DROP TABLE a", 2, "';' has no meaning here"),
    ("name IN ('a')", 6, "an operator or the end is expected in place of 'IN'"),
    ("name LIKE 'a'", 6, "in place of 'LIKE'"),
    ("name COLLATE NOCASE", 6, "in place of 'COLLATE'"), ("?1", 1, "'?' has no meaning here"),
    ("[name]", 1, "'[' has no meaning"),
    ("x'00'", 2, "an operator or the end is expected in place of a text"),
    ("cast(a as b)", 1, "there is no function 'cast'"),
    ("exists(a)", 1, "there is no function 'exists'"),
    ("a.b(c)", 4, "an operator or the end is expected in place of '('"),
    // The grammar
    ("", 1, "a value is expected in place of the end"), ("1 +", 4, "a value is expected in place of the end"),
    ("'abc", 1, "the quote ' that ends the text is missing"), ("1 == 1", 3, "write '=' for '=='"),
    ("1 <> 2", 3, "write '!=' for '<>'"),
    ("!done", 1, "write 'not' for '!'"), ("1 = 1 = 1", 7, "an operator or the end is expected in place of '='"),
    ("99999999999999999999", 1, "99999999999999999999 is beyond 64 bits"),
    ("9223372036854775808", 1, "is beyond 64 bits"),
    ("1e999", 1, "'1e999' is no number that can be stored"), ("1x", 2, "a number ends before 'x'"),
    ("a.", 3, "a name is expected in place of the end"),
    ("a.'b'", 3, "a name is expected in place of a text"), ("\"a.b\"", 1, "a name without dots is expected"),
    ("end", 1, "an attribute of that name is \"end\""),
    ("count is 1", 10, "'null' after 'is' is expected in place of '1'"),
    ("case 1 end", 6, "'when' is expected in place of '1'"),
    ("case when true then 1", 22, "'when', 'else' or 'end' is expected in place of the end"),
    ("lower()", 1, "lower() takes 1 value, not 0"),
    ("substring(name)", 1, "substring() takes 2 to 3 values, not 1"),
    ("lower(name", 11, "',' or ')' is expected in place of the end"),
    // Types
    ("nowhere", 1, "no attribute 'nowhere'"), ("1 + 'a'", 3, "'+' does not go with an integer and a text"),
    ("'a' + 'b'", 5, "'+' does not go with a text and a text; || joins texts"),
    ("name || 1", 9, "a text is expected in place of an integer; text(…)"),
    ("date + date", 6, "'+' does not go with a date and a date"),
    ("1 - date", 3, "'-' does not go with an integer and a date"),
    ("count = name", 7, "'=' does not go with an integer and a text"),
    ("id < id", 4, "'<' does not go with a UUID and a UUID"),
    ("name = null", 6, "nothing equals null; write 'is null' or 'is not null'"),
    ("not 1", 5, "true or false is expected in place of an integer"),
    ("-name", 2, "a number is expected in place of a text"),
    ("case when 1 then 2 end", 11, "true or false is expected in place of an integer"),
    ("case when true then 1 else 'a' end", 28, "an integer is expected as before, in place of a text"),
    ("coalesce(name, date)", 16, "a text is expected as before, in place of a date"),
    ("unix(count)", 6, "a date is expected in place of an integer"),
    ("date(name)", 6, "a number is expected in place of a text"),
    ("date(1, 'epoch')", 9, "'unix', 'reference' or 'julian' is expected"),
    ("date(1, name)", 9, "'unix', 'reference' or 'julian' is expected"),
    ("integer(date)", 9, "unix(…), reference(…) or julian(…) is expected"),
    ("text(bytes)", 6, "anything but bytes is expected in place of bytes"),
    ("abs(name)", 5, "a number is expected in place of a text"),
    ("round(price, 1.5)", 14, "an integer is expected in place of a number"),
    ("uuid(1)", 6, "a text is expected in place of an integer"),
    ("lower(id)", 7, "a text is expected in place of a UUID"),
  ])
  func refusesWithTheColumn(source: String, column: Int, message: String) throws {
    let error = #expect(throws: ExpressionError.self) {
      try RecipeExpression(source).checked { path throws(ExpressionError) in
        guard let (type, _) = Self.row[path] else { throw ExpressionError(column: nil, "no attribute '\(path)'") }
        return type
      }
    }
    #expect(error?.column == column, "\(error.map(\.description) ?? "")")
    #expect(error?.message.contains(message) == true, "\(error.map(\.description) ?? "")")
  }

  @Test func hasLimits() {
    let deep = String(repeating: "(", count: 65) + "1" + String(repeating: ")", count: 65)
    for source in [
      deep, String(repeating: "-", count: 1) + String(repeating: " -", count: 100) + "1",
      "1" + String(repeating: "+1", count: 65),
      String(repeating: "not ", count: 200) + "true", "'" + String(repeating: "a", count: 5_000) + "'",
      "coalesce(" + Array(repeating: "1", count: 65).joined(separator: ",") + ")",
      Array(repeating: "coalesce(1" + String(repeating: ",1", count: 63) + ")", count: 20).joined(separator: "+"),
    ] {
      #expect(throws: ExpressionError.self, "\(source.prefix(40))") { try RecipeExpression(source) }
    }
    #expect(throws: Never.self) { try RecipeExpression("1" + String(repeating: "+1", count: 63)) }
  }

  @Test func aTextThatGrowsIsRefused() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    let expression = try RecipeExpression("replace(t, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')")
    let checked = try expression.checked { _ throws(ExpressionError) in .text }
    #expect(throws: EvaluationError("a text of more than 16777216 bytes")) {
      try checked.value(of: [.text(long)], row: 1, in: "", made: SeededValues(seed: 1, now: 0))
    }
  }

  @Test func namesEachPathOnce() throws {
    #expect(try RecipeExpression("a + folder.\"end\" + a + \"case\"").paths == ["a", "folder.end", "case"])
    #expect(try RecipeExpression("1 +  2") != RecipeExpression("1 + 2"), "equal when written alike")
  }

  private func shown(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let bytes): "'" + String(decoding: bytes, as: UTF8.self) + "'"
    case .blob(let bytes): "\(bytes)"
    }
  }
}

/// Generated values depend on the seed, the place and the row alone.
@Suite struct SeededValueTests {
  @Test func theSameSeedGivesTheSame() {
    let made = SeededValues(seed: 7, now: 0)
    let uuid = made.uuid(for: 3, of: "Item.uuid")
    #expect(uuid == SeededValues(seed: 7, now: 9).uuid(for: 3, of: "Item.uuid"))
    #expect(UUIDText.text(uuid) == "D2E6B2CF-4947-4674-912D-CD71A575AE00")
    for other in [
      made.uuid(for: 4, of: "Item.uuid"), made.uuid(for: 3, of: "Item.id"),
      SeededValues(seed: 8, now: 0).uuid(for: 3, of: "Item.uuid"),
    ] {
      #expect(other != uuid && other.count == 16 && other[6] >> 4 == 4 && other[8] >> 6 == 2)
    }
  }

  @Test func anExpressionMakesAsManyAsItAsksFor() throws {
    let expression = try RecipeExpression("text(uuid()) || text(uuid())")
    let checked = try expression.checked { _ throws(ExpressionError) in .text }
    let made = SeededValues(seed: 7, now: 0)
    let value = try checked.value(of: [], row: 3, in: "Item.uuid", made: made)
    let both = UUIDText.text(made.uuid(for: 3, of: "Item.uuid")) + UUIDText.text(made.uuid(for: 3, of: "Item.uuid#1"))
    #expect(value == .text(both) && checked.type == .text)
  }
}
