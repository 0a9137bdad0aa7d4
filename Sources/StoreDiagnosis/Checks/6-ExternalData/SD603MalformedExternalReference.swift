import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let malformedExternalReference = Check(
    .malformedExternalReference, "malformed-external-reference", .error,
    summary: "A value that may lie in a file is neither inline nor a reference to one.",
    explanation: """
      ## What it looks for
      Values of attributes that allow external storage begin with the byte `01`, and the value follows, or are `02`, a
      UUID in 36 characters and `00`. Bytes that are neither.

      ## Why it matters
      Core Data cannot tell where the value is, and reading the attribute fails. Something else has written the row: the
      value itself without its first byte, most likely.

      ## Example
      Row 7 of `ZATTACHMENT` has a JPEG file in `ZDATA` that begins with `ff d8`, not with `01 ff d8`.

      ## What can be done
      Where the bytes are the value itself, put `01` in front of them on a copy of the store. A reference that was cut
      off cannot be mended; the files that no row names are listed by SD602.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which values may lie in files")
      return { [] }
    }
    let columns = scan.externalColumns()
    return {
      columns.compactMap { column in
        let count = column.malformed.count
        return check.finding(
          of: column.place, rows: ExampleTally(column.malformed) { column.example($0, in: scan) },
          message: "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") bytes in "
            + "\(column.place.column) that are neither inline nor the name of a file")
      }
    }
  }
}
