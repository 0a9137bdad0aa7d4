import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let abstractEntityRow = Check(
    .abstractEntityRow, "abstract-entity-row", .warning,
    summary: "A row belongs to an entity that the model calls abstract.",
    explanation: """
      ## What it looks for
      Rows whose `Z_ENT` is the number of an entity that the store's model has as abstract.

      ## Why it matters
      Core Data makes no objects of an abstract entity, so something else wrote the row, or the entity became abstract
      while there were objects of it. What Core Data makes of such rows in a migration is not known; `diagnose --model`
      takes abstract entities to have none.

      ## Example
      `Shape` is abstract, and row 7 of `ZSHAPE` has the number of `Shape` itself, not of `Circle` or `Square`.

      ## What can be done
      Where it is known which of the subentities the object is, set `Z_ENT` to that one's number on a copy. Otherwise make
      the entity concrete again.
      """
  ) { check, scan in
    let abstract = scan.store.layout.entities.filter(\.isAbstract)
    let tables = abstract.compactMap { entity in scan.table(entity.table).map { (entity, $0) } }
    return {
      tables.compactMap { entity, table in
        let rows = table.keys(of: [entity.id])
        guard !rows.isEmpty else { return nil }
        return check.finding(
          entity.name, table: entity.table, count: Int64(rows.count),
          examples: rows.prefix(scan.exampleLimit).map { .init($0) },
          message:
            "\(counted(rows.count, "row")) of \(entity.table) \(rows.count == 1 ? "is" : "are") of \(entity.name), which is "
            + "abstract")
      }
    }
  }
}
