import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StorePublishing
import StoreSQLite

/// Makes a store of a model's version, as Core Data would, with objects that are made up.
///
/// The store is diagnosed with the model before it gets its name. The same version, options and program give the same
/// bytes.
///
/// - Parameters:
///   - version: the version, completely known.
///   - source: where it is from.
/// - Throws: `SampleError` where the model has names that no store can have, or the result does not open; `PublishingError`
///   where it cannot be written. Nothing is left behind then.
package func makeSample(
  of version: ModelSource.Version, in source: ModelSource, to target: OutputTarget, _ options: SampleOptions
) throws -> MadeSample {
  var writer = try SampleWriter(version.model, options)
  var findings: [Finding] = []
  try publishNew(to: target) { draft in
    try writer.write(to: draft)
  } verify: { draft in
    findings = try check(draft, against: version)
  }
  return MadeSample(
    output: target.path.description, modelPath: source.path, version: version.name, options: options,
    entities: writer.counts, links: writer.linkCount, findings: findings,
    limits: writer.limits + (version.doubt?.assumed ?? []))
}

/// The rules of the model that are not kept in a store that was made.
private func check(_ draft: PosixPath, against version: ModelSource.Version) throws -> [Finding] {
  let model = ModelSource(path: version.path, format: .json, version: version.name, model: version.model)
  var options = DiagnosisOptions()
  options.candidates = CandidateOptions(models: [model])
  let store = try Store(draft)
  let diagnosis = try diagnose(Examination(store: store, options: options))
  guard diagnosis.deciding?.verdict == .opens else {
    throw SampleError(
      "the store that was made does not open with the model but is '\(diagnosis.verdict.rawValue)', so it was thrown away. "
        + "This is an error of storedoctor's; please report it")
  }
  if let error = diagnosis.findings.first(where: { $0.severity == .error }) {
    throw SampleError(
      "\(error.id) is found in the store that was made, so it was thrown away: \(error.message). This is an error of "
        + "storedoctor's; please report it")
  }
  return diagnosis.findings.filter { $0.severity >= .warning }
}
