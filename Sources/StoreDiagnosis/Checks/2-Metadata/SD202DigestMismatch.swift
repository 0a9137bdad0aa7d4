import StoreCoreData
import StoreFindings
import StoreScanning

extension Check {
  static let digestMismatch = Check(
    .digestMismatch, "digest-mismatch", .warning,
    summary: "The digest in the metadata does not follow from the version hashes beside it.",
    explanation: """
      ## What it looks for
      `NSStoreModelVersionHashesDigest` is SHA-512 over the names and hashes of all entities (frameworks from 973 on). A
      digest that is not that of the hashes in the same list.

      ## Why it matters
      Something other than Core Data has changed the metadata, or part of them was taken from another store.

      ## Example
      One byte of the hash of `Note` was changed, and the digest is still the old one.

      ## What can be done
      Find out which of the two is right: `storedoctor model match` says which model has the hashes. The repair
      `structure: [metadata]` writes the digest anew; it has to be asked for with `--allow-metadata`.
      """
  ) { check, scan in
    {
      guard scan.store.metadata.digestIsConsistent == false else { return [] }
      return [
        check.finding(
          table: "Z_METADATA", message: "the digest does not follow from the version hashes",
          remedies: [.init("structure: [metadata]")])
      ]
    }
  }
}
