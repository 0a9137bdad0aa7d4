import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let missingJoinTable = Check(
    .missingJoinTable, "missing-join-table", .error, traits: [.damage],
    summary: "A many-to-many relationship has no table.",
    explanation: """
      ## What it looks for
      The table that keeps the links of each many-to-many relationship, `Z_<number><RELATIONSHIP>`, with a column for
      either end. The digits that tell columns of the same name apart may be others than the model's order gives.

      ## Why it matters
      The first fetch of the relationship, and each migration, fails with "no such table" (SQLite code 1), shown as
      134110 or as 256.

      ## Example
      `Note.tags` should be in `Z_3TAGS`, and there is no such table.

      ## What can be done
      The links are not in this file; look for an older copy. The objects at both ends are not concerned.
      """
  ) { check, scan in
    {
      scan.skipUndecidedJoinTables()
      return scan.store.layout.lacking.compactMap { lacking in
        guard case .joinTable(let table) = lacking.object, let property = lacking.property else { return nil }
        let words =
          scan.store.shape.tables[table] == nil
          ? "there is no table \(table)" : "table \(table) has not the columns of its two ends"
        return check.finding(
          lacking.entity, table: table, property: property, message: words, blocks: [134110, 256, 1])
      }
    }
  }
}
