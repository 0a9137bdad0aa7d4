@testable import StoreRepair
import StoreText
import StoreDataModel
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// How a value is stored in a column of a given type.
@Suite struct ExpressionStoringTests {
  @Test(
    arguments: [
      (.integer16, .integer(32767), .integer(32767)), (.integer16, .integer(32768), nil),
      (.integer16, .integer(-32769), nil),
      (.integer32, .integer(2_147_483_647), .integer(2_147_483_647)), (.integer32, .integer(2_147_483_648), nil),
      (.integer64, .integer(.min), .integer(.min)), (.integer64, .real(1), nil), (.boolean, .integer(1), .integer(1)),
      (.boolean, .integer(2), nil), (.double, .integer(3), .real(3)), (.double, .real(.nan), nil),
      (.float, .real(0.1), .real(Double(Float(0.1)))),
      (.float, .real(1e300), nil), (.decimal, .real(12), .integer(12)), (.decimal, .real(12.5), .real(12.5)),
      (.date, .real(5), .integer(5)),
      (.date, .real(5.25), .real(5.25)), (.date, .real(.infinity), nil), (.string, .text("a"), .text("a")),
      (.string, .text([0x61, 0]), nil),
      (.uri, .text("a:b"), .text("a:b")), (.uuid, .blob([1]), nil), (.binary, .blob([1]), .blob([1])),
      (.string, .integer(1), nil),
      (.composite, .integer(1), nil), (.integer16, .null, .null), (AttributeType(rawValue: 1234), .integer(1), nil),
    ] as [(AttributeType, SQLiteValue, SQLiteValue?)])
  func isStoredOrRefused(type: AttributeType, value: SQLiteValue, stored: SQLiteValue?) {
    #expect((try? type.storedValue(value)) == stored)
  }

  @Test(
    arguments: [
      (.integer16, "-5", .integer(-5)), (.integer16, " 5 ", .integer(5)), (.integer64, "1e3", nil),
      (.boolean, "true", .integer(1)),
      (.boolean, "yes", nil), (.double, "1", .real(1)), (.decimal, "-12.50", .real(-12.5)), (.decimal, "1,5", nil),
      (.string, "", .text("")),
      (.date, "2001-01-01", .integer(0)), (.date, "2001-01-01T01:00:00.5+01:00", .real(0.5)),
      (.date, "2001-01-01 00:00Z", .integer(0)),
      (.date, "2000-02-29T00:00:00Z", .integer(-26_524_800)), (.date, "1900-02-29", nil),
      (.date, "0001-01-01", .integer(-63_113_904_000)),
      (.date, "2001-13-01", nil), (.date, "2001-01-01T24:00:00Z", nil), (.date, "2001-01-01T00:00:00", .integer(0)),
      (.date, "2001-01-01T00:00:00Zx", nil),
      (.uuid, "00010203-0405-0607-0809-0A0b0C0d0E0f", .blob(Array(0..<16))),
      (.uuid, "000102030405060708090A0B0C0D0E0F", nil),
      (.binary, "AAEC", .blob([0, 1, 2])), (.binary, "", .blob([])), (.binary, "A", nil), (.uri, "x:y", .text("x:y")),
    ] as [(AttributeType, String, SQLiteValue?)])
  func aConstantIsReadByTheType(type: AttributeType, text: String, stored: SQLiteValue?) {
    #expect((try? Recipe.Constant(text).storedValue(for: type)) == stored)
  }

  @Test func theDefaultOfAModelIsStored() {
    func stored(_ type: AttributeType, _ value: DefaultValue?) -> SQLiteValue? {
      Attribute(type: type, defaultValue: value).storedDefault
    }
    #expect(stored(.integer16, .integer(3)) == .integer(3) && stored(.integer16, .integer(70_000)) == nil)
    #expect(stored(.double, .integer(3)) == .real(3) && stored(.decimal, .decimal("1.50")) == .real(1.5))
    #expect(stored(.boolean, .boolean(true)) == .integer(1) && stored(.string, nil) == nil)
    #expect(stored(.date, .date(0.5)) == .real(0.5) && stored(.transformable, .object(className: "A")) == nil)
  }

  @Test func textOfADateReadsBack() {
    var random = SeededGenerator(seed: 20_240_501)
    for _ in 0..<2_000 {
      let seconds = Double(Int64.random(in: -63_113_904_000...252_423_993_599, using: &random))
      #expect(DateText.text(secondsSince2001: seconds, fraction: .milliseconds).flatMap(DateReading.seconds) == seconds)
    }
  }
}
