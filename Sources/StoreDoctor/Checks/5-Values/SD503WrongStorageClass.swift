import CoreDataModel
import CoreDataStore

extension Check {
  static let wrongStorageClass = Check(
    "SD503", "wrong-storage-class", .warning,
    summary: "A value is stored as something else than its attribute's type asks for.",
    explanation: """
      ## What it looks for
      Text in the column of a number, bytes in the column of a text, a fraction in the column of an integer. Integers
      among dates and decimals are normal, "NaN" in a decimal, and whole reals where the column's declared type makes them.

      ## Why it matters
      Core Data never writes such a value (none in 65 real stores): something else has written the row. What
      the app then reads is what SQLite makes of it, 0 for most texts; a date that is none fails to save with 1650.

      ## Example
      `Note.createdAt` is a date, and row 7 of `ZNOTE` has the text "2024-05-01" in `ZCREATEDAT`.

      ## What can be done
      Find out what wrote the rows; the value is still there and can be converted with SQL on a copy. Where it is of no
      use, set it to NULL and let the repair `backfill` fill it.
      """
  ) { check, scan in
    let columns = scan.values(.wrongClass)
    return {
      columns.compactMap { column in
        guard let expected = column.expected else { return nil }
        let count = column.wrongClass.count
        return check.finding(
          column.place, column.tally(column.wrongClass, scan),
          "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "does" : "do") not have \(expected.words) in "
            + "\(column.place.column)",
          blocks: column.place.leaf.attribute?.type == .date ? [1650] : [])
      }
    }
  }
}
