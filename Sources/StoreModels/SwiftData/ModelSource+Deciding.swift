import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreWords

extension ModelSource {
  /// The same source with open rules decided by the hashes of stores: an entity is read as a store has it. What no
  /// store decides stays open.
  ///
  /// - Throws: `StoreError` if a store cannot be read, or `MatchError` if it has no hashes.
  package func decided(by stores: [PosixPath]) throws -> ModelSource {
    guard !stores.isEmpty, versions.contains(where: { $0.doubt != nil }) else { return self }
    let hashes = try stores.map { path in
      let store = try Store(StoreLocator.locate(path))
      try store.checkUnchanged()
      guard let hashes = store.metadata.hashes else { throw MatchError(path: store.path) }
      return hashes
    }
    var source = self
    source.versions = versions.map { $0.decided(by: hashes) }
    return source
  }
}

extension ModelSource.Version {
  /// The version with each open entity read so that its hash is in one of `lists`. An equal 256-bit hash is no
  /// coincidence.
  func decided(by lists: [VersionHashes]) -> ModelSource.Version {
    guard var doubt else { return self }
    var choices: [String: Int] = [:]
    // An entity that is derived may have another reading too, which counts if it is the one that is there.
    let settled = doubt.entities.filter { $0.value.readings.count + $0.value.olderReadings.count > 1 }.keys
    for name in Set(doubt.open.compactMap(\.entity)).union(settled).sorted(by: codeUnitsPrecede) {
      let known = Set(lists.compactMap { $0.byEntity[name] })
      choices[name] = doubt.entities[name]?.reading(of: known)?.position
    }
    guard !choices.isEmpty, let model = doubt.choose(choices) else { return self }
    // The readings chosen for both ends of a relationship may contradict each other; then none is taken.
    let proved = choices.filter { name, position in
      let reading = doubt.entities[name].flatMap { entity in
        (entity.readings + entity.olderReadings).first { $0.position == position }
      }
      return model.versionHashes.byEntity[name] == reading?.hash
    }
    guard proved == choices else { return self }
    doubt.open.removeAll { $0.entity.map { choices[$0] != nil } ?? false }
    for name in choices.keys { doubt.entities[name] = nil }
    let choose = doubt.choose
    doubt.choose = { choose(proved.merging($0) { _, other in other }) }
    var version = self
    version.model = model
    version.doubt = doubt.gaps.isEmpty && doubt.open.isEmpty && doubt.assumed.isEmpty ? nil : doubt
    return version
  }
}
