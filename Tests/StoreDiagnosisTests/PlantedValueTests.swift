import StoreDiagnosis
import StoreFindings
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Wrong values that SQL plants at random rows (by seed) are found at exactly these rows.
@Suite struct PlantedValueTests {
  @Test(arguments: [10, 300], LongRuns.seeds(3, whole: 50))
  func findsEveryPlantedRowAndNoOther(_ size: Int, _ seed: UInt64) throws {
    try findsEveryPlantedRow(size, seed)
  }

  @Test(.enabled(if: LongRuns.areWanted, "a long run")) func findsThemAmongAHundredThousandRows() throws {
    try findsEveryPlantedRow(33_000, 1)
  }

  private func findsEveryPlantedRow(_ size: Int, _ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = try ShopStore(at: folder("Shop.sqlite"), size: size)
    var planting = try ValuePlanting(store, seed, files: folder)
    try planting.plantAll()
    planting.database.close()
    let diagnosis = try diagnose(path: store.path, options: DiagnosisOptions(examples: .max))
    var found: [String: [Int64]] = [:]
    // The unique index was dropped so that duplicates could be planted.
    #expect(diagnosis.findings.filter { $0.id == "SD305" }.map(\.line) == ["SD305 warning Item.sku 1 []"])
    for finding in diagnosis.findings where finding.id != "SD305" {
      let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
      found["\(finding.id) \(place)"] = finding.examples.compactMap(\.primaryKey).sorted()
      #expect(finding.count == Int64(finding.examples.count), "seed \(seed)")
    }
    #expect(found == planting.expected.mapValues { $0.sorted() }, "seed \(seed)")
    #expect(diagnosis.skipped == [])
    // SQLite's own check does not find them, since Core Data declares no foreign keys.
    let rows = try Connection(reading: DatabaseFiles(path: store.path)).prepare("PRAGMA foreign_key_check")
    #expect(try !rows.step(), "foreign_key_check finds nothing in a Core Data store")
  }
}
