import StoreMigration
import StoreDataModel
import StoreCoreData

// Judging a store by a plan that is not completely known
// ------------------------------------------------------
//
// A version with a property that cannot be derived does not prevent a verdict if
//
//   the store has the same class apart from the type of that property, and the opened version declares it the same way
//     ──► the type is taken from the store, and the verdict says so (`assumed`)
//   the version certainly differs from the store's and all others, and no stage from the store's on leads through it
//     ──► it is left out, with the stages up to it
//
// In all other cases there is no verdict.

extension ModelSource {
  /// The source with only the versions known well enough to judge this store, and what was left out. The source must
  /// have been settled by the store's metadata.
  ///
  /// - Parameter ignoresPlan: set if the stages are known from elsewhere.
  /// - Throws: `ModelSourceError` if the verdict depends on something unknown.
  package func judgeable(
    for store: Store, ignoresPlan: Bool
  ) throws(ModelSourceError) -> (source: ModelSource, leftOut: [String]) {
    if !ignoresPlan { try checkPlan() }
    guard versions.contains(where: \.hasGap) else { return (self, []) }
    guard let hashes = store.metadata.hashes else { return try judgeable(ignoresPlan: ignoresPlan) }
    // The result of a rehearsal has its model in memory alone, and the store's own in its cache.
    let model = [store.modelCache.model, store.model].lazy.compactMap(\.self).first { $0.versionHashes == hashes }
    return try PartlyKnownSource(
      source: self, hashes: hashes, model: model,
      plan: ignoresPlan ? nil : plan
    ).judged()
  }
}

extension ModelSource.Version {
  /// Whether something of it could not be determined.
  fileprivate var hasGap: Bool { doubt?.gaps.isEmpty == false }

  /// The entities that are not completely known.
  fileprivate var unknownEntities: Set<String> { Set((doubt?.gaps ?? []).compactMap(\.entity)) }
}

/// A source with incompletely known versions, and the store to judge.
private struct PartlyKnownSource {
  let source: ModelSource
  let hashes: VersionHashes
  /// The store's model, if its hashes equal those in the metadata.
  let model: Model?
  let plan: ModelSource.Plan?

  func judged() throws(ModelSourceError) -> (source: ModelSource, leftOut: [String]) {
    let completed = source.versions.map { version in version.hasGap ? self.completed(version) ?? version : version }
    let equal = completed.indices.filter {
      !completed[$0].hasGap && completed[$0].model.versionHashes == hashes
    }
    let versions = completed.indices.map { position in
      // A type taken from the store's own version counts for another version only if that declares the class the same
      // way.
      equal.allSatisfy { isSame(position, $0) } && !equal.isEmpty ? completed[position] : source.versions[position]
    }
    for position in equal where versions[position].hasGap { throw incomplete(position) }
    let current = versions.lastIndex { $0.name == source.currentVersionName } ?? versions.count - 1
    guard !versions[current].hasGap else { throw incomplete(current) }
    let unknown = versions.indices.filter { versions[$0].hasGap }
    let isOf = equal.map { versions[$0].name }
    for position in unknown { try check(position, among: versions, store: isOf, current: versions[current].name) }
    return (
      ModelSource(
        path: source.path, format: source.format, versions: versions.filter { !$0.hasGap },
        currentVersionName: source.currentVersionName, missingVersionNames: source.missingVersionNames,
        plan: source.plan.map { trimmed($0, without: unknown.map { versions[$0].name }, to: versions[current].name) },
        currentBasis: source.currentBasis),
      unknown.map { leftOut(versions[$0]) }
    )
  }

  private func incomplete(_ position: Int) -> ModelSourceError {
    source.versions[position].incomplete(source.versions[position].doubt?.gaps ?? [])
  }

  private func leftOut(_ version: ModelSource.Version) -> String {
    let isPlanned = plan?.versions.contains(version.name) ?? false
    return version.leftOut
      + (isPlanned ? "; the store is of another version, from which no stage leads through this one" : "")
  }

  // MARK: Types taken from the store

  /// The version with unknown types taken from the store; nil if its hashes then differ from the store's.
  private func completed(_ version: ModelSource.Version) -> ModelSource.Version? {
    guard let model, let doubt = version.doubt, doubt.gaps.allSatisfy({ $0.entity != nil }) else { return nil }
    let names = version.unknownEntities
    var entities = version.model.entities
    for position in entities.indices where names.contains(entities[position].name) {
      guard let part = doubt.entities[entities[position].name], part.unknown != nil,
        let properties = part.unknownProperties,
        let entity = entities[position].taking(properties, from: model.entity(named: entities[position].name))
      else { return nil }
      entities[position] = entity
    }
    guard let whole = try? Model(entities: entities, versionIdentifiers: version.model.versionIdentifiers),
      names.allSatisfy({ whole.versionHashes.byEntity[$0] == hashes.byEntity[$0] })
    else { return nil }
    var version = version
    version.model = whole
    version.doubt?.gaps = []
    version.doubt?.assumed = doubt.gaps.map { "\($0.message); it is taken to be what the store has" }
    return version
  }

  /// Whether another version declares every incompletely known entity of this version the same way.
  private func isSame(_ position: Int, _ other: Int) -> Bool {
    let (one, two) = (source.versions[position], source.versions[other])
    return one.unknownEntities.allSatisfy { name in
      guard let first = one.doubt?.entities[name], let second = two.doubt?.entities[name] else { return false }
      return first.isSame(as: second)
    }
  }

  // MARK: Versions left out

  /// - Throws: `ModelSourceError` if a version of the plan may be the store's, may equal another version, or lies
  ///   between the store's and the current one.
  private func check(
    _ position: Int, among versions: [ModelSource.Version], store: [String], current: String
  ) throws(ModelSourceError) {
    let version = versions[position]
    guard let order = plan?.versions, let place = order.firstIndex(of: version.name) else { return }
    let own = KnownModel(version)
    guard own.surelyDiffers(from: KnownModel(hashes: hashes, model: model)) else { throw incomplete(position) }
    for other in versions where other.name != version.name && order.contains(other.name) {
      guard own.surelyDiffers(from: KnownModel(other)) else { throw incomplete(position) }
    }
    guard let start = store.compactMap({ order.firstIndex(of: $0) }).max(), let end = order.firstIndex(of: current)
    else { return }
    guard place < start || place > end else { throw incomplete(position) }
  }

  /// The plan from after the last unknown version on; earlier stages do not apply to the store.
  private func trimmed(
    _ plan: ModelSource.Plan, without unknown: [String], to current: String
  ) -> ModelSource.Plan {
    guard plan.versions.contains(where: unknown.contains) else { return plan }
    let end = plan.versions.firstIndex(of: current) ?? plan.versions.count - 1
    let start = plan.versions.prefix(end).lastIndex(where: unknown.contains).map { $0 + 1 } ?? 0
    var plan = plan
    plan.versions = Array(plan.versions[start...].prefix { !unknown.contains($0) })
    let stages = plan.stages.filter { text in
      (try? StagePlan.stage(text))?.versions.allSatisfy(plan.versions.contains) ?? false
    }
    // A plan that had stages stays staged, even if none of them is left.
    plan.stages = stages.isEmpty && !plan.stages.isEmpty ? ["light:\(current)"] : stages
    plan.prepared = plan.prepared.filter(plan.stages.contains)
    return plan
  }
}

extension Entity {
  /// The entity with some properties replaced by those of another; nil if the other lacks one of them.
  fileprivate func taking(_ names: Set<String>, from other: Entity?) -> Entity? {
    var entity = self
    for position in entity.properties.indices where names.contains(entity.properties[position].name) {
      let own = entity.properties[position]
      guard let stored = other?.property(named: own.name), stored.attribute != nil, stored.isOptional == own.isOptional
      else { return nil }
      entity.properties[position].kind = stored.kind
    }
    return entity
  }
}

/// The certain facts about a model, to decide whether it differs from another.
private struct KnownModel {
  /// The names of its entities; nil if there may be more.
  var names: Set<String>?
  var hashes: [String: VersionHash]
  /// For each entity, the hashed text of its properties, nil for unknown ones; no entry for an entity that may have
  /// more properties.
  var properties: [String: [String: HashedText.Property?]]

  init(hashes: VersionHashes, model: Model?) {
    names = Set(hashes.byEntity.keys)
    self.hashes = hashes.byEntity
    properties = [:]
    for entity in model?.entities ?? [] {
      properties[entity.name] = model?.hashedText(of: entity.name)?.properties.mapValues { Optional($0) }
    }
  }

  init(_ version: ModelSource.Version) {
    self.init(hashes: version.model.versionHashes, model: version.model)
    if version.doubt?.gaps.contains(where: { $0.entity == nil }) == true { names = nil }
    for (name, part) in version.doubt?.entities ?? [:] where version.doubts.contains(where: { $0.entity == name }) {
      hashes[name] = nil
      let unknown: Set<String>? = version.unknownEntities.contains(name) ? part.unknownProperties : []
      // It is not known which of the properties an open rule concerns.
      let isOpen = version.doubt?.open.contains { $0.entity == name } ?? false
      properties[name] = unknown.flatMap { unknown in
        properties[name].map { words in
          Dictionary(uniqueKeysWithValues: words.map { ($0, isOpen || unknown.contains($0) ? nil : $1) })
        }
      }
    }
  }

  /// Whether the two certainly have different hashes.
  func surelyDiffers(from other: KnownModel) -> Bool {
    if let names, let others = other.names, names != others { return true }
    return Set(hashes.keys).union(properties.keys).contains { name in
      if let own = hashes[name], let others = other.hashes[name] { return own != others }
      guard let own = properties[name], let others = other.properties[name] else { return false }
      guard own.keys == others.keys else { return true }
      return own.contains { property, words in
        guard let words, let known = others[property] ?? nil else { return false }
        return words != known
      }
    }
  }
}
