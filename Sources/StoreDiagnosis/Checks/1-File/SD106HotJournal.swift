import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let hotJournal = Check(
    .hotJournal, "hot-journal", .warning, traits: [.sideFiles],
    summary: "A transaction was never finished, and its rollback journal lies beside the store.",
    explanation: """
      ## What it looks for
      A `-journal` file that SQLite would roll back before reading. storedoctor puts the pages back in memory, and reads
      the store as it was before that transaction.

      ## Why it matters
      An app was killed in the middle of a save, or the store was copied during one. Opened without the journal the
      store is half old and half new; opened read-only it cannot be read at all (SQLite code 264, Cocoa error 256).

      ## Example
      `Notes.sqlite-journal` holds 12 pages from before the transaction.

      ## What can be done
      Keep the journal with the store. Any program that opens the copy for writing rolls it back.
      """
  ) { check, scan in
    {
      guard let journal = scan.store.journal, journal.isHot else { return [] }
      return [
        check.finding(
          count: Int64(journal.pagesRestored),
          message:
            "\(counted(journal.pagesRestored, "page")) of an unfinished transaction \(journal.pagesRestored == 1 ? "was" : "were") "
            + "put back in memory: keep the -journal with the store", blocks: [256])
      ]
    }
  }
}
