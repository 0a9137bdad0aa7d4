import StoreCoreData
import StoreFindings
import StoreScanning

extension Check {
  static let missingMetadata = Check(
    .missingMetadata, "missing-metadata", .error, traits: [.damage],
    summary: "The store's metadata are missing or cannot be decoded.",
    explanation: """
      ## What it looks for
      `Z_METADATA` should have one row, with the store's UUID and a property list in `Z_PLIST` that holds the version
      hashes of the model. A store that has lost the table, a table without a row, a list that is NULL or cannot be
      decoded, a list without hashes.

      ## Why it matters
      Without the hashes Core Data cannot tell which model the store was made with, and does not open it.

      ## Example
      `Z_METADATA` has one row with NULL in `Z_PLIST`.

      ## What can be done
      Look for another copy of the store, with its `-wal`. Where the model is at hand, `--store-model` describes the store
      for everything else; no repair makes hashes up.
      """
  ) { check, scan in
    {
      let metadata = scan.store.metadata
      guard metadata.hashes == nil || !metadata.problems.isEmpty else { return [] }
      return [
        check.finding(
          table: "Z_METADATA", message: metadata.problems.first ?? "the metadata have no version hashes")
      ]
    }
  }
}
