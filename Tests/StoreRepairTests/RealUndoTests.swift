@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

/// Every repair that applies to a real store, done in place and undone: as a whole to the byte, and row by row after
/// the app has saved something else and counted `Z_MAX` on.
///
/// Real stores are mostly sound, so faults are planted first. By default small stores with links in order, triggers and
/// one-to-one relationships, all 65 with `STOREDOCTOR_LONG=1`.
@Suite struct RealUndoTests {
  private static let stores =
    LongRuns.areWanted
    ? Catalogue.real
    : ["m2m-ordered", "triggers", "one-to-one", "column-collision"].compactMap { feature in
      Catalogue.real.first { entry in
        entry.features.contains(feature) && entry.entities.count <= 14
          && (10...300).contains(entry.entities.map(\.rows).reduce(0, +))
      }
    }

  @Test(.needsSharedData, arguments: stores) func undoGivesBackWhatWasThere(_ entry: Catalogue.Entry) throws {
    let source = try CopiedEntry(entry)
    try plant(source.path)
    var done: Set<String> = []
    for recipe in try recipes(source.path) {
      let options = RepairOptions(generated: SeededValues(seed: 7, now: 0))
      let parsed = try Recipe(reading: Array("version: 1\n\(recipe)\n".utf8))
      guard let plan = try? planRepair(parsed, of: Store(path: source.path), options: options), !plan.isEmpty,
        plan.refusals.isEmpty, plan.after.isIntact
      else { continue }
      do {
        try undoWhole(plan, source, options, recipe)
        try undoRows(plan, source, options, recipe)
        for operation in plan.operations { done.insert(operation.repair.rawValue) }
      } catch let error as RepairPlanError {
        // What only a copy can be given, as tables with generated columns.
        guard case .generatedColumns = error else { throw error }
      } catch {
        Issue.record("\(recipe): \(error)")
      }
    }
    // Stores without rows have nothing to count.
    let isBehind = try diagnose(path: source.path).findings.contains { $0.id == "SD207" }
    #expect(done.contains("high-water") == isBehind, "\(done.sorted())")
    print("RealUndoTests \(entry.slug): \(done.sorted().joined(separator: " "))")
  }

  /// Lowers each `Z_MAX`, and removes the first row of each table.
  private func plant(_ path: String) throws {
    let store = try Store(path: path)
    let tables = store.layout.entities.filter { $0.parent == nil && $0.tableExists }.map(\.table)
    let connection = try Connection(changing: PosixPath(path), locking: .shared)
    try connection.allowingWrites(to: tables + ["Z_PRIMARYKEY"]) {
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX - 1 WHERE Z_MAX > 0 AND Z_SUPER = 0")
      for table in tables {
        try connection.execute(
          "DELETE FROM \(table) WHERE Z_PK = (SELECT min(Z_PK) FROM \(table)) AND Z_PK < (SELECT max(Z_PK) FROM \(table))"
        )
      }
    }
    connection.close()
  }

  /// What findings propose, every repair of the structure, and for one attribute each a dedupe and a backfill.
  private func recipes(_ path: String) throws -> [String] {
    let remedies = try diagnose(path: path).findings.flatMap(\.remedies).map(\.recipe)
    var recipes: [String] = []
    for recipe in remedies where !recipe.contains("itsAttribute") && !recipes.contains(recipe) {
      recipes.append(recipe)
    }
    recipes += [
      "structure: [reindex, join-orphans, self-link-mirrors, companions, order-keys, high-water, unique-indexes]",
      "dangling: nullify", "dangling: delete-source", "wrongEntity: nullify",
    ]
    let store = try Store(path: path)
    for entity in store.model?.entities ?? [] {
      guard
        let attribute = entity.properties.first(where: { property in
          guard case .attribute(let attribute) = property.kind else { return false }
          return attribute.type == .string && !property.isTransient
        })
      else { continue }
      recipes += [
        "dedupe: [{entity: \(entity.name), by: [\(attribute.name)], nulls: equal, others: merge}]",
        "dedupe: [{entity: \(entity.name), by: [\(attribute.name)], nulls: equal, others: delete}]",
        "backfill: [{entity: \(entity.name), attribute: \(attribute.name), value: \"-\"}]",
      ]
    }
    return recipes
  }

  private func undoWhole(
    _ plan: RepairPlan, _ source: CopiedEntry, _ options: RepairOptions, _ recipe: String
  ) throws {
    let copy = try Copy(of: source)
    let before = try copy.bytes
    let journal = try copy.apply(plan, options)
    #expect(try undo(journal).way == .bytes, "\(recipe)")
    #expect(try copy.bytes == before, "\(recipe)")
  }

  private func undoRows(
    _ plan: RepairPlan, _ source: CopiedEntry, _ options: RepairOptions, _ recipe: String
  ) throws {
    let (copy, expected) = (try Copy(of: source), try Copy(of: source))
    let journal = try copy.apply(plan, options)
    let touched = Set(plan.operations.compactMap(\.touchedTable))
    let other = try Store(path: source.path).layout.entities.last {
      $0.parent == nil && $0.tableExists && !touched.contains($0.table)
    }
    // The app counts on from what it finds, and the counter of before is lower.
    var app = "UPDATE Z_PRIMARYKEY SET Z_MAX = 100000 + Z_ENT WHERE Z_SUPER = 0;"
    if let other { app += "UPDATE \(other.table) SET Z_OPT = 77 WHERE Z_PK = (SELECT max(Z_PK) FROM \(other.table));" }
    for path in [copy.path, expected.path] {
      let connection = try Connection(changing: PosixPath(path), locking: .shared)
      try connection.allowingWrites(to: ["Z_PRIMARYKEY"] + (other.map { [$0.table] } ?? [])) {
        // Some triggers of Photos are too deep for the limits set here.
        try connection.withoutTriggers { try connection.execute(app) }
      }
      connection.close()
    }
    #expect(try undo(journal).way == .rows, "\(recipe)")
    let (found, wanted) = (try everyValue(of: copy.path), try everyValue(of: expected.path))
    #expect(found.keys.sorted() == wanted.keys.sorted())
    #expect(wanted.keys.filter { found[$0] != wanted[$0] } == [], "\(recipe)")
  }
}

extension StoreRepair.Operation {
  /// The table whose rows it changes.
  fileprivate var touchedTable: String? {
    if case .rows(let rows) = edit { rows.table } else { nil }
  }
}

/// A copy of a store to repair in place.
private struct Copy {
  private let folder: TemporaryFolder
  let path: String

  init(of source: CopiedEntry) throws {
    folder = try TemporaryFolder.inMemory()
    for name in try FileManager.default.contentsOfDirectory(atPath: source.folder.path) {
      try FileManager.default.copyItem(atPath: source.folder(name), toPath: folder(name))
    }
    path = folder((source.path as NSString).lastPathComponent)
  }

  func apply(_ plan: RepairPlan, _ options: RepairOptions) throws -> PosixPath {
    let outcome = try StoreRepair.apply(
      plan, to: Store(path: path), destination: .inPlace(),
      allowance: RepairAllowance(lossy: true, metadata: true, mirrored: true), options: options)
    return PosixPath(try #require(outcome.journal))
  }

  var bytes: [String: Data] {
    get throws {
      try FolderContents(folder.path).files.filter { name, data in
        !name.contains(".storedoctor-") && !name.hasSuffix("-shm") && !(name.hasSuffix("-wal") && data.isEmpty)
      }
    }
  }
}
