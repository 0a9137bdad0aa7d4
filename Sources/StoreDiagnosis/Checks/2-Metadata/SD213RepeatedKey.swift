import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  package static let repeatedKey = Check(
    .repeatedKey, "repeated-key", .error,
    summary: "Two rows of a table have the same Z_PK.",
    explanation: """
      ## What it looks for
      Rows whose `Z_PK` a row before them has too, read in the order of the table. In a table as Core Data makes it `Z_PK`
      is what SQLite finds a row by, and two are a sign of damage; in a table that another tool made anew the key may be a
      column like any other.

      ## Why it matters
      `Z_PK` is what Core Data knows an object by: of two rows it sees one, which of them is chance, and saves over both.

      ## Example
      `ZNOTE` was copied with `CREATE TABLE … AS SELECT`, rows were added, and two of them have the key 7.

      ## What can be done
      `PRAGMA integrity_check` (SD102) says whether it is damage; then look for another copy of the store. Otherwise somebody
      who knows what the rows are has to give one of them a new key, above `Z_MAX`, on a copy.
      """
  ) { check, scan in
    let tables = scan.objectTables()
    return {
      tables.compactMap { objects in
        let repeated = objects.table.repeatedKeys
        return check.finding(
          of: objects.root, rows: ExampleTally(repeated) { .init($0) },
          message:
            "\(counted(repeated.count, "row")) of \(objects.root.table) \(repeated.count == 1 ? "has" : "have") the Z_PK of a "
            + "row before")
      }
    }
  }
}
