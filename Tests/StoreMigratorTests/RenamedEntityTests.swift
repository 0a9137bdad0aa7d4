import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StorePublishing
import StoreRows
import StoreSQLite
import TestSupport
import Testing

@testable import StoreMigrator

/// A rename that leaves all numbers as they are leaves `Z_PRIMARYKEY` too: after a second one its names are those of
/// a version that the model does not know.
@Suite struct RenamedEntityTests {
  /// A version of an app whose `Note`s and `Todo`s get other names; each knows the oldest names.
  enum Version: String {
    case notes, memos, papers

    /// The names of the entities with the numbers 2 and 3.
    var names: (note: String, todo: String) {
      switch self {
      case .notes: ("Note", "Todo")
      case .memos: ("Memo", "Task")
      case .papers: ("Paper", "Work")
      }
    }

    var former: (note: String, todo: String)? {
      switch self {
      case .notes: nil
      case .memos, .papers: Version.notes.names
      }
    }

    func model() throws -> Model {
      try Model(
        entities: [
          Entity(
            name: "Folder",
            properties: [.attribute("name", .string), .toMany("content", names.note, inverse: "folder")]),
          Entity(
            name: names.note,
            properties: [.attribute("title", .string), .toOne("folder", "Folder", inverse: "content")],
            renamingIdentifier: former?.note),
          Entity(
            name: names.todo, parent: names.note, properties: [.attribute("isDone", .boolean)],
            renamingIdentifier: former?.todo),
        ])
    }
  }

  @Test(arguments: [
    [Version.notes, .memos, .notes], [.memos, .notes, .memos], [.notes, .memos, .papers], [.memos, .papers, .notes],
    [.notes, .memos, .notes, .memos],
  ])
  func isMigratedOnAndBack(_ route: [Version]) throws {
    let folder = try TemporaryFolder()
    let first = try #require(route.first)
    try write(to: folder("0.sqlite"), first)
    for (step, (old, new)) in zip(route, route.dropFirst()).enumerated() {
      let store = try Store(path: folder("\(step).sqlite"))
      let versions = try [old, new].map { try modelSource(($0.rawValue, $0.model())) }
      let performed = try migrate(
        store, to: OutputTarget(PosixPath(folder("\(step + 1).sqlite"))),
        run: MigrationRun(CandidateOptions(models: versions)))
      #expect(performed.kept == 3 && performed.assumptions == [])
      let result = try Store(path: folder("\(step + 1).sqlite"))
      #expect(result.entityMap.rows.map(\.name).prefix(3) == ["Folder", first.names.note, first.names.todo])
      #expect(result.layout.entity(named: new.names.todo)?.table == "Z" + new.names.note.uppercased())
      #expect(result.layout.unexplained == [] && result.layout.lacking == [])
      let diagnosis = try diagnose(
        Examination(store: result, options: DiagnosisOptions(candidates: CandidateOptions(models: versions))))
      #expect(diagnosis.verdict == .opens)
      #expect(diagnosis.findings.map(\.id).filter { $0 == "SD206" }.count == (new == first ? 0 : 2))
      #expect(diagnosis.findings.allSatisfy { $0.severity < .error })
    }
    try write(to: folder("fresh.sqlite"), #require(route.last))
    var options = ComparisonOptions()
    options.pairing = .key
    let last = try Store(path: folder("\(route.count - 1).sqlite"))
    let fresh = try Store(path: folder("fresh.sqlite"))
    var changes: [ObjectChange.Kind] = []
    let comparison = try compareStores(last, fresh, options: options) { changes.append($0.kind) }
    #expect(changes == [] && comparison.onlyBefore.isEmpty && comparison.entities.map(\.before) == [1, 1, 1])
  }

  private func write(to path: String, _ version: Version) throws {
    let store = try StoreWriter(creating: path, StoreDescription(model: version.model(), usesWAL: false))
    let home = try store.insert("Folder", ["name": .text("Home")])
    let note = try store.insert(version.names.note, ["title": .text("Shopping")])
    let todo = try store.insert(version.names.todo, ["title": .text("Milk"), "isDone": .integer(1)])
    for item in [note, todo] { try store.link(item, "folder", to: home) }
    try store.finish()
  }

  /// `B` and `C` become `A` and `B`: both numbers stay, and a name that `Z_PRIMARYKEY` would keep is another entity's.
  @Test func namesThatMoveOnAreAssumed() throws {
    let (folder, store, candidates) = try movedOn(parent: "Root")
    #expect(throws: MigrationNeedsAllowance.self) { try rehearse(store, run: MigrationRun(candidates)) }
    var rows: [String] = []
    let performed = try rehearse(store, run: MigrationRun(candidates, allowsAssumed: true)) { result in
      rows = result.entityMap.rows.prefix(3).map { "\($0.id) \($0.name) \($0.highWater ?? 0)" }
    }
    #expect(rows == ["1 Root 3", "2 A 0", "3 B 0"] && performed.kept == 3)
    withExtendedLifetime(folder) {}
  }

  /// With tables of their own, one would have to be renamed before the other.
  @Test func tablesWhoseNamesMoveOnAreRefused() throws {
    let (folder, store, candidates) = try movedOn(parent: nil)
    let refused = #expect(throws: MigrationRefused.self) {
      try rehearse(store, run: MigrationRun(candidates, allowsAssumed: true))
    }
    #expect(
      refused?.refusals.map(\.message) == [
        "B: its table becomes ZB, a name that another table of the store still has; in which order Core Data renames them "
          + "is not known"
      ])
    withExtendedLifetime(folder) {}
  }

  private func movedOn(parent: String?) throws -> (TemporaryFolder, Store, CandidateOptions) {
    let folder = try TemporaryFolder()
    func entity(_ name: String, was: String? = nil) -> Entity {
      Entity(
        name: name, parent: parent, properties: [.attribute("x" + (was ?? name), .string)], renamingIdentifier: was)
    }
    let root = parent.map { [Entity(name: $0)] } ?? []
    let old = try Model(entities: root + [entity("B"), entity("C")])
    let new = try Model(entities: root + [entity("A", was: "B"), entity("B", was: "C")])
    let writer = try StoreWriter(creating: folder("old.sqlite"), StoreDescription(model: old, usesWAL: false))
    for name in ["B", "C", "C"] { _ = try writer.insert(name, ["x" + name: .text(name)]) }
    try writer.finish()
    return (
      folder, try Store(path: folder("old.sqlite")),
      CandidateOptions(models: [try modelSource(("old", old)), try modelSource(("new", new))])
    )
  }
}
