import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreModels
import StorePublishing
import StoreRows
import StoreSQLite
import TestSupport
import Testing

@testable import StoreMigrator

/// The folder of public projects; nil where there is none.
private let publicProjects = ProcessInfo.processInfo.environment["STOREDOCTOR_PROJECTS"]

/// Mapping models of public projects, for those who have the projects: `STOREDOCTOR_PROJECTS` is a folder of them.
/// `MappingLawTests` and `MappingMigrationTests` hold made-up ones.
@Suite(.enabled(if: publicProjects != nil, "skipped: no STOREDOCTOR_PROJECTS"))
struct PublicMappingTests {
  /// Moody, whose stores after each mapping model are real: objects, values and links are those of the real file. Keys are
  /// given in another order.
  @Test(arguments: [(2, 3), (3, 4), (4, 5)]) func moody(_ before: Int, _ after: Int) throws {
    let project = try #require(publicProjects) + "/objcio+core-data/Migrations"
    try #require(FileManager.default.fileExists(atPath: project))
    let folder = try TemporaryFolder()
    for version in [before, after] {
      try FileManager.default.copyItem(
        atPath: "\(project)/MigrationsTests/Moody \(version).moody", toPath: folder("\(version).sqlite"))
    }
    let source = try ModelSource.read("\(project)/Migrations/Moody.xcdatamodeld")
    var candidates = CandidateOptions(models: try [before, after].map { try source.only("Moody \($0)") })
    candidates.mappings = try MappingSources([
      PosixPath("\(project)/Migrations/Moody \(before)-Moody \(after).xcmappingmodel")
    ])
    let performed = try migrate(
      Store(path: folder("\(before).sqlite")), to: OutputTarget(PosixPath(folder("new.sqlite"))),
      run: MigrationRun(candidates, now: 0))
    #expect(performed.hops.first?.mapping != nil)
    let (new, real) = (try Store(path: folder("new.sqlite")), try Store(path: folder("\(after).sqlite")))
    var changes: [String] = []
    let comparison = try compareStores(new, real) { change in
      if change.kind != .moved { changes.append("\(change.kind) \(change.entity) \(change.keyBefore ?? 0)") }
    }
    #expect(changes == [] && comparison.notCompared.isEmpty)
    #expect(new.metadata.hashes == real.metadata.hashes && new.metadata.uuid == real.metadata.uuid)
  }
}

/// Change records of a Photos library that Core Data migrated, for those who have its stores of before and after:
/// `photos/VERSION/Photos.sqlite` in the folder of public projects.
@Suite(.enabled(if: publicProjects != nil, "skipped: no STOREDOCTOR_PROJECTS"))
struct PublicHistoryTests {
  /// Entity, kind, object and bits of each record are those of the file after, whether or not the whole step is performed.
  @Test func recordsOfPhotosAreThoseOfCoreData() throws {
    let stores = try ["13.0.0", "14.0.0"].map {
      try Store(path: "\(#require(publicProjects))/photos/\($0)/Photos.sqlite")
    }
    let models = try stores.map { try #require($0.model) }
    let difference = ModelDifference(from: models[0], to: models[1])
    func numbers(_ store: Store) -> [String: Int64] {
      Dictionary(store.layout.entities.map { ($0.modelName ?? $0.name, $0.id.number) }) { first, _ in first }
    }
    let (before, after) = (numbers(stores[0]), numbers(stores[1]))
    // As the planner does it: the records of an entity whose bits stand for the same keep theirs.
    var kinds: [Int64: (number: Int64, move: HistoryBits.Move?)] = [:]
    for entity in models[0].entities {
      guard let old = before[entity.name],
        let new = difference.destinationEntity(of: entity.name).flatMap({ after[$0] }),
        let own = stores[0].historyProperties(of: EntityID(old)),
        let target = stores[1].historyProperties(of: EntityID(new))
      else { continue }
      kinds[old] = (new, own.bits == target.bits ? nil : HistoryBits.Move(from: own, to: target))
    }
    let sql = "SELECT Z_PK, ZENTITY, ZCHANGETYPE, ZENTITYPK, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK"
    var expected: [Int64: [String]] = [:]
    let real = try stores[1].connection.prepare(sql)
    while try real.step() {
      expected[real.int64(0)] = (1...3).map { real.string($0) ?? "" } + ["\(real.blob(4) ?? [])"]
    }
    var (same, moved, others) = (0, 0, [String]())
    let rows = try stores[0].connection.prepare(sql)
    while try rows.step() {
      guard let record = expected[rows.int64(0)] else { continue }
      let (kind, bytes) = (kinds[rows.int64(1)], rows.blob(4) ?? [])
      let bits = rows.int64(2) == 1 ? kind?.move?.moved(bytes) ?? bytes : bytes
      if bits != bytes { moved += 1 }
      let found = ["\(kind?.number ?? rows.int64(1))", rows.string(2) ?? "", rows.string(3) ?? "", "\(bits)"]
      if found == record { same += 1 } else { others.append("\(rows.int64(0)): \(found) \(record)") }
    }
    print("records of Photos: \(same) equal, \(moved) of them with other bits, \(others.count) not")
    #expect(others == [] && same > 1000)
  }
}
