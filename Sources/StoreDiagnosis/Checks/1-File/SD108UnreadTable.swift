import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let unreadTable = Check(
    .unreadTable, "unread-table", .warning,
    summary: "A table could not be read to its end, although its pages are in order.",
    explanation: """
      ## What it looks for
      Tables that a check needed and that were not read whole, where SQLite finds no damaged page (SD102): a value of more
      than 256 MiB, which is the longest that is read here, a table that cannot be asked for all its columns, or one of
      whose rows an index lists more than the table has, where keys lead to rows that were not found.

      ## Why it matters
      Whatever is wrong with the rows that were not read is not known. A store of which nothing else is said is not
      healthy for that. With `--model` a migration that would pass is not known to, and the finding is an error.

      ## Example
      Row 4 of `ZATTACHMENT` has 300 MB in `ZDATA`: rows 1 to 3 are looked at, the others are not.

      ## What can be done
      Nothing has to be wrong. Copy the store, empty the value in the copy, and diagnose that.
      """,
    lookAtSubject: { check, subject in
      let scan = subject.scan
      return {
        let unread = scan.unreadTables
        // Pages are only checked if a table was not read completely.
        guard !unread.isEmpty else { return [] }
        let damaged = try scan.tablesWithDamagedPages()
        return unread.filter { !damaged.contains($0.name) }.map { table in
          var finding = check.finding(
            scan.map.entity(ofTable: table.name)?.name, table: table.name,
            message: "\(table.name) cannot be read whole: \(table.damage ?? ""); what its other rows hold is not known")
          // A migration that is not known to succeed must not pass as one that does.
          if subject.candidates?.deciding?.verdict == .migrates { finding.severity = .error }
          return finding
        }
      }
    })
}
