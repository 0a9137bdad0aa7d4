import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let entityInWrongTable = Check(
    .entityInWrongTable, "entity-in-wrong-table", .error,
    summary: "A row has the number of an entity that lives in another table.",
    explanation: """
      ## What it looks for
      Rows whose `Z_ENT` is the number of an entity that is neither the table's root entity nor inherits from it.

      ## Why it matters
      No fetch finds such a row: Core Data looks for objects of an entity in the table of its root only. Entity numbers
      move when a model gains or loses an entity; a row that was written with the numbers of another version looks like
      this.

      ## Example
      A row of `ZARTWORK` has 3 in `Z_ENT`; `Artwork` is 2, and 3 is `Collection`, which has a table of its own.

      ## What can be done
      Only somebody who knows where the row comes from can say what it is. Nothing by itself.
      """
  ) { check, scan in
    let tables = scan.objectTables()
    return {
      tables.compactMap { objects in
        let home = scan.map.home(of: objects.table.name)
        let rows = scan.strays(in: objects.table) { entity in
          entity.map { scan.store.entityMap[$0] != nil && !home.contains($0) } ?? false
        }
        return check.finding(
          of: objects.root, rows: rows,
          message:
            "\(counted(rows.count, "row")) of \(objects.root.table) \(rows.count == 1 ? "has" : "have") the number of an entity "
            + "of another table",
          blocks: [133000])
      }
    }
  }
}
