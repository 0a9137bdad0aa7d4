import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let unexpectedColumn = Check(
    .unexpectedColumn, "unexpected-column", .note,
    summary: "A table has a column that no property accounts for.",
    explanation: """
      ## What it looks for
      Columns of entity and join tables that the model does not explain; generated columns, which Core Data never makes.

      ## Why it matters
      Core Data does not read them, and a migration drops them with what they hold. They are left over from another
      version of the model, or were added by a tool.

      ## Example
      `ZNOTE` has `ZOLDTITLE`, and no version hash knows a property of that name.

      ## What can be done
      Nothing has to be. If what they hold matters, read it before the next migration.
      """
  ) { check, scan in
    {
      guard scan.store.hasModel else {
        scan.skip("without a model nobody knows which columns belong to the store")
        return []
      }
      let columns = scan.store.layout.unexplained.compactMap { unexplained -> (table: String, column: String)? in
        guard case .column(let table, let column) = unexplained.object else { return nil }
        return (table, column)
      }
      return Dictionary(grouping: columns, by: \.table).map { table, columns in
        check.finding(
          scan.map.entity(ofTable: table)?.name, table: table, count: Int64(columns.count),
          examples: columns.prefix(scan.exampleLimit).map { .init(nil, ["column": .text($0.column)]) },
          message: "no property accounts for \(columns.prefix(5).map(\.column).joined(separator: ", "))"
            + (columns.count > 5 ? " and \(columns.count - 5) more columns" : "") + " of \(table)")
      }
    }
  }
}
