import StoreMigration
import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreText

/// Finds which of the given models the store at `path` was made with, and which of them the mapping models connect.
///
/// - Parameters:
///   - mappings: mapping models given by path.
///   - found: further mapping models; listed only if one side matches the store or a candidate.
/// - Throws: `StoreError` if the store cannot be read, or `MatchError` if it has no hashes to match.
package func matchModel(
  store path: PosixPath, opening: Store.Options = Store.Options(), candidates sources: [ModelSource],
  mappings: [MappingModel] = [], found: MappingSources = MappingSources()
) throws -> ModelMatch {
  let store = try Store(StoreLocator.locate(path), options: opening)
  try store.checkUnchanged()
  guard let hashes = store.metadata.hashes else { throw MatchError(path: store.path) }
  let sources = sources.map { $0.settled(by: store.metadata).asAnySystemReads(hashes) }
  let candidates = sources.flatMap { source in
    source.versions.map { ModelMatch.Candidate($0, of: source, against: hashes) }
  }
  let answer = ModelMatch.Answer(candidates, store: hashes)
  let mappings =
    mappings.map { ModelMatch.Mapping($0, store: hashes, candidates) }
    + found.mappings.map { ModelMatch.Mapping($0, store: hashes, candidates) }.filter { !$0.fitsNeither }
  return ModelMatch(
    store: ModelMatch.MatchedStore(store, hashes), answer: answer, candidates: candidates,
    nearest: answer == .none
      ? ModelMatch.Nearest(
        candidates, identifiers: store.metadata.versionIdentifiers, storeModel: store.modelCache.model) : nil,
    mappings: mappings, history: nil,
    notes: ModelMatch.notes(on: store, hashes, candidates: candidates, sources: sources)
      + mappings.indices.filter { mappings[$0].fitsNeither }.map(ModelMatch.Note.mappingFitsNeither))
}

extension ModelSource.Version {
  /// Which systems make a model of these hashes of the source, and which another; nil where all make the same.
  fileprivate func systemWords(_ hashes: VersionHashes, framework: Int64?) -> String? {
    let others = systems.filter { $0.isCertain && $0.model.versionHashes != hashes }
    guard !others.isEmpty else { return nil }
    let own = systems.systems(making: hashes) ?? "some system"
    let written = framework.map { ", and the store was last written by framework \($0)" } ?? ""
    let elsewhere = others.map { "on \($0.frameworks.systems) (\($0.frameworks.numbers))" }
    return
      "the store's model is that of \(own)\(written); \(elsewhere.joined(separator: ", ")) the same classes are another"
      + (systems.remedy.map { "; \($0)" } ?? "")
  }
}

extension ModelSource {
  /// With the reading that has a store's hashes, of whatever system: equal hashes are no coincidence.
  fileprivate func asAnySystemReads(_ hashes: VersionHashes) -> ModelSource {
    var source = self
    for (position, version) in versions.enumerated() where version.model.versionHashes != hashes {
      guard let system = version.systems.first(where: { $0.model.versionHashes == hashes }) else { continue }
      source.versions[position].model = system.model
    }
    return source
  }
}

extension ModelMatch.MatchedStore {
  init(_ store: Store, _ hashes: VersionHashes) {
    path = store.path
    identity = StoreIdentity(store)
    frameworkVersion = store.metadata.frameworkVersion
    identifiers = store.metadata.versionIdentifiers
    self.hashes = hashes
    checksum = store.metadata.checksum.flatMap(Base64.decode).flatMap { VersionHash($0)?.bytes }
    hasModel = store.modelCache.model != nil
  }
}

extension ModelMatch.Candidate {
  package init(_ version: ModelSource.Version, of source: ModelSource, against stored: VersionHashes) {
    name = version.name
    path = version.path
    self.source = source.path
    isCurrent = source.currentVersionName == version.name
    isContainer = version.isContainer
    identifiers = version.model.versionIdentifiers
    let computed = version.model.versionHashes
    hashes = computed
    comparison = HashComparison(store: stored, model: computed, gaps: version.doubt?.gaps ?? [])
    isKnown = version.doubts.isEmpty || comparison.isEqual
    model = version.model
  }
}

extension ModelMatch.Answer {
  package init(_ candidates: [ModelMatch.Candidate], store: VersionHashes) {
    let equal = candidates.indices.filter { candidates[$0].comparison.isEqual }
    guard equal.isEmpty else {
      self = .version(equal)
      return
    }
    let parts = candidates.indices.filter { candidates[$0].comparison.isPart }
    guard !parts.isEmpty else {
      self = .none
      return
    }
    let chosen = Self.cover(parts, among: candidates)
    let covered = Set(chosen.flatMap { candidates[$0].comparison.equal })
    let missing = store.names.filter { !covered.contains($0) }
    self = missing.isEmpty ? .union(chosen) : .part(chosen, unaccounted: missing)
  }

  /// The fewest parts that each add an entity, largest first; of parts of equal size the last, which is the newest.
  private static func cover(_ parts: [Int], among candidates: [ModelMatch.Candidate]) -> [Int] {
    var covered: Set<String> = []
    var chosen: [Int] = []
    let bySize = parts.sorted {
      (candidates[$0].comparison.equal.count, $0) > (candidates[$1].comparison.equal.count, $1)
    }
    for part in bySize where !covered.isSuperset(of: candidates[part].comparison.equal) {
      covered.formUnion(candidates[part].comparison.equal)
      chosen.append(part)
    }
    return chosen.sorted()
  }
}

extension ModelMatch.Nearest {
  /// The most similar candidate (`HashComparison.nearest`); nil without candidates.
  init?(_ candidates: [ModelMatch.Candidate], identifiers: [String], storeModel: Model?) {
    let best = HashComparison.nearest(
      candidates.map(\.comparison), identifiers: candidates.map(\.identifiers), to: identifiers)
    guard let best else { return nil }
    candidate = best
    inference = storeModel.map { MigrationInference(ModelDifference(from: $0, to: candidates[best].model)) }
  }
}

extension ModelMatch {
  fileprivate static func notes(
    on store: Store, _ hashes: VersionHashes, candidates: [Candidate], sources: [ModelSource]
  ) -> [Note] {
    var notes: [Note] = []
    if let computed = store.computedHashes, computed != hashes {
      let comparison = HashComparison(store: hashes, model: computed)
      notes.append(.cacheDiffers(entities: comparison.different + comparison.onlyInStore + comparison.onlyInModel))
    }
    if store.metadata.checksumIsConsistent == false { notes.append(.checksumInconsistent) }
    let identifiers = Set(store.metadata.versionIdentifiers.filter { !$0.isEmpty })
    for (position, candidate) in candidates.enumerated()
    where candidate.comparison.differs && !identifiers.isDisjoint(with: candidate.identifiers) {
      notes.append(.sameIdentifier(candidate: position))
    }
    notes += candidates.indices.compactMap { position in
      let faults = candidates[position].model.faults.map(\.explanation)
      return faults.isEmpty ? nil : .faults(candidate: position, faults)
    }
    notes += recordedNotes(sources)
    notes += systems(candidates, sources, store: store)
    notes += doubts(sources)
    let known = candidates.indices.filter { candidates[$0].comparison.isWhole }
    let equal = Dictionary(grouping: known, by: { candidates[$0].hashes.checksum }).values
      .filter { group in group.count > 1 && Set(group.map { candidates[$0].source }).count == 1 }
    notes += equal.map { $0.sorted() }.sorted { $0[0] < $1[0] }.map { group in
      group.allSatisfy { candidates[$0].isContainer } ? .sameSchema(group) : .equalVersions(group)
    }
    return notes
      + sources.flatMap { source in source.missingVersionNames.map { .missingVersion(source: source.path, name: $0) } }
  }

  private static func doubts(_ sources: [ModelSource]) -> [Note] {
    sources.flatMap(\.versions).enumerated().flatMap { position, version in
      guard let doubt = version.doubt else { return [Note]() }
      return doubt.gaps.map { .notDerived(candidate: position, $0.message) }
        + doubt.decided.map { .decidedByStore(candidate: position, $0) }
        + doubt.open.map { .openRule(candidate: position, $0.message) }
        + doubt.assumed.map { .openRule(candidate: position, $0) }
    }
  }

  /// Which systems make the store's model of a candidate's source, where not all do; once for candidates of equal classes.
  private static func systems(_ candidates: [Candidate], _ sources: [ModelSource], store: Store) -> [Note] {
    guard let hashes = store.metadata.hashes else { return [] }
    var said: [(message: String, candidates: [Int])] = []
    for (position, version) in sources.flatMap(\.versions).enumerated() where candidates[position].comparison.isEqual {
      guard let message = version.systemWords(hashes, framework: store.metadata.frameworkVersion) else { continue }
      if let known = said.firstIndex(where: { $0.message == message }) {
        said[known].candidates.append(position)
      } else {
        said.append((message, [position]))
      }
    }
    return said.map { .madeBySystem($0.candidates, $0.message) }
  }

  private static func recordedNotes(_ sources: [ModelSource]) -> [Note] {
    sources.flatMap(\.versions).enumerated().compactMap { position, version in
      guard let entities = HashListing.Version(version).recordedDifferently, !entities.isEmpty else { return nil }
      return .recordedHashesDiffer(candidate: position, entities: entities)
    }
  }
}
