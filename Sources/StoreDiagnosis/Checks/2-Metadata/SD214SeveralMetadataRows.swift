import StoreCoreData
import StoreFindings
import StoreScanning
import StoreSQLite

extension Check {
  static let severalMetadataRows = Check(
    .severalMetadataRows, "several-metadata-rows", .warning,
    summary: "The store has more than one row of metadata.",
    explanation: """
      ## What it looks for
      `Z_METADATA` has one row in every store Core Data wrote. More of them, with the same or with other contents.

      ## Why it matters
      The row says which model the store was made with, and what the store's UUID is. Which of several Core Data takes is
      not known, so whether the store opens is not either. Here it is the one with `Z_VERSION` 1, or else the first.

      ## Example
      Two stores were merged with SQL, and `Z_METADATA` has the row of each.

      ## What can be done
      Find out which row fits the tables (`storedoctor model match`), and delete the others on a copy.
      """
  ) { check, scan in
    {
      do throws(SQLiteError) {
        // Limited, because a hostile store may have millions of rows.
        let rows = try scan.store.connection.prepare("SELECT count(*) FROM (SELECT 1 FROM Z_METADATA LIMIT 1001)")
        guard try rows.step(), rows.int64(0) > 1 else { return [] }
        let count = rows.int64(0)
        return [
          check.finding(
            table: "Z_METADATA", count: count,
            message: "Z_METADATA has \(count > 1000 ? "more than 1,000" : "\(count)") rows; one is expected")
        ]
      } catch {
        if error.endsReading { throw error }
        scan.skip("Z_METADATA cannot be read: \(error.message)")
        return []
      }
    }
  }
}
