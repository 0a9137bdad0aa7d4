@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreRepair
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Plans and journals for every remedy of every sick store follow `docs/schemas`. They contain every kind of entry, and
/// every kind of edit except renamed entities, which have a test below.
@Suite struct RepairSchemaTests {
  @Test func plansAndJournalsFollowTheirSchemas() throws {
    var edits: Set<String> = []
    var entries: Set<String> = []
    for fixture in Fixture.readable where fixture.kind == "sick" {
      let folder = try TemporaryFolder.inMemory()
      let path = try fixture.build(in: folder)
      for recipe in Set(try diagnose(path: path, options: fixture.options).findings.flatMap(\.remedies).map(\.recipe)) {
        guard !recipe.contains("ownAttribute: itsAttribute") else { continue }
        let options = RepairOptions(generated: SeededValues(seed: 7, now: 0.5), diagnosis: try fixture.options)
        let plan = try planRepair(
          Recipe(reading: Array("version: 1\n\(recipe)\n".utf8)), of: Store(path: path), options: options)
        for showsValues in [true, false] { try expectPlan(plan, showsValues, "\(fixture.check) \(recipe)") }
        edits.formUnion(plan.operations.map(\.edit.name))
        entries.formUnion(try journalEntries(of: plan, path, options))
      }
    }
    #expect(
      edits == [
        "insert", "update", "delete", "reindex", "createUniqueIndex", "highWater", "metadata",
        "moveExternalFile",
      ])
    #expect(entries == ["rows", "index", "externalFile"])
  }

  /// Values of every storage class, in a plan and in a journal.
  @Test func valuesOfEveryKindFollowTheSchemas() throws {
    let values: [SQLiteValue] = [
      .null, .integer(.min), .real(0.1), .real(.infinity), .text(Array("a".utf8)), .text([0xFF]), .blob([]),
      .blob([1, 2]),
    ]
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    var plan = try planRepair(.safe, of: Store(path: path))
    plan.operations.append(
      StoreRepair.Operation(.entityNames, summary: "name", .renameEntity(EntityID(3), "Memo"), grade: .named))
    for value in values {
      var links = RowEdit(.delete, "Z_3TAGS", key: ["Z_3NOTES", "Z_5TAGS"])
      links.add(key: [value, .integer(1)])
      var each = RowEdit.objects("ZNOTE", set: ["ZTITLE"])
      each.add(-3, set: [value])
      each.add(-2, set: [value])
      each.add(5, set: [value])
      var same = RowEdit.objects("ZNOTE", set: ["ZTITLE"], shared: [value])
      same.add(3)
      plan.operations += [links, each, same].map { StoreRepair.Operation(.backfill, summary: "fill", .rows($0)) }
      for showsValues in [true, false] { try expectPlan(plan, showsValues, "\(value)") }
    }
    let store = try Store(path: path)
    let journal = try changeInPlace(store) { _, recorder in
      recorder.note(.rows(table: "Z_MODELCACHE", columns: ["Z_CONTENT"], removed: values.map { [$0] }, added: []))
    } verify: { _ in
    }
    #expect(try violations("journal", try text(of: journal)) == [])
  }

  @Test func theValidatorSeesWhatIsWrong() throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let plan = try planRepair(.safe, of: Store(path: path)).json(toolVersion: "1", showsValues: true).text
    #expect(try violations("plan", plan) == [])
    #expect(try violations("plan", plan.replacingOccurrences(of: "plan/1", with: "plan/2")) == ["/schema"])
    #expect(try violations("plan", plan.replacingOccurrences(of: "\"needs\"", with: "\"wants\"")) == ["", "/wants"])
  }

  private func expectPlan(_ plan: RepairPlan, _ showsValues: Bool, _ name: String) throws {
    let text = plan.json(toolVersion: "1", showsValues: showsValues).text
    #expect(try violations("plan", text) == [], "\(name)")
    guard case .object(let members) = try JSONTree(text), let recipe = members["recipe"] else {
      Issue.record("no recipe: \(name)")
      return
    }
    #expect(try JSONSchema.of("recipe").violations(in: recipe).map(\.pointer) == [], "\(name)")
  }

  /// The kinds of entries in the journals of a repair and of its undo.
  private func journalEntries(of plan: RepairPlan, _ path: String, _ options: RepairOptions) throws -> [String] {
    guard plan.refusals.isEmpty, !plan.isEmpty, plan.before.isIntact,
      !plan.before.findings.contains(where: { ["SD102", "SD106"].contains($0.id) })
    else { return [] }
    let outcome = try apply(
      plan, to: Store(path: path), destination: .inPlace(),
      allowance: RepairAllowance(lossy: true, metadata: true, mirrored: true), options: options)
    let journal = try Journal(reading: PosixPath(try #require(outcome.journal)))
    #expect(try violations("journal", try text(of: journal)) == [])
    let undone = try #require(try undo(journal.folder).journal)
    for folder in [journal.folder, undone.folder] {
      #expect(try violations("journal", try text(of: Journal(reading: folder))) == [])
    }
    return journal.entries.map(\.kind)
  }

  private func text(of journal: Journal) throws -> String {
    String(decoding: try contents(of: journal.document.description), as: UTF8.self)
  }

  private func violations(_ kind: String, _ text: String) throws -> [String] {
    try JSONSchema.of(kind).violations(in: JSONTree(text)).map(\.pointer)
  }
}

extension Edit {
  fileprivate var name: String {
    switch self {
    case .rows(let rows): rows.action.rawValue
    case .reindex: "reindex"
    case .createUniqueIndex: "createUniqueIndex"
    case .highWater: "highWater"
    case .renameEntity: "renameEntity"
    case .metadata: "metadata"
    case .compact: "compact"
    case .moveExternalFile: "moveExternalFile"
    }
  }
}

extension JournalEntry {
  fileprivate var kind: String {
    switch self {
    case .rows: "rows"
    case .index: "index"
    case .externalFile: "externalFile"
    case .compacted: "compacted"
    }
  }
}
