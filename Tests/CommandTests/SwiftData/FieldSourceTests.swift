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
