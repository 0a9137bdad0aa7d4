import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let modelCacheUnreadable = Check(
    .modelCacheUnreadable, "model-cache-unreadable", .warning,
    summary: "The store's copy of its own model is missing or cannot be decoded.",
    explanation: """
      ## What it looks for
      Frameworks from 637 on keep the model a store was made with in `Z_MODELCACHE`. A table that is missing or empty in
      a store of such a framework, or content that is no archived model.

      ## Why it matters
      Automatic migration takes the old model from here: without it, and without the old version in the app's bundle, a
      store of an older version cannot be migrated (134130). A store of the app's own version opens all the same.

      ## Example
      `Z_MODELCACHE` has no row.

      ## What can be done
      Nothing, where the app's bundle holds the old versions. Otherwise give the version's model with `--store-model`;
      `diagnose` then looks at the rows by it.
      """
  ) { check, scan in
    {
      guard let why = reason(scan.store) else { return [] }
      return [check.finding(table: "Z_MODELCACHE", message: why, blocks: [134130])]
    }
  }
}

private func reason(_ store: Store) -> String? {
  switch store.modelCache {
  case .model: nil
  case .unreadable(let why): "the model cache cannot be decoded: \(why)"
  case .empty: "the model cache has no content"
  // Absent up to framework 519, present from 637 on (`docs/format/store-layout.md` §8).
  case .absent: store.metadata.frameworkVersion ?? 0 >= 637 ? "the model cache is missing" : nil
  }
}
