import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

extension Check {
  static let valueOutOfRange = Check(
    .valueOutOfRange, "value-out-of-range", .warning, traits: [.rows],
    summary: "A number is larger or smaller than its attribute's type can hold.",
    explanation: """
      ## What it looks for
      Integer 16 from -32,768 to 32,767, Integer 32 from -2,147,483,648 to 2,147,483,647, Boolean 0 and 1, Float up to
      3.4e38, dates and decimals that are infinite. Bounds that the model sets are SD507.

      ## Why it matters
      The column holds 64 bits whatever the type, so SQLite keeps the number and the app reads another: the lowest 16 or
      32 bits of it. The next save of the object writes that number back.

      ## Example
      `Note.isPinned` is a Boolean, and row 7 of `ZNOTE` has 2 in `ZISPINNED`.

      ## What can be done
      Where the number is right, give the attribute a wider type: inference takes numbers over. Otherwise find out what
      wrote the rows.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows how large a number may be")
      return { [] }
    }
    let columns = scan.values(.outOfRange)
    return {
      columns.compactMap { column in
        let count = column.outOfRange.count
        let type = column.place.leaf.attribute?.type.name ?? "its type"
        return check.finding(
          of: column.place, rows: column.tally(column.outOfRange, scan: scan),
          message: "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") a number in "
            + "\(column.place.column) that \(type) cannot hold")
      }
    }
  }
}
