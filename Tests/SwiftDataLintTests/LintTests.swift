import StoreSourceChecks
import SwiftDataSource
import Testing

@testable import SwiftDataLint

@Suite struct LintTests {
  @Test func everyCheckHasAFunction() {
    // Two kinds have no function: comments are read for all checks together, and `storedoctor` itself compares with
    // stores.
    let others = SourceCheck.ofShippedVersions + [.unfoundedSilence]
    #expect((LintCheck.all.map(\.words.id) + others.map(\.id)).sorted() == SourceCheck.all.map(\.id))
  }

  private func linted(_ text: String) -> [String] {
    let lint = lint(SourceProject(texts: ["Note.swift": text])).lint
    return lint.findings.map { "\($0.place.line) \($0.check)" }
      + lint.silenced.map { "silenced \($0.finding.place.line) \($0.finding.check) '\($0.reason)'" }
  }

  @Test func findingsStandByPlaceWithTheirLine() throws {
    let text = "@Model final class Note {\n\tlazy var b = 1\r\n  var description = \"\"\n  init() {}\n}"
    let lint = lint(SourceProject(texts: ["Note.swift": text])).lint
    #expect(lint.findings.map(\.check) == ["SD984", "SD983"])
    #expect(lint.findings.map(\.excerpt) == ["\tlazy var b = 1", "  var description = \"\""])
    #expect(lint.digests == [:])
  }

  @Test func aCommentSilencesItsLineOrTheOneBelow() {
    #expect(
      linted(
        """
        @Model final class Note {
          var description = ""  // storedoctor:ignore SD983 it is shown to nobody
          // storedoctor:disable property-name-taken shown to nobody
          @Attribute(.unique)
          var isDeleted = false
          var hash = 1
          init() {}
        }
        """) == [
          "6 SD983", "silenced 2 SD983 'it is shown to nobody'", "silenced 5 SD983 'shown to nobody'",
        ])
  }

  @Test func aSilenceWithoutReasonIsReported() {
    #expect(
      linted("@Model final class Note {\n  var description = \"\"  // storedoctor:ignore SD983\n  init() {}\n}")
        == ["2 SD997", "silenced 2 SD983 ''"])
    #expect(
      linted("@Model final class Note {\n  var a = 0  // storedoctor:ignore SD1 why\n  init() {}\n}") == ["2 SD997"])
    #expect(linted("@Model final class Note {\n  var a = 0  // storedoctor:ignore\n  init() {}\n}") == ["2 SD997"])
    // A comment for another check has no effect.
    #expect(
      linted("@Model final class Note {\n  var description = \"\"  // storedoctor:ignore SD984 because\n  init() {}\n}")
        == [
          "2 SD983"
        ])
  }

  @Test func filesWithEditsHaveTheirDigest() {
    let text = "enum V1: VersionedSchema { static var versionIdentifier = Schema.Version(1, 0, 0) }"
    let lint = lint(
      SourceProject(texts: ["V1.swift": text, "Other.swift": "@Model final class A { var a = 0; init() {} }"])
    ).lint
    #expect(lint.digests.keys.sorted() == ["V1.swift"])
    #expect(lint.digests["V1.swift"]?.count == 64)
  }

  /// `--fix` makes only certain fixes: those that surely do what the author meant, and change no hash.
  @Test func fewFixesAreCertain() {
    let text = """
      enum V1: VersionedSchema { static var versionIdentifier = Schema.Version(1, 0, 0) }
      @Model final class A {
        #Unique<A>([\\.x])
        #Unique<A>([\\.y])
        var x = 0
        @Attribute(originalName: "y") var y = 0
        @Attribute(.externalStorage) var z = ""
        @Relationship(inverse: \\B.a) var b: [B]
        init() {}
      }
      @Model final class B { @Relationship(inverse: \\A.b) var a: [A] = []; init() {} }
      """
    let lint = lint(SourceProject(texts: ["A.swift": text, "Package.swift": "Package(platforms: [.iOS(.v17)])"])).lint
    #expect(
      lint.findings.filter { $0.fix?.isCertain ?? false }.map { "\($0.place.line) \($0.check)" } == [
        "1 SD995", "4 SD989", "6 SD946", "8 SD966", "11 SD963",
      ])
  }

  @Test func soundSourceHasNoFindings() {
    let text = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [v1ToV2] }
        static let v1ToV2 = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V2.self)
      }
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
        @Model final class Note { var text = ""; @Relationship(inverse: \\Tag.notes) var tags: [Tag] = []; init() {} }
        @Model final class Tag { @Attribute(.unique) var name = ""; var notes: [Note] = []; init() {} }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
        @Model final class Note { var text = ""; var stars = 0; @Relationship(inverse: \\Tag.notes) var tags: [Tag] = []; init() {} }
        @Model final class Tag { @Attribute(.unique) var name = ""; var notes: [Note] = []; init() {} }
      }
      typealias Note = V2.Note
      """
    #expect(linted(text) == [])
  }

  /// Mistakes that guides contain, in one file: each is reported at its line, and once. That rows have no value for a new
  /// property is said of the property alone where no stage leads to its version.
  @Test func mistakesOfTheGuides() {
    let text = """
      enum SchemaV1: VersionedSchema {
        static var versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { var title: String; init(title: String) { self.title = title } }
        @Model final class Tag { var name = ""; init() {} }
      }
      enum SchemaV2: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
        @Model final class Note { var title: String; var stars: Int; var tags: [Tag] = []; init() { } }
        @Model final class Tag { var name = ""; var notes: [Note] = []; var description = ""; init() {} }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] { [] }
        static let v1ToV2 = MigrationStage.custom(
          fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: { context in
          for note in try context.fetch(FetchDescriptor<SchemaV1.Note>()) {
            context.insert(SchemaV2.Note(title: note.title))
          }
        }, didMigrate: nil)
      }
      typealias Note = SchemaV1.Note
      let container = try! ModelContainer(for: Note.self)
      """
    #expect(
      linted(text) == [
        "2 SD995", "5 SD901", "8 SD904", "10 SD941", "10 SD961", "11 SD983", "16 SD911", "19 SD924",
        "19 SD921", "23 SD916", "24 SD991",
      ])
  }
}
