import StoreDiagnosis
import StoreFindings
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Defects that SQL plants at random rows (by seed) are found at exactly these rows.
@Suite struct PlantedDefectTests {
  @Test(arguments: [10, 300], LongRuns.seeds(3, whole: 50))
  func findsEveryPlantedRowAndNoOther(_ teams: Int, _ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    try findsEveryPlantedRow(ClubStore(at: folder("Club.sqlite"), teams: teams), seed)
  }

  @Test(.enabled(if: LongRuns.areWanted, "a long run")) func findsThemAmongAHundredThousandRows() throws {
    let folder = try TemporaryFolder()
    try findsEveryPlantedRow(ClubStore(at: folder("Club.sqlite"), teams: 20_000), 1)
  }

  private func findsEveryPlantedRow(_ store: ClubStore, _ seed: UInt64) throws {
    var planting = try Planting(store, seed)
    try planting.plantAll()
    planting.database.close()
    let diagnosis = try diagnose(path: store.path, options: DiagnosisOptions(examples: .max))
    var found: [String: [Int64]] = [:]
    for finding in diagnosis.findings {
      found["\(finding.id) \(finding.place)"] = finding.examples.compactMap(\.primaryKey).sorted()
      #expect(finding.count == Int64(finding.examples.count))
    }
    #expect(found == planting.expected.mapValues { $0.sorted() }, "seed \(seed)")
    #expect(diagnosis.skipped == [])
    // SQLite's own check does not find them, since Core Data declares no foreign keys.
    let rows = try Connection(reading: DatabaseFiles(path: store.path)).prepare("PRAGMA foreign_key_check")
    #expect(try !rows.step(), "foreign_key_check finds nothing in a Core Data store")
  }
}
