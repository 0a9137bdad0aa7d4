import CoreDataStore
import StoreDoctor
import TestSupport
import Testing

/// What holds for every repair, over the stores of the checks.
@Suite struct RemedyLawTests {
  /// What a finding says treats it does: it is gone in the plan, and nothing else has come.
  @Test(arguments: Fixture.all.filter { $0.kind == "sick" })
  func everyRemedyTreatsItsFinding(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let path = try fixture.build(in: folder)
    let before = try FolderContents(folder.path)
    let options = try fixture.options
    for finding in try diagnose(path: path, options: options).findings {
      for remedy in finding.remedies {
        let recipe = try Recipe(reading: Array("version: 1\n\(remedy.recipe)\n".utf8))
        let plan = try planRepair(recipe, of: Store(path: path), options: RepairOptions(diagnosis: options))
        let place = try #require(plan.before.findings.first { $0.id == finding.id && $0.entity == finding.entity })
        #expect(plan.after.count(at: place) == 0, "\(finding.line): \(remedy.recipe): \(plan.obstacles.map(\.message))")
      }
    }
    #expect(try FolderContents(folder.path) == before, "not a byte of the store's folder changes")
  }

  @Test(arguments: Fixture.all.filter { $0.kind == "healthy" })
  func nothingSafeIsToBeDoneForAHealthyStore(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let plan = try planRepair(.safe, of: Store(path: try fixture.build(in: folder)))
    #expect(plan.operations.map(\.summary) == [])
    #expect(plan.before == plan.after)
  }
}
