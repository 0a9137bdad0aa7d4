import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let oversizedHistory = Check(
    .oversizedHistory, "oversized-history", .note,
    summary: "Persistent history is many times larger than what it is about.",
    explanation: """
      ## What it looks for
      Ten thousand changes or more, and more than five for each object that the store holds.

      ## Why it matters
      Core Data deletes no history by itself: somebody has to, after the last consumer has read it. Until then each save
      makes the store larger, and a migration carries all of it along.

      ## Example
      `ACHANGE` has 250,000 rows, and the store has 1,200 objects.

      ## What can be done
      Have the app delete what all consumers have seen (`NSPersistentHistoryChangeRequest.deleteHistory(before:)`), a week
      old being the usual measure. In a store at hand `storedoctor repair --trim-history keep:1000` does it, with
      `--compact` for the room that it leaves. With CloudKit, mirroring deletes what it needs no more; then look
      whether it stands still.
      """
  ) { check, scan in
    guard scan.store.shape.table(.change) != nil, let changes = scan.table(HistoryTable.change.rawValue)
    else { return { [] } }
    let objects = scan.objectTables()
    return {
      let changeCount = Int64(changes.allKeys.count)
      let objectCount = Int64(objects.reduce(0) { $0 + $1.table.allKeys.count })
      guard changeCount >= 10_000, changeCount > objectCount * 5 else { return [] }
      return [
        check.finding(
          table: changes.name, count: changeCount,
          message: "history has \(counted(changeCount, "change")) for \(counted(objectCount, "object"))")
      ]
    }
  }
}
