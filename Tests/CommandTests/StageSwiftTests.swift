import Foundation
import TestSupport
import Testing

/// `migrate --perform --stage-swift`: the Swift of a stage that was performed.
@Suite struct StageSwiftTests {
  private static let example = Project.path("examples/test-a-custom-stage")
  private static let school = [
    "migrate", "\(example)/SchoolBridge.sqlite", "--model", "\(example)/School.xcdatamodeld", "--opening", "staged",
    "--stages", "custom:School 2>School 3", "--dry-run", "--stage-swift",
  ]

  @Test func writesTheStageThatWasPerformed() throws {
    let folder = try TemporaryFolder()
    let arguments = Self.school + [folder("Stage.swift"), "--perform", "School 2>School 3=\(Self.example)/stage.yaml"]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("type-checked against stand-ins only"))
    let text = try String(contentsOfFile: folder("Stage.swift"), encoding: .utf8)
    #expect(text.contains("func school2ToSchool3() -> NSCustomMigrationStage {"))
    #expect(!text.contains("#warning"))
    let again = try Program.run(arguments)
    #expect(again.status == 2 && again.errors.contains("it exists; --force replaces it"))
  }

  @Test func usesTheClassesAndThePlanOfTheSource() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run([
      "migrate", "\(Self.example)/Trips/2.0.store", "--model", "\(Self.example)/Trips/Models", "--dry-run",
      "--perform", "TripsV2>TripsV3=\(Self.example)/budget.yaml", "--stage-swift", folder("Stage.swift"),
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let text = try String(contentsOfFile: folder("Stage.swift"), encoding: .utf8)
    for words in [
      "extension TripsPlan {", "fromVersion: TripsV2.self, toVersion: TripsV3.self,", "willMigrate: nil,",
      "for object in try StageValue.inOrder(Trip.self, context) where object.budget == nil {",
    ] {
      #expect(text.contains(words), "\(words)")
    }
  }

  @Test func tellsWhatIsLeftOut() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("version: 1\nwillMigrate: {structure: [high-water]}\n".utf8), to: "stage.yaml")
    let arguments = Self.school + [folder("Stage.swift"), "--perform", "School 2>School 3=\(folder("stage.yaml"))"]
    let outcome = try Program.run(arguments + ["--format", "json"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("not in '\(folder("Stage.swift"))': willMigrate: structure high-water: "))
    #expect(outcome.output.contains("\"notWritten\": [\n"))
    let text = try String(contentsOfFile: folder("Stage.swift"), encoding: .utf8)
    #expect(text.contains("#warning(\"not written: willMigrate: structure high-water: "))
  }

  @Test func needsARecipe() throws {
    let outcome = try Program.run(Self.school + ["Stage.swift"])
    #expect(outcome.status == 64 && outcome.errors.contains("name it with --perform"))
  }
}
