import StoreCoreData
import StoreDataModel
import StoreMigration
import StoreModels

/// One of the migrations between a store's version and the deciding one.
package struct RouteHop: Sendable {
  /// The version it starts at; nil for that of the store, where the models do not name it.
  package var from: String?
  /// The version it ends at.
  package var to: String
  /// The model of that version.
  package var model: Model
  /// Whether code of the app runs before and after it.
  package var isCustom: Bool
}

/// The migrations that run when a store is opened in the way its verdict is about; none where it opens as it is.
///
/// - Throws: as `diagnose` for models that cannot be judged.
package func migrationRoute(
  of store: Store, _ options: CandidateOptions, verdict: ModelVerdict
) throws -> [RouteHop] {
  let judged = JudgedModels()
  var options = options
  let ignoresPlan = !options.stages.isEmpty || !options.planOrder.isEmpty
  options.models = try options.models.map {
    try $0.settled(by: store.metadata).judgeable(for: store, ignoresPlan: ignoresPlan).source
  }
  let list = try CandidateList(options)
  guard list.versions.indices.contains(list.deciding), let own = store.modelOfItsHashes else { return [] }
  let target = list.versions[list.deciding]
  let hashes = judged.hashes(of: own)
  guard hashes != judged.hashes(of: target.model) else { return [] }
  let plan = try list.plan(options, known: judged)
  let first = plan.version(withChecksum: hashes.checksum)
  if verdict.way == .staged, let first,
    let last = plan.version(withChecksum: judged.hashes(of: target.model).checksum),
    let steps = plan.steps(from: first.name, to: last.name)
  {
    return steps.compactMap { step in
      plan.versions[step.to].map { RouteHop(from: step.from, to: step.to, model: $0.model, isCustom: step.runsCode) }
    }
  }
  return [RouteHop(from: first?.name, to: target.name, model: target.model, isCustom: false)]
}
