import StoreText
import StoreWords
import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let missingStoreUUID = Check(
    .missingStoreUUID, "missing-store-uuid", .warning,
    summary: "The store has no UUID, or one that is none.",
    explanation: """
      ## What it looks for
      `Z_UUID` in `Z_METADATA` is NULL, empty, or something else than a UUID.

      ## Why it matters
      Every object's URI (`x-coredata://UUID/Note/p7`) begins with it. URIs that an app keeps, tokens of persistent
      history, mirroring to CloudKit and Spotlight find nothing under another UUID or none.

      ## Example
      The store was made anew by an SQL tool that left `Z_UUID` empty.

      ## What can be done
      Another copy of the store may still have it; write it back on a copy. A new UUID makes it another store to all who
      kept references.
      """
  ) { check, scan in
    {
      let metadata = scan.store.metadata
      guard metadata.isThere else { return [] }
      let uuid = metadata.uuid ?? ""
      guard UUIDText.bytes(uuid) == nil else { return [] }
      return [
        check.finding(
          table: "Z_METADATA",
          message: uuid.isEmpty ? "the store has no UUID in Z_UUID" : "\(quoted(uuid)) in Z_UUID is no UUID"
        )
      ]
    }
  }
}
