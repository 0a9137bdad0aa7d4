import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let missingExternalFile = Check(
    .missingExternalFile, "missing-external-file", .warning,
    summary: "A value is kept in a file beside the store that does not exist.",
    explanation: """
      ## What it looks for
      Attributes that allow external storage keep large values in files, `.NAME_SUPPORT/_EXTERNAL_DATA/UUID` beside the
      store, and the UUID in the row. Rows whose file is not there, or is no regular file.

      ## Why it matters
      Reading the attribute gives nil: the photograph is gone from the app. Nearly always the store was copied without its
      hidden folder; then all files are missing.

      ## Example
      Row 7 of `ZATTACHMENT` names a file in `ZDATA`, and there is no `.Notes_SUPPORT` beside `Notes.sqlite`.

      ## What can be done
      Copy the folder from where the store came from; it is hidden and has the store's name without its extension. What
      is not there either is lost, and setting the attribute to NULL says so.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which values may lie in files")
      return { [] }
    }
    let columns = scan.externalColumns()
    return {
      guard columns.contains(where: { !$0.references.isEmpty }) else { return [] }
      let found = scan.externalFiles()
      guard found != .unlistable else { return [] }
      let files = Set(found.known.compactMap { ExternalFileName($0) })
      return columns.compactMap { column in
        var rows = ExampleTally(limit: scan.exampleLimit)
        for reference in column.references where !files.contains(reference.file) {
          rows.add(column.example(reference.row, in: scan))
        }
        return check.finding(
          of: column.place, rows: rows,
          message: message(rows.count, of: column.place, scan: scan, isFolderMissing: found == .absent))
      }
    }
  }
}

private func message(_ count: Int64, of place: AttributePlace, scan: Scan, isFolderMissing: Bool) -> String {
  let folder = quoted(scan.store.externalFolderName)
  return
    "\(counted(count, "row")) of \(place.table) \(count == 1 ? "names" : "name") a file in \(place.column) that is "
    + (isFolderMissing ? "missing, and so is the folder \(folder)" : "not in \(folder)")
}
