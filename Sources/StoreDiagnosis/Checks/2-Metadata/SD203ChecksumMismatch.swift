import StoreCoreData
import StoreFindings
import StoreScanning

extension Check {
  static let checksumMismatch = Check(
    .checksumMismatch, "checksum-mismatch", .warning,
    summary: "The checksum in the metadata does not follow from the version hashes beside it.",
    explanation: """
      ## What it looks for
      `NSStoreModelVersionChecksumKey` is SHA-256 over the hashes of all entities in order of their names (frameworks
      from 1321 on). A checksum that is not that of the hashes in the same list.

      ## Why it matters
      Staged migration, and SwiftData with a migration plan, look the checksum up among the plan's versions: with a
      wrong one the store is of an unknown version (134504), although its hashes are known.

      ## Example
      The hashes were copied from another store, and the checksum was not.

      ## What can be done
      Find out which of the two is right: `storedoctor model match` says which model has the hashes. The repair
      `structure: [metadata]` writes the checksum anew; it has to be asked for with `--allow-metadata`.
      """
  ) { check, scan in
    {
      guard scan.store.metadata.checksumIsConsistent == false else { return [] }
      return [
        check.finding(
          table: "Z_METADATA", message: "the checksum does not follow from the version hashes", blocks: [134504],
          remedies: [.init("structure: [metadata]")])
      ]
    }
  }
}
