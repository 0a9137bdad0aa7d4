import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreMigration
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A fleet of stores against a bundle of many versions.
@Suite struct ComparedOnceTests {
  /// Each store holds a copy of its model; equal ones are compared with the versions once.
  @Test func versionsAreComparedOnceForEachListOfHashes() throws {
    let versions = try (1...60).map { number in
      let extra = (1...number).map { "; a\($0) String?" }.joined()
      return ModelSource.Version(
        name: "Shop \(number)", path: "Shop \(number)",
        model: try ModelNotation.model(["Item: name String?\(extra)", "Tag: name String?"]))
    }
    let bundle = ModelSource(
      path: "Shop.xcdatamodeld", format: .xcodeBundle, versions: versions, currentVersionName: "Shop 60",
      missingVersionNames: [])
    let judged = JudgedModels()
    var counts: [Int] = []
    for _ in 1...3 {
      let store = try CaseStore(versions[1].model, ["Item": [["pk": .integer(1)]]])
      var examination = Examination(
        store: try Store(PosixPath(store.path)),
        options: DiagnosisOptions(candidates: CandidateOptions(models: [bundle])))
      examination.judgedModels = judged
      _ = try diagnose(examination)
      counts.append(judged.comparisons)
    }
    // Each version with the store's, and the versions that follow with their neighbours.
    #expect(counts[0] <= versions.count * 2)
    #expect(counts[1] == counts[0] && counts[2] == counts[0])
  }
}
