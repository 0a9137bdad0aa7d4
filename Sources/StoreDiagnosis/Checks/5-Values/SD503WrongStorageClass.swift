import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel

extension Check {
  static let wrongStorageClass = Check(
    .wrongStorageClass, "wrong-storage-class", .warning, traits: [.rows],
    summary: "A value, or the key of a relationship, is stored as something else than its type asks for.",
    explanation: """
      ## What it looks for
      Text in the column of a number, bytes in the column of a text, a fraction in the column of an integer, and in columns
      with the keys of relationships whatever is no integer. Integers
      among dates and decimals are normal, "NaN" in a decimal, and whole reals where the column's declared type makes them.

      ## Why it matters
      Core Data never writes such a value (none in 65 real stores): something else has written the row. What
      the app then reads is what SQLite makes of it, 0 for most texts; a date that is none fails to save with 1650. A key
      of 2.5 leads to row 2 where SQLite is asked for an integer, and to none in a join; the other checks take it for 2.

      ## Example
      `Note.createdAt` is a date, and row 7 of `ZNOTE` has the text "2024-05-01" in `ZCREATEDAT`.

      ## What can be done
      Find out what wrote the rows; the value is still there and can be converted with SQL on a copy. Where it is of no
      use, set it to NULL and let the repair `backfill` fill it.
      """
  ) { check, scan in
    let columns = scan.values(.wrongClass)
    let keys = scan.keyColumns()
    let links = scan.joinLinks()
    return {
      columns.compactMap { wrongValues(check, in: $0, scan: scan) }
        + keys.compactMap { wrongKeys(check, in: $0, scan: scan) }
        + links.compactMap { wrongLinks(check, in: $0) }
    }
  }
}

private func wrongValues(_ check: Check, in column: ValueColumn, scan: Scan) -> Finding? {
  guard let expected = column.expected else { return nil }
  let place = column.place
  return check.finding(
    of: place, rows: column.tally(column.wrongClass, scan: scan),
    message: message(column.wrongClass.count, of: place.table, expected: expected.words, columns: place.column),
    blocks: place.leaf.attribute?.type == .date ? [1650] : [])
}

private func wrongKeys(_ check: Check, in column: KeyColumn, scan: Scan) -> Finding? {
  let place = column.place
  return check.finding(
    of: place.relationship, table: place.table, rows: ExampleTally(column.wrongClass) { scan.example($0, of: column) },
    message: message(column.wrongClass.count, of: place.table, expected: "an integer", columns: place.column))
}

private func wrongLinks(_ check: Check, in links: JoinLinks) -> Finding? {
  let place = links.place
  return check.finding(
    of: place.source.relationship, table: place.table, rows: ExampleTally(links.wrongClass) { .init($0) },
    message: message(
      links.wrongClass.count, of: place.table, expected: "an integer",
      columns: "\(place.source.column) and \(place.destination.column)"))
}

private func message(_ count: Int64, of table: String, expected: String, columns: String) -> String {
  "\(counted(count, "row")) of \(table) \(count == 1 ? "does" : "do") not have \(expected) in \(columns)"
}
