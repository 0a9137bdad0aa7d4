import StorePublishing
@testable import StoreRepair
import StoreCoreData
import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Real stores with triggers that maintain derived attributes, counts and R-trees can be repaired, and what the
/// triggers maintain is right afterwards, as SQL queries before and after confirm.
@Suite struct RealTriggerTests {
  @Test(.needsSharedData, arguments: TriggerCase.all) func whatTriggersKeepStaysRight(_ test: TriggerCase) throws {
    let entry = try #require(Catalogue.real.first { $0.slug == test.slug })
    let (source, target) = (try CopiedEntry(entry), try TemporaryFolder())
    #expect(try wrong(test.checks, in: source.path) == [])
    let recipe = try Recipe(reading: Array("version: 1\n\(test.recipe)".utf8))
    let plan = try planRepair(recipe, of: Store(path: source.path))
    let own = plan.operations.filter { !$0.isByTriggers }
    #expect(own.map(\.expectedChanges).reduce(0, +) == test.changes)
    let output = target("Mended.sqlite")
    let all = RepairAllowance(lossy: true)
    _ = try apply(
      plan, to: Store(path: source.path), destination: .output(OutputTarget(PosixPath(output))), allowance: all)
    #expect(try wrong(test.checks, in: output) == [])
    #expect(try unplanned(plan, from: entry.path, to: output) == [])

    // In place, and undone row by row, with what the triggers wrote.
    let outcome = try apply(plan, to: Store(path: source.path), destination: .inPlace(), allowance: all)
    #expect(try cellChanges(from: entry.path, to: source.path) != [])
    #expect(try wrong(test.checks, in: source.path) == [])
    let connection = try Connection(writing: source.path, create: false)
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1")
    connection.close()
    let undone = try undo(PosixPath(try #require(outcome.journal)))
    #expect(undone.way == .rows)
    #expect(try cellChanges(from: entry.path, to: source.path) == ["Z_PRIMARYKEY.Z_MAX 1"])
    #expect(try wrong(test.checks, in: source.path) == [])
  }

  /// The columns that differ afterwards, and that no operation of the plan names: what triggers change is in it, too.
  private func unplanned(_ plan: RepairPlan, from before: String, to after: String) throws -> [String] {
    let edits = plan.operations.compactMap { if case .rows(let edit) = $0.edit { edit } else { nil } }
    let named = Set(edits.flatMap { edit in (edit.setColumns + ["Z_OPT"]).map { "\(edit.table).\($0)" } })
    let others = Set(edits.filter { $0.action != .update }.map(\.table))
    return try cellChanges(from: before, to: after).filter { change in
      let place = String(change.prefix { $0 != " " })
      let table = String(place.prefix { $0 != "." })
      return !named.contains(place) && !others.contains(table) && !table.hasPrefix("Z_RT_")
        && !table.hasPrefix("Z_PRIM")
    }
  }

  /// The checks that find rows, with their number. The connection is for writing, since R-trees cannot be read on
  /// others.
  private func wrong(_ checks: [String], in path: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let connection = try Connection(writing: folder.copyStore(path), create: false)
    return try checks.compactMap { check in
      let rows = try connection.prepare(check)
      return try rows.step() && rows.int64(0) == 0 ? nil : "\(rows.int64(0)): \(check)"
    }
  }
}

extension StoreRepair.Operation {
  fileprivate var isByTriggers: Bool {
    if case .rows(let edit) = edit { edit.isByTriggers } else { false }
  }
}

/// A repair of a store with triggers.
struct TriggerCase: CustomTestStringConvertible, Sendable {
  var slug: String
  var recipe: String
  /// The number of rows that the plan itself changes.
  var changes: Int
  /// Queries that count what is wrong.
  var checks: [String]

  var testDescription: String { "\(slug) \(recipe)" }

  private static let pages = """
    SELECT count(*) FROM ZBOOK b WHERE ZPAGESCOUNT IS NOT (SELECT count(*) FROM ZPAGE p WHERE p.ZBOOK = b.Z_PK)
    """
  /// The first version of the model has two relationships to pages; the derived attribute counts this one.
  private static let linkedPages = """
    SELECT count(*) FROM ZBOOK b WHERE ZPAGESCOUNT IS NOT (SELECT count(*) FROM ZPAGE p WHERE p.Z1PAGES = b.Z_PK)
    """
  private static let photos = [
    """
    SELECT count(*) FROM ZASSET a LEFT JOIN Z_RT_Asset_boundedByRect r ON r.Z_PK = a.Z_PK WHERE r.Z_PK IS NULL
      OR a.ZLATITUDE NOT BETWEEN r.ZLATITUDE_MIN AND r.ZLATITUDE_MAX
      OR a.ZLONGITUDE NOT BETWEEN r.ZLONGITUDE_MIN AND r.ZLONGITUDE_MAX
    """,
    "SELECT count(*) FROM Z_RT_Asset_boundedByRect WHERE Z_PK NOT IN (SELECT Z_PK FROM ZASSET)",
    """
    SELECT count(*) FROM ZPERSON p WHERE ZFACECOUNT IS NOT (SELECT count(*) FROM ZDETECTEDFACE f
      WHERE f.ZPERSON = p.Z_PK AND f.ZHIDDEN = 0 AND f.ZASSETVISIBLE = 1 AND f.ZCENTERX != 0)
    """,
  ]
  private static let devices = """
    SELECT count(*) FROM ZASSET a JOIN ZADDITIONALASSETATTRIBUTES b ON b.Z_PK = a.ZADDITIONALATTRIBUTES
      WHERE a.ZDERIVEDCAMERACAPTUREDEVICE IS NOT b.ZCAMERACAPTUREDEVICE
    """

  static let all: [TriggerCase] = [
    TriggerCase(
      slug: "coredataplus--samplemodel2-v2-999fff", recipe: "dedupe: [{entity: Page, by: [book], others: delete}]",
      changes: 116, checks: [pages]),
    TriggerCase(
      slug: "coredataplus--samplemodel2-v2-999fff", recipe: "dedupe: [{entity: Book, by: [author]}]", changes: 120,
      checks: [pages]),
    TriggerCase(
      slug: "coredataplus--samplemodel2v2-9fdf62", recipe: "dedupe: [{entity: Book, by: [author]}]", changes: 22,
      checks: [pages]),
    // Enough rows for one statement to change them all.
    TriggerCase(
      slug: "coredataplus--samplemodel2v1-40c70d", recipe: "dedupe: [{entity: Page, by: [book], others: delete}]",
      changes: 4918, checks: [linkedPages]),
    TriggerCase(
      slug: "osxphotos--photos-7ca272", recipe: "dedupe: [{entity: DetectedFace, by: [person], others: delete}]",
      changes: 3, checks: photos),
    TriggerCase(
      slug: "osxphotos--photos-7ca272", recipe: "dedupe: [{entity: Asset, by: [kind], others: delete}]", changes: 459,
      checks: photos),
    TriggerCase(
      slug: "osxphotos--photos-7ca272", recipe: "backfill: [{entity: Asset, attribute: videoKeyFrameValue, value: 0}]",
      changes: 4, checks: photos),
    TriggerCase(
      slug: "osxphotos--photos-28b88a", recipe: "dedupe: [{entity: Asset, by: [kind], others: delete}]", changes: 60,
      checks: photos + [devices]),
  ]
}
