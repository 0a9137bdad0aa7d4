import Foundation
import TestSupport
import Testing

/// What `lint` follows of containers: callers, branches and closures, and what it says where it cannot.
@Suite struct FollowedSourceTests {
  private func lint(_ files: [String: String]) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let home = (folder(name) as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      try folder.write(Array(text.utf8), to: name)
    }
    return try Program.run(["lint", folder.path, "--no-config"], environment: ["COLUMNS": "900"])
  }

  private func lint(_ text: String) throws -> Program.Outcome { try lint(["App.swift": text]) }

  private let cup = """
    import Foundation
    import SwiftData

    @Model final class Cup { @Attribute(.unique) var number: Int; init(number: Int) { self.number = number } }
    @Model final class Lid { var width: Int = 0; init() {} }

    """

  private let cloud = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>com.apple.developer.icloud-container-identifiers</key><array><string>iCloud.cups</string></array>
    <key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>
    </dict></plist>

    """

  // MARK: Callers

  /// The setting is that of the callers, who choose between two configurations.
  @Test func theCallersConfigurationDecides() throws {
    let source =
      cup + """
        enum Cupboard {
          static func open(with configuration: ModelConfiguration) throws -> ModelContainer {
            let schema: Schema = .init([Cup.self])
            return try ModelContainer(for: schema, configurations: [configuration])
          }
        }
        func start(_ place: URL?) throws -> ModelContainer {
          let chosen: ModelConfiguration
          if let place {
            chosen = ModelConfiguration("Cups", url: place, cloudKitDatabase: .none)
          } else {
            chosen = ModelConfiguration(cloudKitDatabase: .none)
          }
          return try Cupboard.open(with: chosen)
        }

        """
    let plain = try lint(["App.swift": source, "App.entitlements": cloud])
    #expect(plain.status == 0 && !plain.output.contains("CloudKit"), "\(plain.output)")
    let mirrored = try lint([
      "App.swift": source.replacing(
        "place, cloudKitDatabase: .none", with: "place, cloudKitDatabase: .private(\"iCloud.cups\")"),
      "App.entitlements": cloud,
    ])
    #expect(mirrored.output.contains("Cup is unique by number, and its container may mirror"), "\(mirrored.output)")
  }

  /// Whether the container mirrors is said once for it, and not for each property.
  @Test func whatIsNotDecidedIsSaidOnce() throws {
    let outcome = try lint([
      "App.swift": cup
        + "let c = try ModelContainer(for: Cup.self, Lid.self, configurations: Remote.configuration())\n",
      "App.entitlements": cloud,
    ])
    #expect(outcome.status == 0 && !outcome.output.contains("SD972"), "\(outcome.output)")
    #expect(
      outcome.output.contains("App.swift:6:13: whether the container mirrors to CloudKit is not decided here")
        && outcome.output.replacing("\n    ", with: " ").contains("where it does, CloudKit refuses Cup [SD971]"),
      "\(outcome.output)")
  }

  /// Each caller hands its own schema and plan to one function.
  @Test func aFactoryIsReadForEachOfItsCallers() throws {
    let source =
      cup + """
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Cup.self] }
        }
        enum CupPlan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self] }
          static var stages: [MigrationStage] { [] }
        }
        enum Factory {
          static func make(_ schema: Schema, plan: (some SchemaMigrationPlan).Type, inMemory: Bool = false) throws -> ModelContainer {
            try ModelContainer(
              for: schema, migrationPlan: plan, configurations: ModelConfiguration(isStoredInMemoryOnly: inMemory))
          }
        }
        let cups = try? Factory.make(Schema(versionedSchema: V1.self), plan: CupPlan.self)
        let lids = try? Factory.make(Schema([Lid.self]), plan: CupPlan.self)

        """
    let outcome = try lint(source)
    #expect(
      outcome.output.contains(
        "note: the container is made for Lid, and CupPlan ends with V1, which has no class of that name"),
      "\(outcome.output)")
    #expect(!outcome.output.contains("SD918") && !outcome.output.contains("is not known"), "\(outcome.output)")
    // Without callers it is one line.
    let open = try lint(String(source.prefix(upTo: source.range(of: "let cups")!.lowerBound)))
    let unknown = open.output.split(separator: "\n").filter { $0.contains("not known") || $0.contains("not all known") }
    #expect(unknown.count == 1 && unknown[0].contains("App.swift:16:9"), "\(open.output)")
  }

  // MARK: Files

  /// The app turns CloudKit on by a setting, and its extension opens the file as the entitlements have it.
  @Test func anExtensionOpensTheFileOfTheAppOtherwise() throws {
    let app =
      cup + """
        let group = "group.cups"
        func open(syncs: Bool) throws -> ModelContainer {
          let place: URL? = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?
            .appendingPathComponent("Cups.store")
          let config: ModelConfiguration
          if syncs, let url = place {
            config = ModelConfiguration("Cups", url: url, cloudKitDatabase: .private("iCloud.cups"))
          } else if let url = place {
            config = ModelConfiguration("Cups", url: url, cloudKitDatabase: .none)
          } else {
            config = ModelConfiguration("Cups", cloudKitDatabase: .none)
          }
          return try ModelContainer(for: Lid.self, configurations: [config])
        }

        """
    let keyboard = """
      import SwiftData
      func openInKeyboard() throws -> ModelContainer? {
        guard let shared = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.cups") else { return nil }
        return try ModelContainer(for: Lid.self, configurations: ModelConfiguration("Cups", url: shared.appendingPathComponent("Cups.store")))
      }

      """
    let outcome = try lint(["App.swift": app, "Keyboard.swift": keyboard, "App.entitlements": cloud])
    let lines = outcome.output.split(separator: "\n").filter { $0.contains("SD975") }
    #expect(lines.count == 1 && lines[0].contains("Keyboard.swift:4:14: warning: "), "\(outcome.output)")
  }

  @Test func oneFileForOtherClassesIsSaid() throws {
    let outcome = try lint(
      cup + """
        let place = URL.documentsDirectory.appending(path: "cups.store")
        func app() throws -> ModelContainer { try ModelContainer(for: Cup.self, Lid.self, configurations: ModelConfiguration(url: place)) }
        func widget() throws -> ModelContainer { try ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: place)) }

        """)
    #expect(
      outcome.output.contains(
        "App.swift:8:46: warning: this file is opened for other classes elsewhere (Lid in one alone)"),
      "\(outcome.output)")
  }

  // MARK: Failures

  /// The error is wrapped and thrown again, and only release builds remove the store.
  @Test func aWipeOfReleaseBuildsIsFound() throws {
    let outcome = try lint(
      cup + """
        func open(_ place: URL) throws -> ModelContainer {
          do { return try ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: place)) } catch {
            throw CocoaError(.fileReadUnknown)
          }
        }
        extension ModelContainer {
          static let shared: ModelContainer = {
            do { return try open(.cups) } catch {
              #if DEBUG
              fatalError()
              #else
              removeFiles()
              return try! open(.cups)
              #endif
            }
          }()
          static func removeFiles() {
            for file in ["cups.sqlite-wal", "cups.sqlite-shm", "cups.sqlite"] {
              try? FileManager.default.removeItem(at: URL.documentsDirectory.appending(path: file))
            }
          }
        }
        extension URL { static let cups = URL.documentsDirectory.appending(path: "cups.sqlite") }

        """)
    #expect(
      outcome.output.contains(
        "App.swift:24:12: error: removeItem where the container cannot be made: the user's data is lost ["),
      "\(outcome.output)")
  }

  /// What opens the store, and what is done where that fails, are handed over as closures.
  @Test func aWipeInAClosureIsFound() throws {
    let outcome = try lint(
      cup + """
        func open() throws -> ModelContainer { try ModelContainer(for: Cup.self) }
        func start() -> ModelContainer? { attempt(open: { try open() }, recover: { wipe(); return try? open() }) }
        func attempt(open: () throws -> ModelContainer, recover: () -> ModelContainer?) -> ModelContainer? {
          do { return try open() } catch { return recover() }
        }
        func wipe() { try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: "default.store")) }

        """)
    #expect(
      outcome.output.contains("App.swift:11:20: error: removeItem where the container cannot be made"),
      "\(outcome.output)")
    #expect(!outcome.output.contains("is up to callers"), "\(outcome.output)")
  }

  /// The clause falls through to a second try, before which the side files go.
  @Test func removingTheSideFilesAloneIsSaid() throws {
    let source =
      cup + """
        struct Start {
          let place = URL.documentsDirectory.appending(path: "cups.store")
          func run() -> ModelContainer? {
            do { return try ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: place)) } catch { print(error) }
            dropLog()
            return try? ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: place))
          }
          func dropLog() {
            let sides = ["-wal", "-shm"]
            for side in sides { try? FileManager.default.removeItem(at: URL(filePath: place.path + side)) }
          }
        }

        """
    let outcome = try lint(source)
    #expect(
      outcome.output.contains(
        "App.swift:15:30: error: removeItem where the container cannot be made: '-wal' and '-shm' alone"),
      "\(outcome.output)")
    let whole = try lint(source.replacing("[\"-wal\"", with: "[\"\", \"-wal\""))
    #expect(
      whole.output.contains("15:30: error: removeItem where the container cannot be made: the user's data is lost ["))
  }

  /// A copy that the same function has just made is nobody's data, and a file of the app's log is no store.
  @Test func whatIsNotTheStoreIsNoWipe() throws {
    let outcome = try lint([
      "App.swift": cup + """
        func migrate(_ original: URL, _ staged: URL) throws {
          do {
            try FileManager.default.copyItem(at: original, to: staged)
            _ = try open(staged)
          } catch {
            Log.write("failed")
            discard(staged)
            throw error
          }
        }
        func open(_ place: URL) throws -> ModelContainer {
          try ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: place))
        }
        func discard(_ file: URL) { try? FileManager.default.removeItem(at: file) }

        """,
      "Log.swift": """
      import Foundation
      enum Log {
        static let file = URL.cachesDirectory.appending(path: "app.log")
        static func write(_ text: String) { turnOver(file) }
        static func turnOver(_ old: URL) { try? FileManager.default.removeItem(at: old) }
      }

      """,
    ])
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(
      outcome.output.contains(
        "App.swift:19:34: note: removeItem where the container cannot be made: what is removed is the copy that copyItem has just made"
      ),
      "\(outcome.output)")
    #expect(
      outcome.output.contains(
        "Log.swift:5:43: whether the file that removeItem removes here is the store's is not known [SD992]"))
  }

  @Test func aWipeThatNamesAnotherFileSaysSo() throws {
    let outcome = try lint(
      cup + """
        func open() -> ModelContainer? {
          do {
            return try ModelContainer(for: Cup.self, configurations: ModelConfiguration(url: URL.documentsDirectory.appending(path: "cups.store")))
          } catch {
            for name in ["default.store", "default.store-wal"] {
              try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: name))
            }
            return nil
          }
        }

        """)
    #expect(
      outcome.output.contains("what is removed is 'default.store', and the container's file is 'cups.store'"),
      "\(outcome.output)")
  }

  // MARK: Plans

  /// A plan that leads back, kept beside the other one and given to no container.
  @Test func whatNoContainerRunsIsANote() throws {
    func version(_ number: Int, _ body: String) -> String {
      """
      enum V\(number): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(number), 0, 0)
        static var models: [any PersistentModel.Type] { [Mug.self] }
        @Model final class Mug { \(body); init() {} }
      }

      """
    }
    let source =
      "import SwiftData\n" + version(1, "var size: Int = 0") + version(2, "var size: Int = 0; var paint: String = \"\"")
      + version(3, "var glaze: Double = 0") + """
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
        }
        enum BackPlan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V2.self, V1.self] }
          static var stages: [MigrationStage] { [.lightweight(fromVersion: V2.self, toVersion: V1.self)] }
        }
        let c = try ModelContainer(for: V2.Mug.self, migrationPlan: Plan.self)

        """
    let outcome = try lint(source)
    #expect(outcome.status == 0 && !outcome.output.contains(": warning: "), "\(outcome.output)")
    for line in [
      "note: no container is made with BackPlan [SD918 plan-of-no-container]",
      "note: no plan's schemas names V3 [SD907",
      "note: V1 has the identifier 1.0.0, less than that of V2 before it [SD904",
    ] {
      #expect(outcome.output.contains(line), "\(line) in \(outcome.output)")
    }
    #expect(outcome.output.contains("note: BackPlan leads back along Plan"))
  }

  /// What a plan that no container runs says of a version that another plan has too is a note as well.
  @Test func aStepBackThatNoContainerTakesIsANote() throws {
    let source = """
      import SwiftData
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Mug.self] }
        @Model final class Mug { var size: Int; init(size: Int) { self.size = size } }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Mug.self] }
        @Model final class Mug { var paint: String = ""; init() {} }
      }
      enum BackPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V2.self, V1.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: V2.self, toVersion: V1.self)] }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
      }
      let c = try ModelContainer(for: V2.Mug.self, migrationPlan: Plan.self)

      """
    let outcome = try lint(source)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("note: Mug.size is new in V1, required and without a default"), "\(outcome.output)")
    // A container that runs it makes it an error.
    let run = try lint(source + "let back = try ModelContainer(for: V1.Mug.self, migrationPlan: BackPlan.self)\n")
    #expect(run.status == 1 && run.output.contains("error: Mug.size is new in V1"), "\(run.output)")
  }

  /// All properties of an entity that stop a stage for the same reason are named.
  @Test func allThatStopsAStageIsNamed() throws {
    let source = """
      import SwiftData
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Guest.self] }
        @Model final class Guest { var seat: Int = 0; init() {} }
      }
      enum V2: VersionedSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Guest.self] }
        @Model final class Guest {
          var seat: Int = 0
          var firstName: String
          var lastName: String
          init(firstName: String, lastName: String) { self.firstName = firstName; self.lastName = lastName }
        }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
      }
      let c = try ModelContainer(for: V2.Guest.self, migrationPlan: Plan.self)

      """
    let outcome = try lint(source)
    #expect(
      outcome.output.contains(
        "a lightweight stage cannot lead from V1 to V2: Guest.firstName and Guest.lastName are new and required, and rows "
          + "have no value [SD925"), "\(outcome.output)")
  }

  // MARK: Projects

  /// Entitlements of another project in the repository say nothing of this app.
  @Test func entitlementsOfAnotherProjectDecideNothing() throws {
    let source = cup + "let c = try ModelContainer(for: Cup.self)\n"
    let files = [
      "Cups/App.swift": source, "Cups/Cups.xcodeproj/project.pbxproj": "{}",
      "Plates/Plates.xcodeproj/project.pbxproj": "{}", "Plates/Plates/Plates.entitlements": cloud,
    ]
    let apart = try lint(files)
    #expect(apart.status == 0 && !apart.output.contains("CloudKit refuses"), "\(apart.output)")
    let own = try lint(files.merging(["Cups/Cups.entitlements": cloud]) { $1 })
    #expect(own.status == 1 && own.output.contains("SD971"), "\(own.output)")
  }
}
