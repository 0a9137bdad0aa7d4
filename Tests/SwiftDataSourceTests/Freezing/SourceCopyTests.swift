import Foundation
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import SwiftDataSource

/// Copies of schemas in the words of their source.
@Suite struct SourceCopyTests {
  private func copy(_ source: String, of schema: String = "V1", as name: String = "Copy") throws -> SourceCopy {
    try #require(SourceProject(texts: ["Model.swift": source]).copy(schema, as: name, identifier: "1.0.0"))
  }

  private func version(_ classes: String) -> String {
    "enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [\(classes)] } }\n"
  }

  @Test func keepsTheWordsAndLeavesOutTheCode() throws {
    let copy = try copy(
      version("Note.self, V1.Tag.self") + #"""
        extension V1 {
            @Model final class Tag { var name: String = ""; @Relationship(inverse: \Note.tags) var notes: [Note]? }
        }
        public protocol Shouting { func shout() }
        typealias Labels = [String]
        enum Limits { static let most = 3 }
        /// What people write.
        @Model
        public final class Note: Shouting, Identifiable {
            #Unique<Note>([\.title, \.most])

            /// What it is called.
            @Attribute(.unique) public private(set) var title: String // never empty
            var labels: Labels
            var tags: [V1.Tag]

            // How large it is shown.
            var scale: CGFloat = 1.5
            var most: Int = Limits.most
            var mood: Mood = Mood.good { didSet { shout() } }
            @Transient var isOpen = false
            var upper: String { title.uppercased() }
            static let shared = 1
            enum Mood: String, Codable, CaseIterable {
                case good // as ever
                case bad = "b"
                var next: Mood { self == .good ? .bad : .good }
            }
            public init(title: String, labels: Labels = []) {
                self.title = title
                self.labels = labels
                tags = []
            }
            convenience init() { self.init(title: "") }
            public func shout() { print(upper) }
        }
        extension Note { var short: String { title } }
        """#)
    #expect(copy.obstacles == [] && copy.differing == [])
    #expect(
      copy.text == #"""
        public enum Copy: VersionedSchema {
            public static let versionIdentifier = Schema.Version(1, 0, 0)
            public static var models: [any PersistentModel.Type] {
                [Note.self, Tag.self]
            }

            /// What people write.
            @Model
            public final class Note {
                #Unique<Note>([\.title, \.most])

                /// What it is called.
                @Attribute(.unique) public private(set) var title: String // never empty
                var labels: [String]
                var tags: [Tag]

                // How large it is shown.
                var scale: CGFloat = 1.5
                var most: Int = 3
                var mood: Mood = Mood.good

                enum Mood: String, Codable, CaseIterable {
                    case good // as ever
                    case bad = "b"
                }

                public init(title: String, labels: [String] = []) {
                    self.title = title
                    self.labels = labels
                    tags = []
                }
            }

            @Model
            final class Tag {
                var name: String = ""
                @Relationship(inverse: \Note.tags) var notes: [Note]?

                init(notes: [Note]? = nil) {
                    self.notes = notes
                }
            }
        }

        """#)
    #expect(copy.unchecked == ["Note"])
    // What the copy is not sure of has its line.
    #expect(copy.notes.map(\.place?.line) == [19])
  }

  @Test(arguments: [
    ("var made: String = makeName()", "'makeName' is code of the app; write the value in its place"),
    (
      "var at: Money",
      "'Money' is declared in none of the files; give those that declare it too, or copy this property by hand"
    ),
    ("var x: String = { \"a\" }()", "a closure is code of the app; write the value in its place"),
    ("var x: Int = Own.size", "'Own.size' is code of the app; write the value in its place"),
    ("var x: Own", "'Own' is coded by code of its own, which decides what is stored; write this copy by hand"),
    ("#if os(watchOS)\nvar x: Int = 1\n#endif", "it depends on '#if os(watchOS)'; decide it with --define"),
  ])
  func namesWhatCannotBeCopiedAtItsLine(member: String, message: String) throws {
    let copy = try copy(
      version("Note.self")
        + "struct Own: Codable {\nvar a: Int; static let size = measure()\nfunc encode(to encoder: Encoder) { log(a) } }\n"
        + "@Model final class Note {\n\(member)\n}")
    #expect(copy.text == "")
    #expect(copy.obstacles.map(\.message) == [message])
    #expect(copy.obstacles.first?.place?.line == (member.hasSuffix("Own") ? 4 : member.contains("#if") ? 7 : 6))
  }

  @Test func valueTypesOfOneNameAreKeptApart() throws {
    let copy = try copy(
      version("A.self, B.self") + """
        enum First { enum Mood: Int, Codable { case one } }
        enum Second { enum Mood: Int, Codable { case two } }
        @Model final class A { var mood: First.Mood = First.Mood.one }
        @Model final class B { var mood: Second.Mood = Second.Mood.two }
        """)
    #expect(copy.obstacles == [] && copy.differing == [])
    #expect(copy.text.contains("var mood: Mood = Mood.one\n"))
    #expect(copy.text.contains("var mood: SecondMood = SecondMood.two\n"))
  }

  /// Names that types of the copy hide, in types, values, raw types and what the copy itself needs.
  private static let hiding = [
    #"""
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Date.self, String.self, Schema.self] }
      @Model final class Date { var text: Swift.String = ""; init() {} }
      @Model final class String { var count: Int = 0; init() {} }
      @Model final class Schema { var made: Foundation.Date? = nil; var id: UUID = UUID(); init() {} }
    }
    """#,
    #"""
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Room.self, Days.Date.self, Days.Int.self] }
    }
    enum Kind: Int, Codable { case one }
    struct Span: Codable { var from: Date; var length: Int; static let none = Span(from: Date(timeIntervalSince1970: 0), length: 0) }
    typealias Moments = [Date]
    typealias Built = Date
    @Model final class Room {
      var kind: Kind = Kind.one
      var built: Built?
      var made = Date()
      var used: Date = Date.now
      var span: Span = Span.none
      var days: [Days.Date] = []
      var other: [Days.Int] = []
      init(built: Date? = Date()) { self.built = built }
    }
    enum Days {
      @Model final class Date { var rooms: [Room] = []; init() {} }
      @Model final class Int { var size: Swift.Int = 0; init() {} }
    }
    """#,
  ]

  @Test func hiddenNamesAreWrittenWithTheirModules() throws {
    var texts: [String] = []
    for source in Self.hiding {
      let copy = try copy("import Foundation\nimport SwiftData\n" + source)
      #expect(copy.obstacles == [] && copy.differing == [], "\(copy.text)")
      texts.append("import Foundation\n\n" + copy.text.replacing("Copy", with: "Copy\(texts.count)"))
    }
    #expect(texts[0].contains("= SwiftData.Schema.Version(1, 0, 0)"))
    #expect(texts[1].contains("enum Kind: Swift.Int, Codable {"), "\(texts[1])")
    #expect(texts[1].contains("init(built: Foundation.Date? = Foundation.Date())"))
    // The stand-ins have a module 'SwiftData' only where they are built as one.
    guard SwiftCompiler.isPresent else { return }
    #expect(try SwiftDataStandIns.complaints(about: [texts[1]]) == "")
  }

  /// Where the module of a hidden name is not known, nothing is written that may mean another type.
  @Test func aHiddenNameOfAnUnknownModuleIsAnObstacle() throws {
    let copy = try copy(
      version("Note.self, Things.CMTime.self") + """
        import CoreMedia
        enum Things { @Model final class CMTime { var notes: [Note] = []; init() {} } }
        @Model final class Note { var at: CMTime?; var other: Things.CMTime?; init() {} }
        """)
    #expect(
      copy.obstacles.map(\.message) == [
        "the copy has a type 'CMTime', and which module declares the other 'CMTime' is not known"
      ])
  }

  /// The sources of the tests of rules, each with a hash that SwiftData wrote, and of the example.
  private static func sources() throws -> [String] {
    let trips = try ["Trip", "TripsV1", "TripsV2"].map {
      try String(contentsOfFile: Project.path("corpus/Trips/Models/\($0).swift"), encoding: .utf8)
    }
    let rules = RuleCase.scalars + RuleCase.relationships + RuleCase.composites
    return rules.map(\.source) + [trips.joined(separator: "\n")]
  }

  @Test func everySchemaOfTheTestsIsCopiedWithItsHashes() throws {
    var texts: [String] = []
    for source in try Self.sources() {
      let project = SourceProject(texts: ["Model.swift": source])
      for schema in project.reading.schemas {
        let copy = try #require(project.copy(schema.name, as: "Copy\(texts.count)", identifier: "1.0.0"))
        #expect(copy.obstacles == [], "\(source)")
        #expect(copy.differing == [] && copy.unchecked == [], "\(copy.text)")
        texts.append(copy.text)
      }
    }
    #expect(texts.count >= 25)
    guard SwiftCompiler.isPresent else { return }
    let complaints = try SwiftDataStandIns.complaints(
      about: texts.filter { !$0.isEmpty }.map { "import Foundation\n\n" + $0 })
    #expect(complaints == "")
  }
}
