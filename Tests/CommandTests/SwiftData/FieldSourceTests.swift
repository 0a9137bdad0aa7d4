import Foundation
import StoreDataModel
import StoreGenerator
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
    let warned =
      "opens on iOS 17 and 18; on iOS 26 (frameworks from 1522) the same classes are another model for 'Note' and 'Page': the "
      + "store is migrated to it; inverse: \\Page.note in Note.pages makes it one"
    #expect(answer.replacing(#/\n +/#, with: " ").contains(warned), "\(answer)")
    let match = try Program.run(["model", "match", old, source], environment: ["COLUMNS": "400"])
    #expect(
      match.output.contains(
        "'SchemaV1' is not one model on all systems: the store's model is that of iOS 17 and 18, and the store was last "
          + "written by framework 1419; on iOS 26 (frameworks from 1522) the same classes are another; inverse: "
          + "\\Page.note in Note.pages makes it one"), "\(match.output)")
    // Nothing is said of source that is one model.
    #expect(try !story.diagnose(old, pair).output.contains("iOS"))
    #expect(try !Program.run(["model", "match", old, pair]).output.contains("iOS"))
    let new = try story.store("SchemaV1", of: source, framework: 1526)
    #expect(try story.diagnose(new, source).output.hasPrefix("opens"))
    let wrong = try story.store("SchemaV1", of: pair, framework: 1527)
    #expect(try !story.diagnose(wrong, source).output.hasPrefix("opens"))
    // Whatever system wrote it last, a hash is that of the reading that has it.
    let found = try Program.run(["model", "match", wrong, source], environment: ["COLUMNS": "400"])
    #expect(found.output.contains("that of iOS 17 and 18, and the store was last written by framework 1527"))
    // The hashes of all systems are printed, and a store decides.
    let hashes = try Program.run(["model", "hash", source], environment: ["COLUMNS": "200"]).output
    let ofPair = try Program.run(["model", "hash", pair], environment: ["COLUMNS": "200"]).output
    for line in ofPair.split(separator: "\n").dropFirst(2) { #expect(hashes.contains(line), "\(line) in \(hashes)") }
    #expect(
      hashes.contains("! on iOS 17 and 18 (frameworks below 1420) the same classes are another model for Note, Page"),
      "\(hashes)")
    #expect(hashes.contains("! on iOS 18 after 18.2 (frameworks 1420 to 1521) they may be, which no store has shown"))
    let decided = try Program.run(["model", "hash", source, "--store", old], environment: ["COLUMNS": "200"]).output
    #expect(decided.contains("! on iOS 26 (frameworks from 1522) the same classes are another model for Note, Page"))
    let said = try Program.run(["lint", source, "--no-config"], environment: ["COLUMNS": "300"])
    #expect(said.output.contains("are inverses up to iOS 18 and not on 26"), "\(said.output)")
    let sound = try Program.run(["lint", pair, "--no-config", "--check", "SD965"], environment: ["COLUMNS": "300"])
    #expect(!sound.output.contains("SD965 one-way"), "\(sound.output)")
  }

  /// With a plan, the other system does not know the store: a warning.
  @Test func aPlanOfOneSourceIsTwoPlansByTheSystem() throws {
    let story = try SourceStory()
    let classes = { (number: Int, more: String) in
      SourceStory.version(
        number, "@Relationship(deleteRule: .cascade) var pages: [Page] = []\(more)", models: "Note.self, Page.self"
      ).replacing(
        "@Model final class Note",
        with: """
          @Model final class Page { init() {}; @Relationship var note: Note? }
            @Model final class Note
          """)
    }
    let text = classes(1, "") + classes(2, "; var name: String = \"\"") + SourceStory.plan(1, 2)
    let source = try story.source(text)
    let pair = try story.source(
      text.replacing("deleteRule: .cascade", with: "deleteRule: .cascade, inverse: \\Page.note"), "Stated/Models.swift")
    let old = try story.store("SchemaV1", of: pair, framework: 1345)
    let answer = try story.diagnose(old, source)
    let words =
      "on iOS 26 (frameworks from 1522) the same classes are another model for 'Note' and 'Page': the plan does not "
      + "know the store: 134504; inverse: \\Page.note in Note.pages makes it one"
    let output = answer.output.replacing(#/\n +/#, with: " ")
    #expect(output.contains("W SD808 " + words), "\(output)")
    #expect(output.contains("this holds on iOS 17 and 18; " + words), "\(output)")
    let new = try story.store("SchemaV1", of: source, framework: 1526)
    let other = try story.diagnose(new, source).output.replacing(#/\n +/#, with: " ")
    #expect(
      other.contains("this holds on iOS 26; on iOS 17 and 18 (frameworks below 1420) the same classes"), "\(other)")
  }

  /// A class name of a value, which source cannot tell, is no change: the bytes are those of the class itself.
  @Test func whatSourceCannotTellOfValuesIsNoChange() throws {
    let story = try SourceStory()
    let source = try story.source(
      SourceStory.version(1, "var name: String = \"\"; var order: [UUID] = []; var parts: [Data] = []"))
    let json = try Program.run(["model", "convert", "\(source)#SchemaV1", "--to", "json"])
    let stated = json.output.replacing(
      #/"name": "(order|parts)",\s+"type": "Transformable",/#
    ) { "\"name\": \"\($0.1)\", \"type\": \"Transformable\", \"valueClassName\": \"Array<\($0.1)>\"," }
    #expect(stated != json.output)
    let document = try ModelDocument(Array(stated.utf8))
    let model = try #require(document.versions.first?.model)
    let path = story.folder("values.store")
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1419, usesWAL: false))
    try writer.insert("Note", ["order": .blob([1, 2, 3])])
    try writer.finish()
    let answer = try story.diagnose(path, source).output
    #expect(answer.hasPrefix("opens"), "\(answer)")
    #expect(!answer.contains("transformer"), "\(answer)")
  }

  // MARK: Types that nothing tells

  /// A type whose reading is not known is taken for what the user says, and everything that rests on it says so.
  @Test func aTypeIsTakenForWhatTheUserSays() throws {
    let folder = try TemporaryFolder()
    let later = "var name: String = \"\"; var price: Money?; var text: AttributedString?"
    let source =
      "import Foundation\nimport SwiftData\n" + SourceStory.version(1, "var name: String = \"\"")
      + SourceStory.version(2, "var name: String = \"\"; var count: Int = 0") + SourceStory.version(3, later)
      + SourceStory.plan(1, 2, 3)
    try folder.write(Array(source.utf8), to: "Models.swift")
    let path = folder("Models.swift")
    let assumed = ["--assume", "Money=decimal", "--assume", "AttributedString=transformable"]
    func run(_ words: [String], _ more: [String] = []) throws -> Program.Outcome {
      try Program.run(words + more, environment: ["COLUMNS": "300"])
    }
    // Versions that do not need it work without.
    let store = folder("v1.store")
    #expect(try run(["model", "sample", "\(path)#SchemaV1", "--output", store, "--rows", "3"]).status == 0)
    #expect(try run(["model", "convert", "\(path)#SchemaV2", "--to", "swift"]).status == 0)
    let rehearsed = try run(["rehearse", store, "--model", path, "--to-version", "SchemaV2"])
    #expect(rehearsed.status == 0, "\(rehearsed.output)\(rehearsed.errors)")
    #expect(try run(["diagnose", store, "--model", path, "--to-version", "SchemaV2"]).output.hasPrefix("migrates"))
    // The version that needs it does not, and does with the assumption, which is marked.
    #expect(try run(["model", "sample", path, "--output", folder("v3.store")]).status == 2)
    #expect(try run(["diagnose", store, "--model", path]).status == 2)
    let words = "SchemaV3.Note.price: Money is taken for Decimal (--assume)"
    for command in [
      ["model", "sample", path, "--output", folder("v3.store")], ["diagnose", store, "--model", path],
      ["model", "hash", "\(path)#SchemaV3"], ["model", "hash", path], ["model", "show", "\(path)#SchemaV3"],
      ["model", "convert", path, "--to", "json"], ["lint", path, "--no-config"], ["model", "match", store, path],
    ] {
      let outcome = try run(command, assumed)
      #expect((outcome.status ?? 9) < 2, "\(command) \(outcome.errors)")
      #expect((outcome.output + outcome.errors).contains(words), "\(command)\n\(outcome.output)\(outcome.errors)")
    }
    #expect(
      try run(["diagnose", store, "--model", path], assumed).output.hasPrefix(
        "migrates: staged migration to 'SchemaV3' succeeds (assumed)"))
    // A pin of it is none.
    let pins = try run(["model", "pin", path], assumed)
    #expect(
      (pins.output + pins.errors).contains("what a property of it is stored as was assumed (--assume)"),
      "\(pins.output)\(pins.errors)")
    // The configuration says it too.
    try folder.write(
      Array("version: 1\ndefaults:\n  assume: [Money=decimal, AttributedString=transformable]\n".utf8),
      to: ".storedoctor.yaml")
    let configured = try run(["diagnose", store, "--model", path, "--config", folder(".storedoctor.yaml")])
    #expect(configured.output.contains(words), "\(configured.output)\(configured.errors)")
    for command in [
      ["model", "hash", path], ["model", "match", store, path], ["model", "show", "\(path)#SchemaV3"],
      ["model", "sample", path, "--output", folder("v3c.store")], ["model", "convert", path, "--to", "json"],
    ] {
      let outcome = try run(command, ["--config", folder(".storedoctor.yaml")])
      #expect((outcome.status ?? 9) < 2, "\(command) \(outcome.errors)")
      #expect((outcome.output + outcome.errors).contains(words), "\(command)\n\(outcome.output)\(outcome.errors)")
      #expect(try run(command, ["--no-config"]).output.contains(words) == false)
    }
    for command in [
      ["inspect", folder("v3c.store"), "--store-model", "\(path)#SchemaV3"],
      ["rows", folder("v3c.store"), "Note", "--store-model", "\(path)#SchemaV3"],
      ["migrate", store, "--model", path, "--dry-run", "--allow-assumed"],
      ["rehearse", store, "--model", path, "--allow-assumed"],
      ["rehearse", "--test-skeleton", "swift-testing", folder("Tests"), "--model", path, "--allow-assumed"],
    ] {
      #expect(try run(command, ["--no-config"]).errors.contains("Money is not declared"), "\(command)")
      let outcome = try run(command, ["--config", folder(".storedoctor.yaml")])
      #expect(outcome.status == 0, "\(command) \(outcome.output)\(outcome.errors)")
    }
    #expect(try run(["model", "hash", path], ["--assume", "Money=gold"]).status == 64)
    try folder.write(Array("version: 1\ndefaults: {assume: [Money]}\n".utf8), to: ".storedoctor.yaml")
    #expect(
      try run(["diagnose", store, "--model", path, "--config", folder(".storedoctor.yaml")]).errors.contains(
        "as in URL=uri"))
  }

  /// A version that is not known does not stop the tests of others.
  @Test func anUnknownVersionDoesNotStopTheTestsOfOthers() throws {
    let folder = try TemporaryFolder()
    let source =
      "import Foundation\nimport SwiftData\n" + SourceStory.version(1, "var name: String = \"\"; var price: Money?")
      + SourceStory.version(2, "var name: String = \"\"")
      + SourceStory.version(3, "var name: String = \"\"; var count: Int = 0")
      + SourceStory.plan(1, 2, 3)
    try folder.write(Array(source.utf8), to: "Models.swift")
    let made = try Program.run(
      ["rehearse", "--test-skeleton", "swift-testing", folder("Tests"), "--model", folder("Models.swift")],
      environment: ["COLUMNS": "300"])
    #expect(made.output.contains(#/SchemaV1 +none +disabled/#), "\(made.output)\(made.errors)")
    #expect(made.output.contains(#/SchemaV2 +\S+ +written/#), "\(made.output)\(made.errors)")
    let store = folder("v2.store")
    _ = try Program.run(["model", "sample", folder("Models.swift") + "#SchemaV2", "--output", store, "--rows", "3"])
    let rehearsed = try Program.run(["rehearse", store, "--model", folder("Models.swift")])
    #expect(rehearsed.status == 0, "\(rehearsed.output)\(rehearsed.errors)")
    #expect(rehearsed.errors.contains("a store whose way leads through it is not judged"), "\(rehearsed.errors)")
  }

  /// A custom stage whose closures are both nil is performed; one with code is not.
  @Test func aCustomStageWithoutCodeIsPerformed() throws {
    let folder = try TemporaryFolder()
    let source =
      "import SwiftData\n" + SourceStory.version(1, "var name: String = \"\"")
      + SourceStory.version(2, "var name: String = \"\"; var count: Int = 0") + """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
          static var stages: [MigrationStage] {
            [.custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: nil)]
          }
        }

        """
    try folder.write(Array(source.utf8), to: "Models.swift")
    try folder.write(Array(source.replacing("didMigrate: nil", with: "didMigrate: { _ in }").utf8), to: "Code.swift")
    let store = folder("v1.store")
    _ = try Program.run(["model", "sample", folder("Models.swift") + "#SchemaV1", "--output", store, "--rows", "3"])
    let performed = try Program.run(["rehearse", store, "--model", folder("Models.swift")])
    #expect(performed.status == 0, "\(performed.output)")
    let refused = try Program.run(["rehearse", store, "--model", folder("Code.swift")])
    #expect(refused.status == 1 && refused.output.contains("is a custom stage"), "\(refused.output)")
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
