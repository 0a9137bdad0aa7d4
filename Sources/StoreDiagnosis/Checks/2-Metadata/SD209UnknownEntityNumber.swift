import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let unknownEntityNumber = Check(
    .unknownEntityNumber, "unknown-entity-number", .error,
    summary: "A row has an entity number that no entity has.",
    explanation: """
      ## What it looks for
      Rows whose `Z_ENT` is NULL, or a number that `Z_PRIMARYKEY` does not have; also in a table that is called as those
      of entities are and that none has.

      ## Why it matters
      No fetch finds such a row, and an object that refers to it gets a fault that cannot be fulfilled (133000). Often
      the row came from another version of the model, by an SQL tool or a merge of stores.

      ## Example
      A row of `ZNOTE` has 42 in `Z_ENT`, and there are 5 entities.

      ## What can be done
      Only somebody who knows where the row comes from can say what it is. Nothing by itself.
      """
  ) { check, scan in
    let tables = scan.objectTables()
    let homeless = scan.tablesWithoutEntity()
    return {
      homeless.compactMap { table in
        let rows = scan.strays(in: table) { _ in true }
        guard rows.count > 0 else { return nil }
        return check.finding(
          table: table.name, count: rows.count, examples: rows.examples,
          message:
            "\(counted(rows.count, "row")) of \(table.name), which is the table of no entity that Z_PRIMARYKEY has",
          blocks: [133000])
      }
        + tables.compactMap { objects in
          let rows = scan.strays(in: objects.table) { entity in entity.map { scan.store.entityMap[$0] == nil } ?? true }
          return check.finding(
            of: objects.root, rows: rows,
            message:
              "\(counted(rows.count, "row")) of \(objects.root.table) \(rows.count == 1 ? "has" : "have") a Z_ENT that no "
              + "entity has",
            blocks: [133000])
        }
    }
  }
}
