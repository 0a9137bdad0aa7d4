import StoreSQLite
import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let invalidLockCounter = Check(
    .invalidLockCounter, "invalid-lock-counter", .warning,
    summary: "A row's Z_OPT is NULL or less than 1.",
    explanation: """
      ## What it looks for
      `Z_OPT` counts the saves of an object, from 1. Rows with NULL or less; in history's own tables NULL is normal.

      ## Why it matters
      Core Data compares the counter to notice that somebody else has saved the same object. It never writes such a
      value: something else has written the row, and the first save of the object may report a conflict (133020).

      ## Example
      A row of `ZNOTE` was inserted by a script that left `Z_OPT` out.

      ## What can be done
      Nothing has to be done for the row to be read. Whatever wrote it may have forgotten more: look at the other
      findings of this store.
      """
  ) { check, scan in
    let tables = scan.objectTables().map { objects in
      (
        objects,
        scan.visit(objects.table, entities: nil, columns: ["Z_OPT"]) {
          InvalidCounters($0[0], limit: scan.exampleLimit)
        }
      )
    }
    return {
      tables.compactMap { objects, counters in
        let rows = ExampleTally(counters.rows) { .init($0) }
        return check.finding(
          of: objects.root, rows: rows,
          message:
            "\(counted(rows.count, "row")) of \(objects.root.table) \(rows.count == 1 ? "has" : "have") no valid lock counter "
            + "in Z_OPT",
          blocks: [133020])
      }
    }
  }
}

private final class InvalidCounters: RowVisitor {
  private(set) var rows: RowTally
  private let column: Int

  init(_ column: Int, limit: Int) {
    self.column = column
    rows = RowTally(limit: limit)
  }

  override func forLaterRows() -> RowVisitor? { InvalidCounters(column, limit: rows.limit) }

  override func add(_ later: RowVisitor) { if let later = later as? InvalidCounters { rows.add(later.rows) } }

  override func visit(_ row: Row) {
    // NULL reads as 0.
    if row.integer(column) ?? 0 < 1 { rows.add(row.key) }
  }
}
