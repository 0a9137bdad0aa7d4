import StoreJSON
import Testing

/// A document that is written while its lists are made.
@Suite struct JSONDocumentTests {
  @Test(arguments: [0, 1, 2, 5_000]) func isThatOfAValueInMemory(count: Int) throws {
    let elements = (0..<count).map { number in
      JSONValue.object([("number", .integer(Int64(number))), ("text", .string("\"\u{7}ä"))])
    }
    var (text, pieces, line) = ("", 0, [UInt8]())
    try JSONDocument([
      ("schema", .value(.string("s"))), ("left out", nil),
      ("list", .list { add in for one in elements { try add(one) } }),
      ("empty", .list { _ in }),
    ]).write(
      to: {
        text += $0
        pieces += 1
      }, line: { line += $0 }, last: { ("behind", .integer(7)) })
    let members: [(String, JSONValue?)] = [
      ("schema", .string("s")), ("list", .array(elements)), ("empty", .array([])),
    ]
    #expect(String(decoding: line, as: UTF8.self) == JSONValue.object(members).lineText)
    #expect(try JSONValue(Array(text.utf8)) == .object(members + [("behind", .integer(7))]))
    #expect(text.hasSuffix(",\n  \"behind\": 7\n}\n"))
    #expect(count < 5_000 || pieces > 2)
  }
}
