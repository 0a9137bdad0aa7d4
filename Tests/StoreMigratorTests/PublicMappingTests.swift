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
