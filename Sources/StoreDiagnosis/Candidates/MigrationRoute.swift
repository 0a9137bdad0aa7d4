import StoreCoreData
import StoreDataModel
import StoreMigration
import StoreModels
import StoreSQLite
import StoreWords

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
  /// The mapping model it goes by; nil where a mapping is inferred.
  package var mapping: MappingModel?
  /// Where the version is a store's: its model cache, as it is there.
  package var cache: [UInt8]?
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
  func mapping(from before: VersionHashes, to after: VersionHashes) -> MappingModel? {
    options.mappings.mappings.first { MappingUse($0, from: before, to: after) != nil }
  }
  let steps = verdict.stepsByMappingModels
  if !steps.isEmpty {
    return try steps.map { step in
      guard let old = list.versions.first(where: { [$0.label, $0.name].contains(step.from) }),
        let new = list.versions.first(where: { [$0.label, $0.name].contains(step.to) })
      else { throw RouteNotKnown(version: step.to) }
      return RouteHop(
        from: old.name, to: new.name, model: new.model, isCustom: false,
        mapping: mapping(from: judged.hashes(of: old.model), to: judged.hashes(of: new.model)), cache: new.cache)
    }
  }
  return [
    RouteHop(
      from: first?.name, to: target.name, model: target.model, isCustom: false,
      mapping: store.metadata.hashes.flatMap { mapping(from: $0, to: judged.hashes(of: target.model)) },
      cache: target.cache)
  ]
}

extension CandidateList.Version {
  /// The model cache of a store that stands for a version, byte for byte; nil for other sources.
  fileprivate var cache: [UInt8]? {
    guard source.format == .store else { return nil }
    return try? Store(PosixPath(source.path)).storedModelCache()
  }
}

/// A step of a chain of mapping models whose version is not among those given.
package struct RouteNotKnown: Error, CustomStringConvertible {
  /// The version.
  package var version: String

  /// The sentence shown to people.
  package var description: String { "the step to \(quoted(version)) is not found among the models given" }
}

extension ModelVerdict {
  /// The steps by which an app comes to this version that goes from version to version with mapping models, where Core Data
  /// by itself does not come there; none otherwise.
  package var stepsByMappingModels: [MigrationOutcome.Step] {
    guard verdict == .needsCustomStage || verdict == .blockedByData || way == .manual,
      let manual = openings[.manual], manual.verdict == .migrates
    else { return [] }
    return manual.steps
  }
}
