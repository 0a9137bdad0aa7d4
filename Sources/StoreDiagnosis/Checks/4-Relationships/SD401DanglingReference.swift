import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let danglingReference = Check(
    .danglingReference, "dangling-reference", .error, traits: [.missingRows, .rows],
    summary: "A to-one relationship names an object that does not exist.",
    explanation: """
      ## What it looks for
      A key in the column of a to-one relationship, or in the hidden column of a to-many relationship without inverse,
      that no row of the destination's table has.

      ## Why it matters
      The app gets an object that is only a promise. Reading any of its properties ends with "could not fulfill a fault"
      (133000), and saving the object that holds the key may fail with 1550. SQLite does not notice: Core Data declares
      no foreign keys, so `PRAGMA foreign_key_check` finds nothing. A migration carries the key along.

      ## Example
      `ZNOTE` has a row 7 with 99 in `ZFOLDER`, and `ZFOLDER` has no row 99.

      ## What can be done
      The repair `dangling: nullify` clears the key, its companion and its order key; the objects stay. Where the store
      keeps history, `dangling: restore-from-history` can tell what the missing object was.
      """
  ) { check, scan in
    let columns = scan.keyColumns()
    return {
      columns.compactMap { column in
        guard let rows = danglingRows(of: column, scan) else { return nil }
        let place = column.place
        return check.finding(
          of: place.relationship, table: place.table, rows: rows, message: message(rows.count, at: place),
          blocks: [133000, 1550],
          remedies: [.init("dangling: nullify", isSafe: place.relationship.layout.isOptional)])
      }
    }
  }
}

private func danglingRows(of column: KeyColumn, _ scan: Scan) -> ExampleTally? {
  guard let targets = column.targets(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  column.forEachLink { link in
    guard let key = link.key, !targets.all.contains(key) else { return }
    rows.add(scan.example(link.row, of: column, facts: ["key": .number(key)]))
  }
  return rows
}

private func message(_ count: Int64, at place: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "has" : "have") a key in \(place.column) "
    + "that no row of \(place.targetTable) has"
}
