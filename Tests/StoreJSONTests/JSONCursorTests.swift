import Testing

@testable import StoreJSON

@Suite struct JSONCursorTests {
  /// Reads a document with the cursor into the strict reader's value.
  private func walk(_ bytes: [UInt8]) throws -> JSONValue {
    try bytes.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      let value = try cursor.value()
      try cursor.end()
      return value
    }
  }

  private func skip(_ bytes: [UInt8]) -> String? {
    do {
      try bytes.withUnsafeBufferPointer { bytes in
        var cursor = JSONCursor(bytes)
        try cursor.skip()
        try cursor.end()
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    #"{"a":1,"b":[true,false,"x"],"c":{},"d":[]}"#, #" [ -9223372036854775808 , {"é":"\u00fc\ud83d\ude00\n\/"} ] "#,
    #"{"z":1,"a":{"y":2,"b":3},"\u0062":4}"#, "[[[[[]]]]]", "\"\u{7F}é日😀\"",
  ])
  func readsAsTheStrictReaderDoes(_ text: String) throws {
    let bytes = Array(text.utf8)
    #expect(try walk(bytes) == JSONValue(bytes))
    #expect(skip(bytes) == nil)
  }

  @Test(arguments: [
    ("", "column 1: the document ends where a value is expected"), ("[1,]", "column 4: a value is expected"),
    ("[1}", "column 3: ',' or ']' is expected"), ("{\"a\":1]", "column 7: ',' or '}' is expected"),
    ("{\"a\" 1}", "column 6: ':' is expected"), ("{,}", "column 2: the name of a member is expected, in quotes"),
    ("{]", "column 2: ',' or '}' is expected"), ("01", "column 1: a number with a leading zero"),
    ("1.", "column 3: a digit is expected"), ("-", "column 2: a digit is expected"),
    ("nul", "column 1: a value is expected"),
    ("\"a", "column 3: the document ends within a text"), ("\"\t\"", "column 2: a control character in a text"),
    ("\"\\", "column 2: the document ends within a text"), ("\"\\x\"", "column 2: an escape that JSON does not have"),
    ("\"\\u12\"", "column 2: '\\u' needs four hex digits"), ("\"\\udc00\"", "column 2: half of a surrogate pair"),
    ("\"\\ud800\\u0041\"", "column 2: half of a surrogate pair"), ("1 2", "column 3: something follows the document"),
  ])
  func refusesAlsoWhatItPassesOver(_ text: String, _ error: String) {
    #expect(skip(Array(text.utf8)) == error)
  }

  @Test(
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3], [0xE2, 0x82]] as [[UInt8]])
  func refusesTextThatIsNotUTF8(_ bytes: [UInt8]) {
    #expect(skip([0x22] + bytes + [0x22]) == "column 2: text that is not UTF-8")
  }

  /// The cursor skips texts eight bytes at a time, so each byte is tried at each position.
  @Test func findsEveryByteWhereverItIs() {
    for byte in UInt8.min ... .max {
      for position in 1...20 {
        var text = Array(repeating: UInt8(ascii: "a"), count: 20)
        text[position - 1] = byte
        let bytes = [0x22] + text + [0x22]
        let (own, strict) = (Result { try walk(bytes) }, Result { try JSONValue(bytes) })
        #expect((try? own.get()) == (try? strict.get()), "\(byte) at \(position)")
        guard byte < 0x20 else { continue }
        #expect(skip(bytes) == "column \(position + 1): a control character in a text")
      }
    }
  }

  @Test func stopsAtTheDeepestLevel() {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: 0x5B, count: depth) + Array(repeating: 0x5D, count: depth)
    }
    #expect(skip(nested(64)) == nil)
    #expect(skip(nested(65)) == "column 65: nested deeper than 64 levels")
    #expect(
      skip(Array(repeatElement(0x7B, count: 1_000_000))) == "column 2: the name of a member is expected, in quotes")
    #expect(throws: JSONError.self) { try walk(nested(65)) }
  }

  @Test(arguments: [
    #"{"a":1,"a":2}"#, #"{"b":1,"a":2,"b":3}"#, #"{"a":1,"\u0061":2}"#, #"{"c":{"x":[]},"b":0,"a":2,"c":3}"#,
  ])
  func refusesANameThatOccursTwice(_ text: String) {
    #expect(performing: { try walk(Array(text.utf8)) }, throws: { "\($0)".hasSuffix("occurs twice") })
  }

  @Test(arguments: ["9223372036854775808", "1.0", "1e2", "-", "\"1\"", "-9223372036854775809", "true"])
  func takesNoOtherNumbersForWholeOnes(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: JSONError.self) {
      try bytes.withUnsafeBufferPointer { bytes in
        var cursor = JSONCursor(bytes)
        _ = try cursor.integer()
      }
    }
  }

  /// Cursor and strict reader agree on whether damaged documents are JSON.
  @Test func judgesInjuriesAsTheStrictReaderDoes() {
    let document = Array(#"{"a":[1,-2.5e3,"é\u00fc"],"b":{"c":null,"d":"😀"},"e":true}"#.utf8)
    for place in document.indices {
      for byte in Array(#"{}[]",:\0-e.ntu"#.utf8) + [0x00, 0x20, 0x80, 0xFF] {
        var injured = document
        injured[place] = byte
        let isJSON = (try? JSONValue(injured)) != nil
        // The cursor does not notice duplicate names in values that it skips.
        if (skip(injured) == nil) != isJSON {
          #expect((try? walk(injured)) == nil && !isJSON, "byte \(byte) at \(place)")
        }
      }
    }
  }
}

extension JSONCursor {
  fileprivate mutating func value() throws -> JSONValue {
    if isAtText() { return .string(try string()) }
    var copy = self
    if var group = try? copy.object() {
      self = copy
      var members: [String: JSONValue] = [:]
      while let name = try nextMember(in: &group) { members[name.text] = try value() }
      return .object(members)
    }
    copy = self
    if var group = try? copy.list() {
      self = copy
      var elements: [JSONValue] = []
      while try nextElement(in: &group) { elements.append(try value()) }
      return .array(elements)
    }
    if let flag = try? copy.bool() {
      self = copy
      return .bool(flag)
    }
    return .integer(try integer())
  }
}
