import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let columnTypeDiffers = Check(
    .columnTypeDiffers, "column-type-differs", .warning,
    summary: "A column is declared with another type than its property has.",
    explanation: """
      ## What it looks for
      The declared type of each column against the one Core Data gives to a property of that type: `INTEGER`, `FLOAT`,
      `DECIMAL`, `VARCHAR`, `TIMESTAMP`, `BLOB`.

      ## Why it matters
      SQLite converts what is stored by the declared type: text "007" in an `INTEGER` column becomes 7. Core Data then
      reads a value of a kind it did not write. It shows that a tool made or changed the table.

      ## Example
      `Note.zip` is a string, and `ZZIP` is declared `INTEGER`.

      ## What can be done
      See what the column holds (SD503), and migrate into a store that Core Data makes itself.
      """
  ) { check, scan in
    {
      scan.store.layout.differingTypes.map { differing in
        check.finding(
          scan.map.entity(named: differing.entity)?.name ?? differing.entity, table: differing.table,
          property: differing.property,
          message:
            "\(differing.table).\(differing.column) is declared \(differing.declared.isEmpty ? "without a type" : differing.declared), "
            + "and the model's type is \(differing.expected)")
      }
    }
  }
}
