import TestSupport
import Testing
import StoreYAML

/// Any bytes give a value, or an error with its line, in a short time.
@Suite struct YAMLReadingTests {
  @Test func readsMapsListsAndTextsWithTheirLines() throws {
    let text = """
      # settings
      name: no
      list:
        - 'a: b'
        - {key: "1"}
      """
    let root = try #require(try YAMLNode.reading(Array(text.utf8)))
    #expect(
      root.content
        == .map([
          .init(name: "name", line: 2, value: YAMLNode(line: 2, .text("no", isPlain: true))),
          .init(
            name: "list", line: 3,
            value: YAMLNode(
              line: 4,
              .list([
                YAMLNode(line: 4, .text("a: b", isPlain: false)),
                YAMLNode(
                  line: 5, .map([.init(name: "key", line: 5, value: YAMLNode(line: 5, .text("1", isPlain: false)))])),
              ]))),
        ]))
    #expect(try YAMLNode.reading([]) == nil)
    #expect(try YAMLNode.reading(Array("# nothing\n".utf8)) == nil)
    #expect(try YAMLNode.reading(Array("a: 1".utf8))?.entries().map(\.name) == ["a"])
  }

  @Test(arguments: [
    ("a: 1\nb: 2\na: 3", "line 1: key 'a' occurs twice"), ("a: 1\n\"a\": 2", "line 1: key 'a' occurs twice"),
    ("1: a\n\"1\": b", "line 1: key '1' occurs twice"), ("a: 1\nb: &x 2", "line 2: "), ("a: &x 1\nb: *x", "line 1: "),
    ("&k a: 1", "line 1: anchors"), ("a: *x", "line 1: anchors (&name) and aliases (*name)"),
    ("a: 1\n---\nb: 2", "line 2: but found another document"), ("a: !!binary aGk=", "line 1: tags"),
    ("a: !x [1]", "line 1: tags"), ("a: !!str \"x\"", nil), ("? [a]\n: 1", "line 1: a key is a text"),
    ("a: [1", "line 2"), ("a: \"\\uD800\"", "line 1"), ("a: \u{1}", "control characters"), ("\tb: 1", "line 1"),
    ("a: 1\n!x b: 2", "line 2: tags"), ("!!str 'a': 1", nil), ("a: 1\n*x : 2", "line 2: anchors"),
    ("a: !<> x", "line 1"),
    ("? {a: 1}\n: 1", "line 1: a key is a text"), ("'': 1", "line 1: a key is a text"),
  ])
  func refusesWhatCouldMeanTwoThings(text: String, message: String?) throws {
    guard let message else { return #expect(try YAMLNode.reading(Array(text.utf8)) != nil) }
    let error = #expect(throws: YAMLError.self) { try YAMLNode.reading(Array(text.utf8)) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  /// The limit is for a text whose reading does not end.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      String(repeating: "[", count: 100_000), String(repeating: "{", count: 100_000),
      String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
      String(repeating: "{a: ", count: 50_000), String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
      String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
      "? " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900) + "\n: 1",
      (0..<400).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
      "a: " + String(repeating: "x", count: 1 << 20), String(repeating: "%TAG ! a\n", count: 20_000),
      "a: \"" + String(repeating: "\\", count: 100_000), String(repeating: "a", count: 200_000) + ": 1\nb",
      "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + (0..<30).map { "b\($0): &b\($0) [*\($0 == 0 ? "a" : "b\($0 - 1)"), *a]\n" }.joined() + "? *b29\n: 1\n",
    ])
  func hostileTextIsRefusedAtOnce(text: String) {
    #expect(throws: YAMLError.self) { try YAMLNode.reading(Array(text.utf8)) }
  }

  @Test func aShortTextIsReadAsItIs() throws {
    #expect(
      try YAMLNode.reading(Array("a: |\n x\n".utf8))?.entries().first?.value.content == .text("x\n", isPlain: false))
    #expect(try YAMLNode.reading(Array("x".utf8))?.content == .text("x", isPlain: true))
    #expect(try YAMLNode.reading(Array("\u{FEFF}a: b".utf8))?.entries().map(\.name) == ["a"])
  }

  @Test func limitsHold() throws {
    var limits = YAMLNode.Limits()
    (limits.bytes, limits.depth, limits.values) = (20, 2, 4)
    #expect(try YAMLNode.reading(Array("[a, b, c]".utf8), limits: limits) != nil)
    for (text, message) in [
      ("\n[a, b, c, d]", "line 2: more than 4 values"), ("- - a", "line 1: nested too deep"),
      (String(repeating: "a", count: 21), "21 bytes, more than 20"),
    ] {
      let error = #expect(throws: YAMLError.self) { try YAMLNode.reading(Array(text.utf8), limits: limits) }
      #expect(error?.description == message)
    }
  }

  /// Values that are made up, written in every style, are read as they were.
  @Test func whatIsWrittenIsRead() throws {
    let seed = seedOfRun("YAMLReadingTests.whatIsWrittenIsRead")
    var maker = YAMLMaker(state: seed)
    for _ in 0..<2_000 {
      let (text, value) = maker.document()
      let read = try #require(try YAMLNode.reading(Array(text.utf8)), "seed \(seed)")
      #expect(YAMLMaker.content(of: read) == value, "seed \(seed): \(text)")
    }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x61, 0], [0x61, 0xC3], [0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80]] {
      #expect(throws: YAMLError(line: nil, "it is not UTF-8")) { try YAMLNode.reading(bytes) }
    }
    #expect(throws: YAMLError.self) { try YAMLNode.reading([0x61, 0]) }
  }

  @Test func injuriesGiveAValueOrAnError() {
    let seed = seedOfRun("YAMLReadingTests")
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let marks = Array("&*!|>%@`'\"{}[],:?-# \n\tab\\".utf8)
    let good = Array("a: [1, 'x', {b: \"c\"}]\nd:\n  - e: |\n      f\n  - g\n? h\n: i\n".utf8)
    var values = 0
    for _ in 0..<5_000 {
      var bytes = good
      for _ in 0...next(4) { bytes[next(bytes.count)] = marks[next(marks.count)] }
      if (try? YAMLNode.reading(bytes)) != nil { values += 1 }
    }
    #expect(values > 0 && values < 5_000, "seed \(seed)")
  }
}
