import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let unmergedWAL = Check(
    .unmergedWAL, "unmerged-wal", .note, traits: [.sideFiles],
    summary: "Part of the data is in the write-ahead log only.",
    explanation: """
      ## What it looks for
      Committed pages in the `-wal` file that the main file has not, or has in an older state.

      ## Why it matters
      Whoever copies the main file alone, or opens it with `immutable=1`, sees an older state or nothing: in real stores
      0 rows in place of 5,000. Everything else that storedoctor says includes what is in the log.

      ## Example
      `SurfJournalModel.sqlite` has all 5,000 of its rows in its `-wal`.

      ## What can be done
      Nothing is wrong. Copy the store, its `-wal` and its `-shm` together.
      """
  ) { check, scan in
    {
      guard let wal = scan.store.wal, wal.isRead, wal.pagesNotInMain > 0 else { return [] }
      return [
        check.finding(
          count: Int64(wal.pagesNotInMain),
          message:
            "\(counted(wal.pagesNotInMain, "page")) of data \(wal.pagesNotInMain == 1 ? "is" : "are") in the write-ahead "
            + "log only: copy the -wal with the store")
      ]
    }
  }
}
