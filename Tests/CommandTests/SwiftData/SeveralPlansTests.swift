import TestSupport
import Testing

/// Two plans in one file: the main one, and one that migrates back the stores of a faulty release.
@Suite struct SeveralPlansTests {
  private let title = #"var title: String = """#

  private func story() throws -> (SourceStory, source: String) {
    let story = try SourceStory()
    let rescue = SourceStory.plan(2, 3).replacing("enum Plan:", with: "enum RescuePlan:")
    let source =
      SourceStory.version(1, title) + SourceStory.version(2, "\(title); var lost: Int = 0")
      + SourceStory.version(3, "\(title); var stars: Int = 0") + SourceStory.plan(1, 3) + rescue
    return (story, try story.source(source))
  }

  @Test func versionsAndPlansAreReachedByName() throws {
    let (story, source) = try story()
    defer { withExtendedLifetime(story) {} }
    let hashes = try Program.run(["model", "hash", source])
    #expect(hashes.status == 0 && hashes.output.contains("3 versions, which is current is not known"), "\(hashes)")
    let version = try Program.run(["model", "show", source + "#SchemaV2"])
    #expect(version.status == 0 && version.output.contains("lost"), "\(version)")
    let plan = try Program.run(["model", "show", source + "#RescuePlan"])
    #expect(plan.status == 0 && plan.output.contains("stars") && !plan.output.contains("SchemaV1"), "\(plan)")
  }

  @Test func whatNeedsOnePlanNamesThem() throws {
    let (story, source) = try story()
    let store = try story.store("SchemaV2", of: source)
    let both = try story.diagnose(store, source)
    #expect(both.status == 2)
    #expect(both.errors.contains("several migration plans ('Plan', 'RescuePlan')"), "\(both.errors)")
    #expect(both.errors.contains("--migration-plan"), "\(both.errors)")
    for named in [
      try story.diagnose(store, source, ["--migration-plan", "RescuePlan"]),
      try story.diagnose(store, source + "#RescuePlan"),
    ] {
      #expect(named.output.hasPrefix("migrates: staged migration to 'SchemaV3'"), "\(named)")
    }
    let main = try story.diagnose(store, source, ["--migration-plan", "Plan"])
    #expect(main.output.hasPrefix("unknown-version:"), "\(main)")
    let wrong = try story.diagnose(store, source, ["--migration-plan", "Pan"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("no plan 'Pan' in '\(source)'; it has 'Plan', 'RescuePlan'"), "\(wrong.errors)")
  }
}
