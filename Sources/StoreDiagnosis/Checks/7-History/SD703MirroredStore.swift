import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let mirroredStore = Check(
    .mirroredStore, "mirrored-store", .note,
    summary: "The store is mirrored to CloudKit.",
    explanation: """
      ## What it looks for
      Tables of CloudKit's mirroring (`ANSCK…`).

      ## Why it matters
      Every object has a record on a server. A row that is deleted here by other means than Core Data's comes back from
      there; one that is changed is not sent. The model has to keep CloudKit's rules, and its schema there only grows.

      ## Example
      The store has a table `ANSCKRECORDMETADATA`.

      ## What can be done
      Nothing is wrong. The repairs refuse to delete rows of such a store without `--allow-mirrored`; deleting through
      the app is the safe way.
      """
  ) { check, scan in
    {
      guard scan.store.isMirrored else { return [] }
      return [check.finding(nil, message: "the store is mirrored to CloudKit: rows deleted behind its back come back")]
    }
  }
}
