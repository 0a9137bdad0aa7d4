import Dispatch
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import SwiftDataSource

/// Sources made to crash the reader, to make it hang, or to make it report something false.
@Suite struct HostileSourceTests {
  private static let model = "\n@Model class A { var x: Int }\n"

  /// A text that repeats a part.
  struct Depth: CustomTestStringConvertible {
    let before: String
    let repeated: String
    let count: Int
    let after: String

    init(_ before: String, _ repeated: String, _ count: Int, _ after: String = "") {
      self.before = before
      self.repeated = repeated
      self.count = count
      self.after = after
    }

    var source: String { before + String(repeating: repeated, count: count) + after }
    var testDescription: String { "\(before)\(repeated) \(count) times" }
  }

  static let depths: [Depth] = [
    Depth("let a = ", "(", 2_000), Depth("let a = ", "[", 20_000), Depth("", "{", 2_000), Depth("", "enum A {", 500),
    Depth("var a: ", "[", 5_000), Depth("var a: ", "A<", 500), Depth("var a: Int", "?", 500),
    Depth("let a = a", ".b", 1_000),
    Depth("var a: A", ".B", 1_000), Depth("let a = a", "()", 500), Depth("let a = 1", " + 1", 500),
    Depth("func f() { if a {} ", "else if a {} ", 300, "}"), Depth("", "#if A\n", 5_000, "#endif\n"),
    Depth("let a = ", "{ a in ", 300), Depth("let a = ", "\"\\(", 100), Depth("let a = ", "try await ", 200, "b"),
    Depth("var a: ", "() -> ", 200, "Int"), Depth("", "@A(", 50), Depth("let a = \\A", "(\\A", 30),
    Depth("let a = \\A", "(\\A", 2_000),
    Depth("", "/*", 2_000),
    Depth("let a = ", "b ? ", 200), Depth("", "extension A.A.A { enum A {} }\n", 50),
    Depth("let a = #\"\\\"# + ", "[", 2_000), Depth("let a = ", "[ /* ] */ \"]\" + ", 2_000),
  ]

  @Test(arguments: depths)
  func depthIsBounded(depth: Depth) {
    let source = depth.source
    let texts = ["A.swift": Self.model + source, "B.swift": source + Self.model + " Schema([A.self])"]
    let reading = SourceProject(texts: texts).reading
    #expect(reading.fileCount == 2)
    #expect(reading.schemas.flatMap(\.entities).contains { $0.name == "A" } || !reading.problems.isEmpty)
  }

  /// The parser's time for these grows with the square of the depth or faster; for some, a few hundred bytes would take
  /// forever.
  @Test(arguments: [
    Depth("", "if a { ", 2_000), Depth("", "let x = if a { ", 65), Depth("", "@A(", 2_000),
    Depth("let a: ", "A<", 1_000),
    Depth("let a: ", "A.B<C<", 6), Depth("let a: ", "A<[", 6), Depth("let a = \"\\(", "[", 40),
    Depth("let a = #\"\\#(", "[", 40), Depth("let a = \"\"\"\n\\(", "[", 40), Depth("let a = \"\\(b)\\(", "[", 40),
    Depth("let a = \\A", "(\\A", 33), Depth("let a = /(/ ", "[", 40),
  ])
  func isNotParsedWhereItIsNestedTooDeep(depth: Depth) {
    let reading = SourceProject(texts: ["A.swift": Self.model + depth.source, "B.swift": Self.model]).reading
    #expect(
      reading.problems.map(\.message) == [
        "'A.swift' is left out: brackets, key paths, generics or #if nested too deep to be parsed in time"
      ])
    #expect(reading.schemas.flatMap(\.entities).map(\.name) == ["A"])
  }

  @Test(arguments: [
    Depth("let a = [", "a < b, ", 9, "c]"), Depth("", "if a < b { } ", 100), Depth("let a = ", "[\"a\": ", 60, "1"),
    Depth("", "func f() { /[(/ }\n", 100), Depth("func f() ", "{ if a ", 60, "{}"),
    Depth("let a = ", "\"\\(1)[[[\" + ", 100),
    Depth("let a: ", "[A<", 5, "B>]>]>]>]>]"), Depth("", "###", 1_000), Depth("let a = ", "(b) -> A<B> + ", 100),
  ])
  func isParsedWhereItIsNot(depth: Depth) {
    let reading = SourceProject(texts: ["A.swift": Self.model + depth.source]).reading
    #expect(!reading.problems.contains { $0.message.contains("left out") })
  }

  @Test func anItemThatTakesTooLongIsGivenUp() {
    // An item that takes as long as the test lets it.
    let end = DispatchSemaphore(value: 0)
    let made = onLargeStacks([0, 1, 0, 1, 0], most: 1, eachWithin: .milliseconds(200)) { item in
      if item == 1 { end.wait() }
      return item
    }
    #expect(made == [0, nil, 0, nil, 0])
    for _ in 0..<2 { end.signal() }
  }

  @Test(arguments: [
    "class A: A {}", "class A: A.B { class B: A.B {} }", "@Model class A: B {}\n@Model class B: A {}",
    "struct S: Codable { var s: S? }\n@Model class A { var s: S }", "typealias A = [A: A]\n@Model class M { var a: A }",
    "struct S: Codable { var a: T; var b: T }\nstruct T: Codable { var a: S; var b: S }\n@Model class A { var s: S? }",
    "extension A.B { class A {} }\nextension A { class B {} }\nclass A {}",
    "enum E: E { case a }\n@Model class A { var e: E }",
    "@Model class A { @Relationship(inverse: \\A.b) var a: A?; @Relationship(inverse: \\A.a) var b: A? }",
    "@Model class A { @Relationship(inverse: \\A.a) var a: A? }",
    "class A { static let a = A.a; static let models = A.models }",
    "enum V: VersionedSchema { static var models: [Any] { V.models + V.models } }",
  ])
  func circlesEnd(source: String) {
    let reading = SourceProject(texts: ["A.swift": source]).reading
    for schema in reading.schemas { _ = try? schema.model() }
  }

  /// Sixteen structs, each with two of the next.
  @Test func structsThatDoubleAreCounted() throws {
    let structs = (0..<16).map { "struct S\($0): Codable { var a: S\($0 + 1); var b: S\($0 + 1) }" }
    let source = "@Model class A { var s: S0? }\nstruct S16: Codable { var x: Int }\n" + structs.joined(separator: "\n")
    let entity = try entity("A", of: source)
    #expect(entity.reasons.last?.message == "more than 1000 elements")
  }

  @Test func bytesThatAreNoTextAreRead() {
    let model = Array("@Model class A { var x: Int }".utf8)
    for bytes in [
      [0] + model, model + [0, 0xFF, 0xFE], [0xFF, 0xFE] + model, [0xC3, 0x28] + model, [0xEF, 0xBB, 0xBF] + model,
    ] {
      let project = SourceProject([FoundFile(path: "A.swift", bytes: bytes)], defines: [], problems: [])
      let reading = project.reading
      #expect(reading.schemas.first?.entities.first?.name == "A" || !reading.problems.isEmpty)
    }
  }

  /// A truncated class has no hash.
  @Test func truncatedClassesHaveNoHash() throws {
    let source = Array("@Model final class A { var x: Int; var y: [String]? }".utf8)
    for length in source.indices {
      let file = FoundFile(path: "A.swift", bytes: Array(source[..<length]))
      for schema in SourceProject([file], defines: [], problems: []).reading.schemas {
        #expect(schema.entities.allSatisfy { $0.versionHash == nil }, "\(length) bytes")
      }
    }
  }

  /// Seeds that once found a mistake: a property that is declared twice, as two kinds.
  private static let keptSeeds: [UInt64] = [1326, 4113, 4806]

  @Test(arguments: LongRuns.seeds(60, whole: 50_000) + keptSeeds) func mutatedSourceIsRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array((RuleCase.relationships + RuleCase.composites).map(\.source)[Int(seed % 15)].utf8)
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let position = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: position)
      case 2: bytes.insert(Self.marks[Int.random(in: Self.marks.indices, using: &random)], at: position)
      case 3: bytes.insert(contentsOf: bytes[position..<min(bytes.count, position + 40)], at: position)
      default: bytes.removeSubrange(position..<min(bytes.count, position + 20))
      }
      if bytes.isEmpty { bytes = [0x40] }
    }
    let file = FoundFile(path: "A.swift", bytes: bytes)
    let reading = SourceProject([file], defines: [], problems: []).reading
    for schema in reading.schemas {
      #expect(schema.entities.allSatisfy { !$0.variants.isEmpty && $0.variants.count <= 64 }, "seed \(seed)")
    }
    #expect((try? SourceReading(Array(reading.json.lineText.utf8))) == reading, "seed \(seed)")
  }

  private static let marks = Array("{}()[]<>\"\\#@.:;,?!=+-*/\n".utf8)
}
