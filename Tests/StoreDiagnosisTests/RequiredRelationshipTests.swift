import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreGenerator
import StoreTestSupport
import TestSupport
import Testing

/// Only a to-many with a minimum count above 0 must have objects: Core Data saves others empty, even required ones.
@Suite struct RequiredRelationshipTests {
  @Test(
    arguments: [
      (false, 0, []), (false, 1, ["SD407 warning League.teams 1 [2]"]), (true, 1, []), (true, 0, []),
      (false, 2, ["SD407 warning League.teams 1 [2]", "SD408 warning League.teams 1 [1]"]),
    ] as [(Bool, Int32, [String])])
  func anEmptyToManyIsWrongBelowItsMinimum(_ isOptional: Bool, _ least: Int32, _ findings: [String]) throws {
    let folder = try TemporaryFolder()
    let model = try Model(entities: [
      Entity(
        name: "League",
        properties: [.toMany("teams", "Team", inverse: "league", count: least...Int32.max, optional: isOptional)]),
      Entity(name: "Team", properties: [.toOne("league", "League", inverse: "teams")]),
    ])
    let writer = try StoreWriter(creating: folder("Store.sqlite"), StoreDescription(model: model, usesWAL: false))
    let full = try writer.insert("League", [:])
    _ = try writer.insert("League", [:])
    try writer.link(try writer.insert("Team", [:]), "league", to: full)
    try writer.finish()
    #expect(try diagnose(path: folder("Store.sqlite")).findings.map(\.line) == findings)
  }

  /// `explain` describes the error number and the check as the check behaves.
  @Test func explainSaysTheSame() throws {
    let words = try explain(["1580", "SD407", "SD408"])
    #expect(try #require(words.errors.first).cause.contains("minimum of 0 may be empty"))
    let text = words.checks.map { $0.text.replacing("\n", with: " ") }
    #expect(text.count == 2)
    #expect(text[0].contains("A to-many with a minimum of 0 may be empty, whether it is called optional or not"))
    #expect(text[1].contains("a required one that is empty and has a minimum above 0 is SD407"))
  }
}
