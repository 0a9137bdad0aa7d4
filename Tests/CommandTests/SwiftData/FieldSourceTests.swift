import Foundation
import TestSupport
import Testing

/// Made-up twins of projects in which `lint` was wrong or silent, run with the built program.
@Suite struct FieldSourceTests {
  private func lint(_ files: [String: String], _ arguments: String...) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    let outcome = try Program.run(
      ["lint", folder.path, "--no-config"] + arguments, environment: ["COLUMNS": "300"])
    return outcome
  }

  private func version(_ name: String = "V1", number: Int = 1, models: String, _ classes: String) -> String {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [\(models)] }
    \(classes)
    }

    """
  }

  // MARK: Copies

  /// A class of the version is called like a type of Foundation, which another class uses.
  @Test func aCopyWritesANameThatItsOwnClassHidesWithItsModule() throws {
    let source =
      "import Foundation\nimport SwiftData\n\n"
      + version(
        models: "Meals.Data.self, Dish.self",
        """
          @Model final class Dish {
            var photo: Data?
            var seal: Data = Data(count: 2)
            var meals: [Meals.Data] = []
            init() {}
          }
        """)
        + """
        enum Meals {
          @Model final class Data { var name: String = ""; @Relationship(inverse: \\V1.Dish.meals) var dishes: [V1.Dish] = []; init() {} }
        }

        """
    let copy = try lint(["Kitchen.swift": source], "--freeze", "V1", "--as", "V1Frozen")
    #expect(copy.status == 0, "\(copy.errors)")
    #expect(copy.output.contains("var photo: Foundation.Data?\n"), "\(copy.output)")
    #expect(copy.output.contains("var seal: Foundation.Data = Foundation.Data(count: 2)\n"))
    #expect(copy.output.contains("var meals: [Data] = []\n"))
  }

  /// What a value type of the copy declares of itself is taken along, and what lies outside is code of the app.
  @Test func aCopyTakesTheConstantsOfItsValueTypesAlong() throws {
    let classes = """
        struct Edge: Codable { var width: Double; static let thin = Edge(width: 1) }
        struct Pane: Codable {
          var left: Edge
          // Nothing around it.
          static let bare = Pane(left: .thin)
          static let usual = bare
          var right: Edge = .thin
        }
        @Model final class Window { var pane: Pane = Pane.usual; init() {} }
      """
    let copy = try lint(
      ["Windows.swift": "import SwiftData\n" + version(models: "Window.self", classes)], "--freeze", "V1", "--as",
      "V1Frozen")
    #expect(copy.status == 0, "\(copy.errors)")
    for line in [
      "static let thin = Edge(width: 1)", "static let bare = Pane(left: .thin)", "static let usual = Pane.bare",
      "var pane: Pane = Pane.usual", "// Nothing around it.",
    ] {
      #expect(copy.output.contains(line + "\n"), "\(line) in \(copy.output)")
    }
    let outside = classes.replacing("Pane.usual", with: "Style.usual")
    let style = "struct Style { static let usual = V1.Pane(left: .thin) }\n"
    let refused = try lint(
      ["Windows.swift": "import SwiftData\n" + style + version(models: "Window.self", outside)], "--freeze", "V1",
      "--as", "V1Frozen")
    #expect(refused.status != 0)
    #expect(
      (refused.output + refused.errors).contains("'Style.usual' is code of the app; write the value in its place"),
      "\(refused.output) \(refused.errors)")
  }

  // MARK: Stages

  private func garden(_ bodies: String...) -> String {
    let versions = bodies.enumerated().map { number, body in
      version(
        "V\(number + 1)", number: number + 1, models: "Bed.self", "  @Model final class Bed { \(body); init() {} }")
    }
    let list = (1...bodies.count).map { "V\($0).self" }.joined(separator: ", ")
    let stages = (1..<bodies.count).map { ".lightweight(fromVersion: V\($0).self, toVersion: V\($0 + 1).self)" }
    return "import SwiftData\n" + versions.joined() + """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(list)] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }

      """
  }

  /// Lightweight stages in a row are one migration, in which a name of the version between says nothing.
  @Test func aChainOfRenamesLosesWhatTheFirstVersionHolds() throws {
    let source = garden(
      "var lime: Int = 0", "@Attribute(originalName: \"lime\") var chalk: Int = 0",
      "@Attribute(originalName: \"chalk\") var calcium: Int = 0")
    let outcome = try lint(["Beds.swift": source])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        #/error: rows of V1.* lose what Bed.calcium of V3 holds: its originalName: is 'chalk', and they have it as 'lime' \[SD932/#
      ),
      "\(outcome.output)")
    // The first name, which every version goes on naming, keeps everything.
    let kept = try lint(["Beds.swift": source.replacing("originalName: \"chalk\"", with: "originalName: \"lime\"")])
    #expect(kept.status == 0, "\(kept.output)")
  }

  /// A property goes and comes back with another type: no two neighbours differ in it.
  @Test func aTypeThatChangesAcrossAVersionStopsTheStores() throws {
    let outcome = try lint([
      "Beds.swift": garden(
        "var name: Int = 0; var depth: String = \"\"", "var name: Int = 0", "var name: Int = 0; var depth: Int = 0")
    ])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "error: the lightweight stages from V1 to V3 are taken as one, which cannot lead there: Bed.depth: "),
      "\(outcome.output)")
  }

  // MARK: Containers

  private let page =
    "import Foundation\nimport SwiftData\n\n@Model final class Page { var text: String = \"\"; init() {} }\n\n"

  /// The function passes the error on, and its caller removes the store, by a function of its own.
  @Test func aWipeBehindFunctionsIsFound() throws {
    let source =
      page + """
        enum Shelf {
          static func open(_ place: URL) throws -> ModelContainer {
            try ModelContainer(for: Page.self, configurations: ModelConfiguration(url: place))
          }
        }
        struct Start {
          let place = URL.documentsDirectory.appending(path: "pages.store")
          func run() -> ModelContainer? {
            do {
              return try Shelf.open(place)
            } catch {
              Cleaner().clean(place)
              return try? Shelf.open(place)
            }
          }
        }

        """
    let cleaner = """
      import Foundation
      struct Cleaner { func clean(_ place: URL) { place.forget() } }
      extension URL { func forget() { try? FileManager.default.removeItem(at: self) } }

      """
    let outcome = try lint(["Start.swift": source, "Cleaner.swift": cleaner])
    #expect(outcome.status == 1, "\(outcome.output)")
    #expect(
      outcome.output.contains(
        #/Cleaner.swift:3:38: error: removeItem where the container cannot be made: the user's data is lost \[SD992/#),
      "\(outcome.output)")
    #expect(!outcome.output.contains("is up to callers of its function"), "\(outcome.output)")
    #expect(outcome.output.contains("neither '-wal' nor '-shm' is named"))
    // What no caller is given of is not known.
    let open = try lint([
      "Start.swift": page + "func open() throws -> ModelContainer { try ModelContainer(for: Page.self) }\n"
    ])
    #expect(open.output.contains("is up to callers of its function"), "\(open.output)")
  }

  /// A reset in an extension of the container leaves the log, and with an app group the store is elsewhere.
  @Test func aResetThatMissesTheStoreIsSaid() throws {
    let source =
      page + """
        func open() -> ModelContainer {
          do { return try ModelContainer(for: Page.self, configurations: ModelConfiguration()) } catch {
            ModelContainer.forgetAll()
            return try! ModelContainer(for: Page.self, configurations: ModelConfiguration())
          }
        }
        extension ModelContainer {
          static func forgetAll() {
            try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: "default.store"))
          }
        }

        """
    let group = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>com.apple.security.application-groups</key>
      <array><string>group.example.pages</string></array></dict></plist>

      """
    let outcome = try lint(["Open.swift": source, "App.entitlements": group])
    #expect(outcome.output.contains("error: removeItem where the container cannot be made"), "\(outcome.output)")
    #expect(outcome.output.contains("neither '-wal' nor '-shm' is named"), "\(outcome.output)")
    #expect(
      outcome.output.contains("App.entitlements' a configuration without url: keeps its store in the group's folder"),
      "\(outcome.output)")
  }

  /// A plan of one version has nothing to migrate: what the container has besides is a note.
  @Test func aContainerWithMoreThanAPlanOfOneVersionIsANote() throws {
    let source =
      page + """
        @Model final class Mark { var text: String = ""; init() {} }
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Page.self] }
        }
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self] }
          static var stages: [MigrationStage] { [] }
        }
        let schema: Schema = .init([Page.self, Mark.self])
        let container = try? ModelContainer(for: schema, migrationPlan: Plan.self)

        """
    let outcome = try lint(["Pages.swift": source], "--check", "SD914")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("note: the container is made for Mark, and Plan ends with V1"), "\(outcome.output)")
    // What is opened is the container's: a store of the version gets the other class.
    let folder = try TemporaryFolder()
    try folder.write(Array(source.utf8), to: "Pages.swift")
    let store = folder("v1.store")
    let sample = try Program.run(["model", "sample", folder("Pages.swift") + "#V1", "--output", store, "--rows", "3"])
    #expect(sample.status == 0, "\(sample.errors)")
    let verdict = try Program.run(["diagnose", store, "--model", folder("Pages.swift"), "--no-config"])
    #expect(verdict.output.hasPrefix("migrates: "), "\(verdict.output)\(verdict.errors)")
  }

  /// An app and its widget open one file, one of them without CloudKit.
  @Test func oneFileWithTwoCloudSettingsIsSaid() throws {
    func source(_ setting: String) -> String {
      page + """
        let place = URL.documentsDirectory.appending(path: "Pages.store")
        func app() throws -> ModelContainer {
          try ModelContainer(for: Page.self, configurations: ModelConfiguration(url: place, cloudKitDatabase: .none))
        }
        func widget() throws -> ModelContainer {
          let file = URL.documentsDirectory.appending(path: "Pages.store")
          return try ModelContainer(for: Page.self, configurations: ModelConfiguration(url: file\(setting)))
        }

        """
    }
    let outcome = try lint(["Pages.swift": source("")], "--check", "SD975")
    #expect(
      outcome.output.contains(
        "Pages.swift:12:14: warning: this file is mirrored to CloudKit here where the app has an iCloud"),
      "\(outcome.output)")
    #expect(
      outcome.output.contains("Pages.swift:8:7: note: the container that opens it without CloudKit"),
      "\(outcome.output)")
    let sound = try lint(["Pages.swift": source(", cloudKitDatabase: .none")], "--check", "SD975")
    #expect(!sound.output.contains("warning"), "\(sound.output)")
  }

  // MARK: Systems

  /// Both sides have the macro and neither names its inverse: systems before 26 infer one, and 26 does not. A store of
  /// either is the source's.
  @Test func oneSourceIsTwoModelsByTheSystem() throws {
    let story = try SourceStory()
    let text = SourceStory.version(
      1, #"var name: String = ""; @Relationship(deleteRule: .cascade) var pages: [Page] = []"#,
      models: "Note.self, Page.self"
    ).replacing(
      "@Model final class Note",
      with: """
        @Model final class Page { init() {}; @Relationship var note: Note? }
          @Model final class Note
        """)
    let stated = text.replacing("deleteRule: .cascade", with: "deleteRule: .cascade, inverse: \\Page.note")
    let pair = try story.source(stated, "Stated/Models.swift")
    let source = try story.source(text)
    let old = try story.store("SchemaV1", of: pair, framework: 1419)
    let answer = try story.diagnose(old, source).output
    #expect(answer.hasPrefix("opens"), "\(answer)")
    let new = try story.store("SchemaV1", of: source, framework: 1526)
    #expect(try story.diagnose(new, source).output.hasPrefix("opens"))
    let wrong = try story.store("SchemaV1", of: pair, framework: 1527)
    #expect(try !story.diagnose(wrong, source).output.hasPrefix("opens"))
    let said = try Program.run(["lint", source, "--no-config"], environment: ["COLUMNS": "300"])
    #expect(said.output.contains("are inverses up to iOS 18 and not on 26"), "\(said.output)")
    let sound = try Program.run(["lint", pair, "--no-config", "--check", "SD965"], environment: ["COLUMNS": "300"])
    #expect(!sound.output.contains("SD965 one-way"), "\(sound.output)")
  }

  // MARK: Classes

  /// The macro requires an initialiser, also of a class whose properties all have values.
  @Test func aClassWithoutInitializerIsAnError() throws {
    let outcome = try lint([
      "Note.swift": "import SwiftData\n\n@Model final class Note { var text: String = \"\"; var pinned = false }\n"
    ])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains(
        "Note.swift:3:20: error: Note has no initialiser, which @Model requires also where every property has a value: "
          + "that does not compile [SD981 model-without-initializer]"), "\(outcome.output)")
    let sound = try lint([
      "Note.swift": "import SwiftData\n\n@Model final class Note { var text: String = \"\"; init() {} }\n"
    ])
    #expect(sound.status == 0, "\(sound.output)")
  }

  /// The name of a module before a type, or before a member of it, is no declaration to look for.
  @Test func aCopyKeepsAModulesNameBeforeAType() throws {
    let classes = """
        @Model final class Letter {
          var sent: Foundation.Date = Foundation.Date.distantPast
          var number: Foundation.UUID = Foundation.UUID()
          var size: Swift.Int = Swift.Int.max
          init() {}
        }
      """
    let copy = try lint(
      ["Post.swift": "import Foundation\nimport SwiftData\n" + version(models: "Letter.self", classes)], "--freeze",
      "V1",
      "--as", "V1Frozen")
    #expect(copy.status == 0, "\(copy.errors)")
    for line in [
      "var sent: Foundation.Date = Foundation.Date.distantPast", "var number: Foundation.UUID = Foundation.UUID()",
      "var size: Swift.Int = Swift.Int.max",
    ] {
      #expect(copy.output.contains(line + "\n"), "\(copy.output)")
    }
  }
}
