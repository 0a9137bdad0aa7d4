import StoreDiagnosis
import StoreMigration
import TestSupport
import Testing

extension MigrationCase {
  /// What `diagnose` says of a store with the rows of the case, and the way in which the app opens it.
  package func diagnosis() throws -> (Diagnosis, OpeningWay) {
    if let plan = plan, let models = models, let version = store {
      let target = try #require(target.string)
      let store = try CaseStore(try self.model(version), rows, setup: setup)
      let names = models.keys.sorted().filter { $0 != target } + [target]
      let sources = try candidateSources(names.map { ($0, try self.model($0)) })
      let options = CandidateOptions(models: sources, opening: .staged, stages: plan)
      return (try diagnose(path: store.path, options: DiagnosisOptions(candidates: options)), .staged)
    }
    let model = try ModelNotation.model(source ?? [])
    let store = try CaseStore(model, rows, setup: setup)
    let isKnown = setup?["sourceModelAvailable"] != .bool(false)
    let sources = try candidateSources((isKnown ? [("old", model)] : []) + [("new", targetModel())])
    let diagnosis = try diagnose(
      path: store.path, options: DiagnosisOptions(candidates: CandidateOptions(models: sources)))
    return (diagnosis, options?["migrate"] == false ? .none : .automatic)
  }
}
