import Foundation
import StoreJSON
import Testing

@Suite struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  private func message(_ bytes: [UInt8], _ limits: JSONValue.Limits = JSONValue.Limits()) -> String {
    do {
      return "read as \(try JSONValue(bytes, limits: limits))"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("null", JSONValue.null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
    ("-0", .integer(0)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("-1.5e-3", .number(-0.0015)),
    ("1E2", .number(100)), ("\"\"", .string("")), ("[]", .array([])), ("{}", .object([:])),
    ("[1, [2], {}]", .array([.integer(1), .array([.integer(2)]), .object([:])])),
    ("{\"a\": 1, \"b\": [null]}", .object(["a": .integer(1), "b": .array([.null])])),
    ("\u{FEFF}1", .integer(1)), (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
    (#""\u00fc\u0000\ud83d\ude00\uFFFF""#, .string("ü\0😀\u{FFFF}")), ("\"e\u{301}日\"", .string("e\u{301}日")),
  ])
  func readsValues(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text) == value)
  }

  @Test(arguments: [
    ("", "line 1, column 1: the document ends where a value is expected"),
    ("[1,\n 2", "line 2, column 3: ',' or ']' is expected"), ("[1,]", "line 1, column 4: a value is expected"),
    ("{\"a\" 1}", "line 1, column 6: ':' is expected"),
    ("{a: 1}", "line 1, column 2: the name of a member is expected, in quotes"),
    ("{\"a\":1,\n\"a\":2}", "line 2, column 1: member 'a' occurs twice"),
    ("{\"é\":1,\"e\\u0301\":2}", "line 1, column 9: member 'e\u{301}' occurs twice"),
    ("01", "line 1, column 1: a number with a leading zero"), ("-", "line 1, column 2: a digit is expected"),
    ("1.", "line 1, column 3: a digit is expected"), (".5", "line 1, column 1: a value is expected"),
    ("1e", "line 1, column 3: a digit is expected"), ("+1", "line 1, column 1: a value is expected"),
    ("1e999", "line 1, column 1: a number that is too large"), ("NaN", "line 1, column 1: a value is expected"),
    ("tru", "line 1, column 1: a value is expected"), ("1 2", "line 1, column 3: something follows the document"),
    ("\"a", "line 1, column 3: the document ends within a text"),
    ("\"\n\"", "line 1, column 2: a control character in a text"),
    ("\"\\x\"", "line 1, column 2: an escape that JSON does not have"),
    ("\"\\", "line 1, column 2: an escape that JSON does not have"),
    ("\"\\u12g4\"", "line 1, column 2: '\\u' needs four hex digits"),
    ("\"\\ud800\"", "line 1, column 2: half of a surrogate pair"),
    ("\"\\udc00\\ud800\"", "line 1, column 2: half of a surrogate pair"),
    ("\"\\ud800\\u0041\"", "line 1, column 2: half of a surrogate pair"),
    ("// a\n1", "line 1, column 1: a value is expected"), ("'a'", "line 1, column 1: a value is expected"),
  ])
  func refusesWhatIsNoJSON(_ text: String, _ expected: String) {
    #expect(message(Array(text.utf8)) == expected)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3]] as [[UInt8]])
  func refusesTextThatIsNotUTF8(_ bytes: [UInt8]) {
    #expect(message([0x22] + bytes + [0x22]) == "line 1, column 2: text that is not UTF-8")
  }

  @Test func keepsToItsLimits() {
    let deep = { (count: Int) in Array(String(repeating: "[", count: count).utf8) }
    #expect(message(deep(100_000)) == "line 1, column 257: nested deeper than 256 levels")
    #expect(message(Array(String(repeating: "{\"a\":", count: 100_000).utf8)).hasSuffix("deeper than 256 levels"))
    #expect(message(deep(256) + Array(String(repeating: "]", count: 256).utf8)).hasPrefix("read as"))
    #expect(message(Array(repeating: UInt8(ascii: "9"), count: 1_000_000)).hasSuffix("more than 1000 digits"))
    var limits = JSONValue.Limits()
    (limits.values, limits.bytes) = (3, 20)
    #expect(message(Array("[1,2,3]".utf8), limits) == "line 1, column 6: more than 3 values")
    #expect(message(Array(repeating: 0x20, count: 21), limits) == "21 bytes, more than 20")
  }

  /// A value that is written and read stays the same, and so does its text.
  @Test func readsBackWhatIsWritten() throws {
    let values: [JSONValue] = [
      .null, .bool(false), .integer(.min), .number(0.1), .number(-Double.leastNonzeroMagnitude),
      .number(.greatestFiniteMagnitude),
      .string("\u{202E}\u{1}\"\\/\u{2028}😀\u{7F}"), .array([.array([])]),
      .object(["": .object(["b": .null]), "a": .number(1)]),
    ]
    let text = JSONValue.array(values).text
    #expect(try read(text) == .array(values))
    #expect(try read(text).text == text)
  }

  /// A truncated document, or one with a changed byte, gives a value or an error; and if Foundation reads it too, the
  /// same value.
  @Test func survivesInjuries() throws {
    let whole = Array("{\"a\": [1, -2.5e3, \"\\u00fc\\ud83d\\ude00é\", true, null], \"b\": {\"c\": {}}}".utf8)
    for count in 0..<whole.count { #expect(throws: JSONError.self) { try JSONValue(Array(whole.prefix(count))) } }
    var read = 0
    for position in whole.indices {
      for byte in 0...255 as ClosedRange<UInt8> {
        var injured = whole
        injured[position] = byte
        guard let value = try? JSONValue(injured) else { continue }
        read += 1
        let theirs = try JSONSerialization.jsonObject(with: Data(injured), options: .fragmentsAllowed)
        let ours = try JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
        #expect((theirs as? NSObject) == (ours as? NSObject), "byte \(byte) at \(position)")
      }
    }
    #expect(read > 500)
  }
}

@Suite struct JSONPlaceTests {
  @Test func saysWhereAValueIs() throws {
    let document = JSONPlace(try JSONValue(Array(#"{"a": [{"b c": 1}], "d": {"x": "y", "n": 300}}"#.utf8)))
    let members = try document.members(["a", "d"])
    #expect(throws: JSONError(place: "a[0][\"b c\"]", message: "a text is expected")) {
      try members.elements("a")[0].entries()[0].place.string()
    }
    #expect(throws: JSONError(place: "d", message: "unknown member 'n'")) {
      try members.required("d").members(["x"])
    }
    #expect(throws: JSONError(place: "d", message: "'z' is missing")) {
      try members.required("d").members(["x", "n"]).required("z")
    }
    #expect(throws: JSONError(place: "d.n", message: "a whole number from -128 to 127 is expected")) {
      try members.required("d").members(["x", "n"]).required("n").integer(as: Int8.self)
    }
    #expect(throws: JSONError(place: "", message: "a list is expected")) { try document.elements() }
  }
}
