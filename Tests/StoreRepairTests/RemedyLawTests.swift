@testable import StoreDiagnosis
@testable import StoreFindings
import StorePublishing
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

/// Rules that every repair must keep, whatever the store.
///
/// The repairs are those that findings propose, so a remedy that does not remove its finding breaks a rule too.
@Suite struct RemedyLawTests {
  @Test(arguments: Fixture.readable.filter { $0.kind == "sick" })
  func everyRemedyOfAFixtureKeepsTheLaws(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try fixture.build(in: folder)
    try RepairLaws(path, folder, try fixture.options).holdForEveryRemedy()
  }

  @Test(arguments: LongRuns.seeds(1, whole: 50))
  func everyRemedyOfAClubKeepsTheLaws(_ seed: UInt64) throws {
    let folder = try TemporaryFolder.inMemory()
    var planting = try Planting(ClubStore(at: folder("Club.sqlite"), teams: 10), seed)
    try planting.plantAll()
    planting.database.close()
    try RepairLaws(folder("Club.sqlite"), folder, DiagnosisOptions()).holdForEveryRemedy()
  }

  @Test(arguments: LongRuns.seeds(1, whole: 50))
  func everyRemedyOfAShopKeepsTheLaws(_ seed: UInt64) throws {
    let folder = try TemporaryFolder.inMemory()
    var planting = try ValuePlanting(ShopStore(at: folder("Shop.sqlite"), size: 10), seed, files: folder)
    try planting.plantAll()
    planting.database.close()
    try RepairLaws(folder("Shop.sqlite"), folder, DiagnosisOptions()).holdForEveryRemedy()
  }

  @Test(arguments: Fixture.readable.filter { $0.kind == "healthy" })
  func nothingSafeIsToBeDoneForAHealthyStore(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder.inMemory()
    let plan = try planRepair(.safe, of: Store(path: try fixture.build(in: folder)))
    #expect(plan.operations.map(\.summary) == [])
    #expect(plan.before == plan.after)
  }
}

/// The rules, checked on one store.
private struct RepairLaws {
  let path: String
  let folder: TemporaryFolder
  let options: RepairOptions
  private let all = RepairAllowance(lossy: true, metadata: true, mirrored: true)

  init(_ path: String, _ folder: TemporaryFolder, _ options: DiagnosisOptions) {
    self.path = path
    self.folder = folder
    self.options = RepairOptions(generated: SeededValues(seed: 7, now: 0), diagnosis: options)
  }

  func holdForEveryRemedy() throws {
    let findings = try diagnose(path: path, options: options.diagnosis).findings
    for finding in findings {
      for remedy in finding.remedies where !remedy.recipe.contains("ownAttribute: itsAttribute") {
        let recipe = try Recipe(reading: Array("version: 1\n\(remedy.recipe)\n".utf8))
        try hold(recipe, "\(finding.line): \(remedy.recipe)", finding)
      }
    }
  }

  private func hold(_ recipe: Recipe, _ name: String, _ finding: Finding) throws {
    let before = try FolderContents(folder.path)
    let plan = try planRepair(recipe, of: Store(path: path), options: options)
    #expect(try FolderContents(folder.path) == before, "planning leaves the folder alone: \(name)")
    #expect(plan.refusals.isEmpty, "\(name): \(plan.refusals)")
    guard plan.refusals.isEmpty else { return }
    let place = try #require(plan.before.findings.first { $0.id == finding.id && $0.entity == finding.entity })
    let listed = plan.obstacles.filter { $0.entity == nil || finding.property == nil || $0.entity == finding.entity }
    #expect(plan.after.count(at: place) == 0 || !listed.isEmpty, "treated, or said why not: \(name)")
    #expect(plan.after.newErrors(since: plan.before) == [], "no new error: \(name)")
    try outputKeepsTheSource(plan, recipe, name)
    // While an index is damaged, SQLite can neither write to its table nor read it reliably.
    if finding.id != "SD106", !plan.isEmpty, plan.after.isIntact {
      try undoGivesBackTheBytes(plan, name)
      try undoKeepsWhatChangedSince(plan, name)
    }
  }

  /// Repairs a copy: the source is unchanged, the findings are gone, and a second run has nothing to do.
  private func outputKeepsTheSource(_ plan: RepairPlan, _ recipe: Recipe, _ name: String) throws {
    let before = try FolderContents(folder.path)
    let target = try TemporaryFolder.inMemory()
    let output = PosixPath(target("Mended.sqlite"))
    _ = try apply(
      plan, to: Store(path: path), destination: .output(OutputTarget(output, acceptsWAL: true)), allowance: all,
      options: options)
    #expect(try FolderContents(folder.path) == before, "the source is as it was: \(name)")
    let again = try planRepair(recipe, of: Store(output), options: options)
    #expect(again.operations.map(\.summary) == [], "a second run changes nothing: \(name)")
    #expect(again.before.rows == plan.after.rows, "rows as planned: \(name)")
    // Of a damaged store a copy may show more than the store itself.
    if plan.before.isIntact {
      try PlannedObjects(plan, before: path, after: target("Mended.sqlite")).expectInComparison(name)
    }
  }

  /// Repairs in place, undoes that byte for byte, and undoes the undo.
  private func undoGivesBackTheBytes(_ plan: RepairPlan, _ name: String) throws {
    let files = try CopiedStore(of: folder)
    let copy = files.path(of: path)
    let before = try files.bytes
    let outcome = try apply(
      plan, to: Store(path: copy), destination: .inPlace(), allowance: all, options: options)
    let repaired = try everyValue(of: copy)
    let undone = try undo(PosixPath(try #require(outcome.journal)))
    try expectSameFiles(files.bytes, as: before, "byte for byte: \(name)")
    _ = try undo(try #require(undone.journal).folder)
    #expect(try everyValue(of: copy) == repaired, "the undo undone: \(name)")
  }

  /// If the app changed the store after the repair, undo takes back the repair only, or nothing.
  private func undoKeepsWhatChangedSince(_ plan: RepairPlan, _ name: String) throws {
    let (kept, other) = (try CopiedStore(of: folder), try CopiedStore(of: folder))
    let (copy, expected) = (kept.path(of: path), other.path(of: path))
    let outcome = try apply(
      plan, to: Store(path: copy), destination: .inPlace(), allowance: all, options: options)
    // The app saves an unrelated change.
    let table = try #require(Store(path: path).layout.entities.last { $0.parent == nil && $0.tableExists }).table
    let change = "UPDATE \(table) SET Z_OPT = Z_OPT + 1 WHERE Z_PK = (SELECT max(Z_PK) FROM \(table))"
    try Self.run(change, on: copy)
    do {
      _ = try undo(PosixPath(try #require(outcome.journal)))
      try Self.run(change, on: expected)
      #expect(try everyValue(of: copy) == everyValue(of: expected), "values as before: \(name)")
    } catch let error as RepairError {
      guard case .changedSinceRepair = error.problem else { throw error }
    }
  }

  private static func run(_ sql: String, on path: String) throws {
    let connection = try Connection(writing: path, create: false)
    try connection.execute(sql)
    connection.close()
  }
}

/// A copy of a folder, compared without journals and `-shm` files.
private struct CopiedStore {
  private let folder: TemporaryFolder

  init(of source: TemporaryFolder) throws {
    folder = try TemporaryFolder.inMemory()
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      try FileManager.default.copyItem(atPath: source(name), toPath: folder(name))
    }
  }

  func path(of store: String) -> String { folder((store as NSString).lastPathComponent) }

  var bytes: [String: Data] {
    get throws {
      try FolderContents(folder.path).files.filter { name, data in
        !name.contains(".storedoctor-") && !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && data.isEmpty)
      }
    }
  }
}

extension RepairPlan.Condition {
  /// Errors that `earlier` does not have, or with a lower count.
  fileprivate func newErrors(since earlier: Self) -> [Count] {
    findings.filter { found in
      found.severity == .error && found.count > earlier.count(at: found)
    }
  }
}
