import SwiftDataSource
import Testing

@testable import SwiftDataLint

/// SD994 and SD996, which read the code of tests.
@Suite struct MigrationTestCheckTests {
  private let plan = """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = "" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = ""; var n = 0 }
    }
    """

  private func test(_ first: String, _ second: String) -> String {
    """
    struct MigrationTests {
      @Test func migrates() throws {
        let before = \(first)
        let old = try ModelContainer(for: V1.Note.self, configurations: before)
        let after = \(second)
        let new = try ModelContainer(for: V2.Note.self, migrationPlan: Plan.self, configurations: after)
      }
    }
    """
  }

  private func project(_ test: String, _ more: [String: String] = [:]) -> [String: String] {
    ["Sources/Plan.swift": plan, "Tests/AppTests/MigrationTests.swift": test].merging(more) { first, _ in first }
  }

  private let memory = "ModelConfiguration(\"migration\", isStoredInMemoryOnly: true)"
  private let file = "ModelConfiguration(url: folder.appending(path: \"v1.store\"))"

  @Test func migrationInMemory() {
    #expect(
      lines(.migrationInMemory, project(test(memory, memory))) == [
        "Tests/AppTests/MigrationTests.swift:6: warning: the test reopens a store in memory, which begins empty: nothing is "
          + "migrated"
      ])
    #expect(lines(.migrationInMemory, project(test(file, memory))).count == 1)
    #expect(lines(.migrationInMemory, project(test(file, file))) == [])
    // The app's own code may make containers in memory, for previews.
    #expect(lines(.migrationInMemory, ["Sources/Plan.swift": plan + "\n" + test(memory, memory)]) == [])
  }

  /// A test of a feature that opens the plan in memory does not intend to migrate.
  @Test func aContainerInMemoryAloneIsFine() {
    let feature = """
      @Test func feature() throws {
        let c = try ModelContainer(for: V2.Note.self, migrationPlan: Plan.self, configurations: \(memory))
      }
      @Test func other() throws {
        let c = try ModelContainer(for: V1.Note.self, configurations: \(memory))
      }
      """
    #expect(lines(.migrationInMemory, project(feature)) == [])
    let turned = feature.split(separator: "@Test").reversed().map { "@Test\($0)" }.joined(separator: "\n")
    #expect(lines(.migrationInMemory, project(turned)) == [])
  }

  @Test func ownStoresOnly() {
    #expect(
      lines(.ownStoresOnly, project(test(file, file))) == [
        "Tests/AppTests/MigrationTests.swift:6: note: tests open the plan, and no store of a release is in the repository: "
          + "only what they wrote themselves is migrated"
      ])
    #expect(lines(.ownStoresOnly, project(test(file, file), ["Tests/Fixtures/V1.store": ""])) == [])
    #expect(lines(.ownStoresOnly, project(test(file, file), ["Shipped/Notes.sqlite": ""])) == [])
    // A store in the bundle may have any name.
    let bundled = test("configuration(Bundle.module.url(forResource: \"V1\", withExtension: \"bin\"))", file)
    #expect(lines(.ownStoresOnly, project(bundled)) == [])
    #expect(
      lines(.ownStoresOnly, project("struct OtherTests { let c = try? ModelContainer(for: V1.Note.self) }")) == [])
  }

  @Test func withoutTestsNothingIsPassed() {
    #expect(skips(.migrationInMemory, plan) == ["there are no tests in the paths given"])
    #expect(skips(.ownStoresOnly, plan) == ["there are no tests in the paths given"])
    #expect(skips(.ownStoresOnly, "@Model final class Note { var text = \"\" }") == [])
  }

  /// Classes in tests are not models of the app.
  @Test func testsAreReadForNothingElse() {
    let models = "@Model final class Sample { var id = 0 }\nlet c = try? ModelContainer(for: Sample.self)"
    let reading = LintSubject(SourceProject(texts: project(models))).reading
    #expect(reading.schemas.map(\.name) == ["V1", "V2"])
    #expect(reading.containers.isEmpty)
    #expect(reading.fileCount == 1)
  }
}
