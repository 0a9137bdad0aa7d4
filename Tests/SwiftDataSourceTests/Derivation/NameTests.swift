import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

@Suite struct NameTests {
  private func type(_ texts: [String: String]) throws -> AttributeType? {
    let schema = try #require(SourceProject(texts: texts).reading.schemas.first)
    let entity = try #require(schema.entities.first { $0.name == "A" })
    let attribute = entity.variants[0].entity.property(named: "p")?.attribute
    return attribute?.elements?.first?.attribute?.type ?? attribute?.type
  }

  @Test(arguments: [
    "protocol HasKind { typealias K = Int }", "protocol HasKind {}\nextension HasKind { typealias K = Int }",
  ])
  func aProtocolMayBringATypealias(kind: String) throws {
    #expect(try type(["A.swift": "@Model class A: HasKind { var p: K }", "K.swift": kind]) == .integer64)
  }

  /// A type's name is looked up in the class itself, in the enclosing types from inside out, in their extensions, at
  /// top level.
  @Test(arguments: [
    (
      "enum V { @Model class A { var p: K; enum K: Int { case a } }; enum K: Double { case a } }",
      AttributeType.integer64
    ),
    ("enum V { @Model class A { var p: K }; enum K: Double { case a } }\nenum K: String { case a }", .double),
    (
      "enum V { @Model class A { var p: K } }\nextension V { enum K: Double { case a } }\nenum K: String { case a }",
      .double
    ),
    (
      "enum V { @Model class A { var p: K } }\nextension V.A { enum K: Int16 { case a } }\nenum K: String { case a }",
      .integer16
    ),
    ("enum V { @Model class A { var p: K } }\nenum K: String { case a }", .string),
    (
      "enum V { @Model class A { var p: W.K } }\nenum W { typealias K = X.L }\nenum X { enum L: Int32 { case a } }",
      .integer32
    ),
    ("@Model class A { var p: String.Kind }\nextension String { enum Kind: Bool { case a } }", .boolean),
    ("@Model class A { var p: Date }\nenum Date: Int { case a }", .integer64),
    ("@Model class A { var p: Foundation.Date }\nenum Date: Int { case a }", .date),
    ("class Root { enum K: Float { case a } }\n@Model class A: Root { var p: K }", .float),
    ("@Model class A { var p: Größe }\nenum Größe: Int { case klein }", .integer64),
    ("@Model class A { var p: `Type` }\nenum `Type`: Int { case a }", .integer64),
    ("@Model class A { var p: K.RawValue; enum K: Int16 { case a } }", .integer16),
    ("@Model class A { var p: K; enum K: Int16, RawRepresentable { case a } }", .integer16),
  ])
  func namesMeanWhatSwiftMeans(source: String, expected: AttributeType) throws {
    #expect(try type(["A.swift": source]) == expected)
  }

  @Test(arguments: [
    ("UUID().uuidString", AttributeType.string), ("String(localized: \"x\")", .string),
    ("Date.now.timeIntervalSince1970", .double), ("0 as Int16", .integer16), ("K.a.rawValue", .integer32),
    ("A.most", .double), ("Self.most", .double),
  ])
  func initialValuesSayTheirType(value: String, expected: AttributeType) throws {
    let source = "@Model class A { var p = \(value); static let most = 1.5; enum K: Int32 { case a } }"
    #expect(try type(["A.swift": source]) == expected)
  }

  /// A raw value type that refers to itself has no type.
  @Test func rawValuesInACircleEnd() throws {
    #expect(try type(["A.swift": "@Model class A { var p: K.RawValue }\nenum K: K.RawValue { case a }"]) == .undefined)
  }

  @Test func whatIsInTheSameFileComesFirst() throws {
    let model = "@Model class A { var p: K }\nenum K: Int { case a }"
    #expect(
      try type(["A.swift": model, "B.swift": "@Model class B { var k: K }; enum K: String { case a }"]) == .integer64)
  }

  @Test func whatIsInTheSameModuleComesFirst() throws {
    let texts = [
      "Sources/One/A.swift": "@Model class A { var p: K }", "Sources/One/K.swift": "enum K: Int { case a }",
      "Sources/Two/K.swift": "enum K: String { case a }",
    ]
    #expect(try type(texts) == .integer64)
  }

  @Test func whatIsPrivateElsewhereIsNotSeen() throws {
    let texts = [
      "A.swift": "@Model class A { var p: K }", "B.swift": "enum K: Int { case a }",
      "C.swift": "private enum K: String { case a }",
    ]
    #expect(try type(texts) == .integer64)
  }

  @Test func twoFilesThatDeclareOneNameAreAmbiguous() throws {
    let texts = [
      "A.swift": "@Model class A { var p: K }", "B.swift": "enum K: Int { case a }",
      "C.swift": "enum K: String { case a }",
    ]
    let entity = try #require(SourceProject(texts: texts).reading.schemas.first?.entities.first)
    #expect(entity.reasons.map(\.message) == ["K is declared more than once: B.swift:1:6, C.swift:1:6"])
  }

  @Test(arguments: [(16, true), (17, false)]) func aliasesAreFollowedSixteenSteps(steps: Int, isFound: Bool) throws {
    let aliases = (1..<steps).map { "typealias T\($0) = T\($0 + 1)" } + ["typealias T\(steps) = Int"]
    let source = "@Model class A { var p: T1 }\n" + aliases.joined(separator: "\n")
    let entity = try entity("A", of: source)
    #expect((entity.certainty == .derived) == isFound)
  }

  @Test(arguments: [
    "@Attribute(originalName: \"title\") var name: String; @Relationship(deleteRule: .cascade) var a: A?",
    "@Attribute(originalName: Keys.old) var name: String; @Relationship(deleteRule: Keys.rule) var a: A?",
    "@Attribute(originalName: old) var name: String; @Relationship(deleteRule: Self.rule) var a: A?",
    "@Attribute(originalName: old) var name: String; @Relationship(deleteRule: Keys.deny) var a: A?",
  ])
  func constantsAreFollowed(members: String) throws {
    let reading = SourceProject(texts: [
      "A.swift": "@Model class A { \(members); static let rule = Keys.rule }\nlet schema = Schema([A.self])",
      "Keys.swift": """
      let old = Keys.old
      enum Keys { static let old = "title"; static let rule: Schema.Relationship.DeleteRule = .cascade; static let deny = rule }
      """,
    ]).reading
    let entity = try #require(reading.schemas.first?.entities.first?.variants.first?.entity)
    #expect(entity.property(named: "name")?.renamingIdentifier == "title")
    #expect(entity.property(named: "a")?.relationship?.deleteRule == .cascade)
  }
}
