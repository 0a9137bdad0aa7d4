import StoreCoreData
import StoreDiagnosis
import StoreMigrator
import StorePublishing
import StoreRepair
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Every case of `migration-cases.json`, performed: verdict and performance agree, and the rows are those the case names.
@Suite struct PerformedCaseTests {
  /// What happens to a case.
  enum Result: CustomStringConvertible {
    case performed(Store, TemporaryFolder)
    case assumed(Store, TemporaryFolder, [String])
    case refused(String)
    case notPossible

    var description: String {
      switch self {
      case .performed: "yes"
      case .assumed(_, _, let sentences): "assumed: \(sentences.joined(separator: "; "))"
      case .refused(let reason): "refused: \(reason)"
      case .notPossible: "not possible"
      }
    }
  }

  /// - Parameter place: the change that nobody has seen; empty where it is about rows.
  private static func wholly(_ place: String = "") -> String {
    "assumed: that Core Data migrates this store at all: \(place.isEmpty ? "" : "of \(place) ")no real store, report or "
      + "documentation shows it for certain"
  }

  /// What is not performed without being allowed, or at all; every other case that opens or migrates is performed.
  static let limits: [String: String] = [
    "add-required-nodefault-empty": wholly("Note.author"),
    "add-required-sibling-rows": wholly("Text.lang"),
    "transient-to-stored": wholly("Msg.busy"),
    "stored-to-transient": wholly("Msg.busy"),
    "composite-leaf-added": wholly("Run.target"),
    "rel-add-required-one-empty": wholly("Note.folder"),
    "rel-optional-to-required-full": wholly("Note.folder"),
    "rel-dangling": wholly(),
    "rel-min-count": wholly("Team.members"),
    "combo-cache-no-model": "assumed: that the app has the version that made this store: it is not among those given",
    "ent-parent-removed": "assumed: Asset: its parent changes, and its rows keep keys and values",
    "ent-new-parent-one": "assumed: Share: its parent changes, and its rows keep keys and values",
    "rel-unordered": "assumed: Conv.msgs: it is no longer ordered, and its order keys are dropped",
    "type-float-double": wholly("Item.v") + "; Item.v: the numbers of Float are read as Double",
    "type-i16-i64": "assumed: Item.v: the numbers of Integer 16 are read as Integer 64",
    "type-i64-i16": "assumed: Item.v: the numbers of Integer 64 are read as Integer 16",
    "derived-added": "refused: Book.count: 1 row: the value in old rows is not known",
    "ent-abstract-rows": "refused: Doc: it becomes abstract; 1 row: a row of an abstract entity",
    "external-on":
      "refused: Pic.data: external storage is switched on; 1 row: the prefix byte of old values is not known",
    "optional-to-required-default-null":
      wholly("Face.roll") + "; Face.roll: it becomes required, and objects without a value get the default",
    "rel-destination-unrelated": "refused: Album.cover: it led to Art and leads to Img; links are probably dropped",
    "rel-many-to-one": "refused: A.bs: it leads to one object now; 1 row: several links, one place",
    "rel-ordered": "assumed: Order.items: it becomes ordered, and its links get the order of the objects' keys",
    "type-double-i64": "refused: Item.v: Double becomes Integer 64; 1 row: does not fit Integer 64",
    "type-i16-bool": "refused: Item.v: Integer 16 becomes Boolean; 1 row: does not fit Boolean",
    "type-i64-decimal": "assumed: Item.v: its numbers stay, in a column for Decimal",
    "type-i64-i16-wide": "refused: Item.v: Integer 64 becomes Integer 16; 1 row: does not fit Integer 16",
    "staged-anchor-first": "refused: V1 to V2 is a custom stage, whose code only the app can run",
    "staged-anchor-second": "refused: V2 to V3 is a custom stage, whose code only the app can run",
    "staged-null-with-handler": "refused: V1 to V2 is a custom stage, whose code only the app can run",
    "staged-two-custom": "refused: V1 to V2 is a custom stage, whose code only the app can run",
    // The only entity of this store goes, which `foreign-model` says.
    "ent-rename-noid": "not possible",
  ]

  @Test(arguments: MigrationCase.all)
  func performs(_ migration: MigrationCase) throws {
    let result = try result(of: migration)
    let isPossible = ["opens", "migrates", "refused"].contains(migration.expect.verdict)
    #expect(result.description == Self.limits[migration.id] ?? (isPossible ? "yes" : "not possible"), "\(migration.id)")
    switch result {
    case .performed(let store, _), .assumed(let store, _, _): try expect(migration.expect.after, in: store)
    case .refused, .notPossible: break
    }
  }

  /// Holds a store against the state that a case names.
  private func expect(_ after: JSONTree?, in store: Store) throws {
    guard case .object(let members)? = after else { return }
    for (name, value) in members {
      guard case .array(let items) = value else { continue }
      switch name {
      case "tableGone": for item in items { #expect(store.shape.tables[item.string ?? ""] == nil) }
      case "columnGone":
        for place in items.compactMap(\.string).map({ $0.split(separator: ".").map(String.init) }) {
          #expect(store.shape.tables[place[0]]?.has(place[1]) == false)
        }
      case "joins":
        let table = try #require(store.layout.joinTables.first)
        let links = try lines("SELECT \(table.source.column), \(table.destination.column) FROM \(table.name)", store)
        for item in items { #expect(links.contains("\(item["from"]?.text ?? "")|\(item["to"]?.text ?? "")")) }
      case "lost": continue
      default: for item in items { try expect(item, name, in: store) }
      }
    }
  }

  private func expect(_ row: JSONTree, _ entity: String, in store: Store) throws {
    guard case .object(let values) = row, let key = values["pk"]?.text else { return }
    let layout = try #require(store.layout.entity(named: entity))
    for (property, value) in values where property != "pk" {
      let column = property == "Z_ENT" ? "Z_ENT" : try #require(layout.column(of: property), "\(property)")
      let found = try lines("SELECT \(column) FROM \(layout.table) WHERE Z_PK = \(key)", store)
      #expect(
        found.first.flatMap(Double.init) == Double(value.text) && (Double(value.text) != nil || found == [value.text]))
    }
  }

  private func lines(_ sql: String, _ store: Store) throws -> [String] {
    let statement = try store.connection.prepare(sql)
    var lines: [String] = []
    while try statement.step() {
      lines.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return lines
  }

  private func result(of migration: MigrationCase) throws -> Result {
    let (store, candidates) = try subject(of: migration)
    let folder = try TemporaryFolder()
    func run(allowsAssumed: Bool) throws {
      _ = try migrate(
        Store(path: store.path), to: OutputTarget(PosixPath(folder("Migrated.sqlite"))),
        run: MigrationRun(candidates, allowsAssumed: allowsAssumed, now: 0))
    }
    do {
      try run(allowsAssumed: false)
      return .performed(try Store(path: folder("Migrated.sqlite")), folder)
    } catch let error as MigrationNeedsAllowance {
      try run(allowsAssumed: true)
      return .assumed(try Store(path: folder("Migrated.sqlite")), folder, error.assumptions)
    } catch let error as MigrationRefused {
      return .refused(error.refusals.map(\.message).joined(separator: "; "))
    } catch is MigrationNotPossible {
      return .notPossible
    }
  }

  private func subject(of migration: MigrationCase) throws -> (CaseStore, CandidateOptions) {
    if let plan = migration.plan, let models = migration.models, let version = migration.store {
      let target = try #require(migration.target.string)
      let store = try CaseStore(try migration.model(version), migration.rows, setup: migration.setup)
      let names = models.keys.sorted().filter { $0 != target } + [target]
      let sources = try candidateSources(names.map { ($0, try migration.model($0)) })
      return (store, CandidateOptions(models: sources, opening: .staged, stages: plan))
    }
    let model = try ModelNotation.model(migration.source ?? [])
    let store = try CaseStore(model, migration.rows, setup: migration.setup)
    let isKnown = migration.setup?["sourceModelAvailable"] != .bool(false)
    let sources = try candidateSources((isKnown ? [("old", model)] : []) + [("new", migration.targetModel())])
    return (store, CandidateOptions(models: sources))
  }
}

extension JSONTree {
  fileprivate var text: String {
    switch self {
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .string(let text): text
    case .bool(let flag): flag ? "1" : "0"
    case .null, .array, .object: "NULL"
    }
  }
}
