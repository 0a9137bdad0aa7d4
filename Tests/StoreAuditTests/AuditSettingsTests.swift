@testable import StoreAudit
@testable import StoreDiagnosis
import StoreCoreData
import Testing

/// The digest that identifies a run in its lines.
@Suite struct AuditSettingsTests {
  private func run(_ change: (inout DiagnosisOptions) -> Void = { _ in }, _ others: [String] = []) -> String {
    var options = DiagnosisOptions(integrity: .quick)
    change(&options)
    return AuditSettings(diagnosis: options, decidedBy: others, toolVersion: "1").run
  }

  @Test func whatIsTheSameIsOneRun() { #expect(run() == run()) }

  /// Moving a word from the end of one list to the beginning of the next changes the digest.
  @Test func listsDoNotRunIntoOneAnother() {
    let runs = [
      run(), run({ $0.entities = ["a", "b"] }), run({ $0.entities = ["a\0b"] }), run({ $0.entities = ["b", "a"] }),
      run({ $0.candidates.stages = ["a", "b"] }), run({ $0.candidates.planOrder = ["a", "b"] }),
      run({
        $0.candidates.stages = ["a"]
        $0.candidates.planOrder = ["b"]
      }), run({ _ in }, ["a", "b"]), run({ _ in }, ["a"]),
    ]
    #expect(Set(runs).count == runs.count)
  }
}
