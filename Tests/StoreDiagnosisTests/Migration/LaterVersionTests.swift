import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreTestSupport
import TestSupport
import Testing

/// SD802 where only names give the order of a bundle's versions: energy's 'ArtsyPartner 5' is older than 'ArtsyFolio v2.7.0'.
@Suite struct LaterVersionTests {
  @Test(
    arguments: [
      ("Notes 2", "", "Notes", "", nil), ("Notes 10", "", "Notes 9", "", .note), ("Old 5", "", "App 2", "", nil),
      ("Old 5", "0.5", "App 2", "2.7.0", nil), ("Old 5", "3.0", "App 2", "2.7.0", .error),
      ("Notes 2", "1.0", "Notes", "2.0", nil), ("Notes 2", "2.0", "Notes", "1.0", .error),
    ] as [(String, String, String, String, Severity?)])
  func namesAloneProveNoOrder(
    own: String, ownID: String, current: String, currentID: String, severity: Severity?
  ) throws {
    func version(_ name: String, _ identifier: String, _ lines: [String]) throws -> ModelSource.Version {
      let model = try Model(
        entities: ModelNotation.model(lines).entities, versionIdentifiers: identifier.isEmpty ? [] : [identifier])
      return ModelSource.Version(name: name, path: name, model: model)
    }
    let versions = [
      try version(current, currentID, ["Note: title String?"]),
      try version(own, ownID, ["Note: title String?; body String?"]),
    ]
    let bundle = ModelSource(
      path: "App.xcdatamodeld", format: .xcodeBundle, versions: versions, currentVersionName: current,
      missingVersionNames: [])
    let store = try CaseStore(versions[1].model, ["Note": [["pk": .integer(1)]]])
    let diagnosis = try diagnose(
      path: store.path, options: DiagnosisOptions(candidates: CandidateOptions(models: [bundle])))
    let finding = diagnosis.findings.first { $0.id == "SD802" }
    #expect(finding?.severity == severity)
    #expect(finding.map { $0.basis == .assumed } == severity.map { $0 == .note })
  }
}
