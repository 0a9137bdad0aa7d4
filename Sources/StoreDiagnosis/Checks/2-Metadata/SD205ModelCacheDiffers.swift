import StoreWords
import StoreFindings
import StoreScanning
import StoreDataModel
import StoreCoreData

extension Check {
  static let modelCacheDiffers = Check(
    .modelCacheDiffers, "model-cache-differs", .warning,
    summary: "The store's copy of its model is not the model its metadata name.",
    explanation: """
      ## What it looks for
      The version hash of each entity, computed from the model in `Z_MODELCACHE`, against the one in the metadata.

      ## Why it matters
      The metadata decide whether the app's model fits. A migration, however, starts from the model in the cache: if
      that describes other tables than there are, it fails or reads the wrong columns.

      ## Example
      The metadata have another hash for `Note` than follows from the cached model.

      ## What can be done
      Compare the two with `storedoctor model diff`, and describe the store with `--store-model`. No repair
      chooses between them: the hashes say which model the store was made with.
      """
  ) { check, scan in
    {
      guard let model = scan.store.modelCache.model, let stored = scan.store.metadata.hashes else { return [] }
      // The hashes of the model in use were already computed when the store was opened.
      let known = scan.store.modelSource == .cache ? scan.store.computedHashes : nil
      let computed = known ?? model.versionHashes
      return Set(stored.names + computed.names).filter { stored.byEntity[$0] != computed.byEntity[$0] }.map { name in
        check.finding(
          name, message: message(name, stored: stored, computed: computed),
          basis: model.unprovenRules(of: name).isEmpty ? .observed : .assumed)
      }
    }
  }
}

private func message(_ name: String, stored: VersionHashes, computed: VersionHashes) -> String {
  if stored.byEntity[name] == nil { return "\(quoted(name)) is in the model cache and not in the metadata" }
  if computed.byEntity[name] == nil { return "\(quoted(name)) is in the metadata and not in the model cache" }
  return "the hash of \(quoted(name)) in the metadata is not that of the model cache"
}
