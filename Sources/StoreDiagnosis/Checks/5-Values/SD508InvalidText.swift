import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let invalidText = Check(
    .invalidText, "invalid-text", .warning, traits: [.rows],
    summary: "A text is not UTF-8, or has a NUL inside.",
    explanation: """
      ## What it looks for
      Bytes in the column of a text or a URI that are not well-formed UTF-8, and texts with the character U+0000.

      ## Why it matters
      SQLite stores any bytes as text and checks none. Core Data reads them as UTF-8: the object has a text with
      characters replaced, or none at all, and many readers end a text at its NUL. A search finds neither.

      ## Example
      Row 7 of `ZNOTE` has the bytes `4b e4 73 65` in `ZTITLE`: "Käse" in Latin-1.

      ## What can be done
      Find out what wrote the rows. The bytes are still there: they can be converted on a copy by whoever knows their
      encoding.
      """
  ) { check, scan in
    let columns = scan.values(.invalidText)
    return {
      columns.compactMap { column in
        let count = column.invalidTexts.count
        return check.finding(
          of: column.place, rows: column.tally(column.invalidTexts, scan: scan),
          message: "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") text in "
            + "\(column.place.column) that is not UTF-8, or has a NUL inside")
      }
    }
  }
}
