import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// A frozen copy of a schema contains its enums, which a model does not hold.
@Suite struct KeptEnumTests {
  private let source = """
    enum V1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Note.self, Tag.self, Level.self] }
    }
    enum Kind: String, Codable, CaseIterable, Identifiable {
      case home, work = "w" // at the office
      case `default` = ","
      var id: String { rawValue }
      static let all = allCases
    }
    enum Mood: Codable { case good, bad }
    struct Place: Codable { var kind: Kind?; var name: String? }
    @Model final class Note {
      enum Level: Int, Codable, Sendable { case low = 1, high = 0x10 }
      enum Rank: Raw { case first, last }
      typealias Raw = Int16
      var kind: Kind = Kind.home
      var other: Kind?
      var mood: Mood? = .good
      var place: Place?
      var level: Level?
      var rank: Rank?
      var category: Kind?
    }
    @Model final class Tag { var kind: Kind; init(kind: Kind) { self.kind = kind } }
    @Model final class Level { var n = 0 }
    """

  @Test func enumsAreReadAsTheyAreWritten() throws {
    let schema = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first)
    let note = try #require(schema.entities.first { $0.name == "Note" })
    #expect(Set(note.details.enums.keys) == ["kind", "other", "mood", "place.kind", "level", "rank", "category"])
    #expect(
      note.details.enums["kind"]
        == SwiftDataEnum(
          qualifiedName: "Kind", rawType: "String", conformances: ["CaseIterable"],
          cases: ["home", "work = \"w\"", "`default` = \",\""], initialCase: "home"))
    #expect(note.details.enums["mood"]?.rawType == nil)
    #expect(note.details.enums["mood"]?.initialCase == "good")
    #expect(note.details.enums["rank"]?.rawType == "Int16")
  }

  @Test func theCopyHasThemAndTheSameHashes() throws {
    let schema = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first)
    let details = Dictionary(schema.entities.map { ($0.name, $0.details) }) { first, _ in first }
    let written = SwiftDataWriter(try schema.model(), schemaName: "V1", details: details)
    let lines = written.text.split(separator: "\n").map { $0.drop { $0 == " " } }
    for line in [
      "enum Kind: String, Codable, CaseIterable {", "case home", "case work = \"w\"", "case `default` = \",\"",
      "enum Mood: Codable {", "enum Rank: Int16, Codable {", "case last", "var kind: Kind = Kind.home",
      "var other: Kind?",
      "var mood: Mood? = Mood.good", "var rank: Rank?", "var category: Kind?",
    ] {
      #expect(lines.contains(line[...]), "\(line) in\n\(written.text)")
    }
    // Within this schema the class of the same name would conflict with it.
    #expect(!written.text.contains("enum Level"))
    #expect(written.text.contains("struct Place: Codable {\n      var kind: Kind?\n"))
    let copy = try #require(SourceProject(texts: ["B.swift": written.text]).reading.schemas.first)
    #expect(copy.entities.map { $0.variants.map(\.hash) } == schema.entities.map { $0.variants.map(\.hash) })
    #expect(copy.entities.map(\.details.enums)[1]["kind"] == details["Note"]?.enums["kind"].map(nested))
  }

  /// A default value that is computed in each run (`Date.now`) is written as code, or is listed as lost.
  @Test(
    arguments: [
      ("var p: Date = Date.now", "var p: Date = Date.now"), ("var p: Date = .now", "var p: Date = Date.now"),
      ("var p: Date = Foundation.Date()", "var p: Date = Date()"), ("var p: UUID = .init()", "var p: UUID = UUID()"),
      ("var p: Data = Data.init()", "var p: Data = Data()"),
      ("var p: Date = .distantPast", "var p: Date = Date.distantPast"), ("var p: Date = .yesterday", nil),
      ("var p: Date = Date(timeIntervalSince1970: 0)", nil), ("var p: UUID = make()", nil),
      ("@Attribute(.spotlight, .allowsCloudEncryption) var p: Int?", "@Attribute(.spotlight, .allowsCloudEncryption)"),
    ] as [(String, String?)])
  func theCopyKeepsWhatNoModelHolds(member: String, line: String?) throws {
    let schema = try #require(
      SourceProject(texts: ["A.swift": "@Model class A { \(member) }\nlet schema = Schema([A.self])"]).reading.schemas
        .first)
    let written = SwiftDataWriter(
      try schema.model(), schemaName: "V1", details: ["A": try #require(schema.entities.first).details])
    #expect(written.lost.map(\.what) == (line == nil ? ["the default value"] : []))
    if let line { #expect(written.text.contains("    \(line)\n"), "\(written.text)") }
  }

  private func nested(_ old: SwiftDataEnum) -> SwiftDataEnum {
    var copy = old
    copy.qualifiedName = "V1." + old.qualifiedName
    return copy
  }

  @Test func twoEnumsOfOneNameStandInTheirClasses() throws {
    let source = """
      enum Old { enum Kind: Int, Codable { case one } }
      enum Kind: String, Codable { case a }
      @Model final class A { var kind: Kind? }
      @Model final class B { var kind: Old.Kind?; var other: Kind? }
      """
    let schema = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first)
    let details = Dictionary(schema.entities.map { ($0.name, $0.details) }) { first, _ in first }
    let written = SwiftDataWriter(try schema.model(), schemaName: "V1", details: details).text
    let copy = try #require(SourceProject(texts: ["B.swift": written]).reading.schemas.first)
    #expect(copy.entities.map { $0.variants.map(\.hash) } == schema.entities.map { $0.variants.map(\.hash) })
    #expect(copy.entities.map { $0.details.enums["kind"]?.qualifiedName } == ["V1.A.Kind", "V1.B.Kind"])
    #expect(copy.entities.map { $0.details.enums["kind"]?.cases } == [["a"], ["one"]])
  }

  @Test func casesThatDependOnTheBuildAreNotKept() throws {
    let source = """
      @Model class A { var kind: Kind? }
      enum Kind: String, Codable {
        case plain
        #if DEBUG
        case test
        #endif
      }
      """
    let entity = try #require(SourceProject(texts: ["A.swift": source]).reading.schemas.first?.entities.first)
    #expect(entity.details.enums.isEmpty)
  }
}
