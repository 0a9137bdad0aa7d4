import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let invalidUUID = Check(
    .invalidUUID, "invalid-uuid", .warning, traits: [.rows],
    summary: "A UUID does not have sixteen bytes.",
    explanation: """
      ## What it looks for
      Bytes of another number than 16 in the column of a UUID. A UUID that is stored as text is SD503.

      ## Why it matters
      Core Data stores a UUID as 16 bytes, always. Other bytes cannot be read back as one: what was identified by it is
      not found any more.

      ## Example
      `Note.uuid` is a UUID, and row 7 of `ZNOTE` has 36 bytes in `ZUUID`: the characters of the UUID, as bytes.

      ## What can be done
      Where the bytes spell a UUID, they can be converted with SQL on a copy. Otherwise set them to NULL and let the
      repair `backfill` with `generate: uuid` give the object a new one.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which bytes are UUIDs")
      return { [] }
    }
    let columns = scan.values(.invalidUUID)
    return {
      columns.compactMap { column in
        let count = column.invalidUUIDs.count
        return check.finding(
          of: column.place, rows: column.tally(column.invalidUUIDs, scan: scan),
          message:
            "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") other than 16 bytes in "
            + "\(column.place.column), which is a UUID")
      }
    }
  }
}
