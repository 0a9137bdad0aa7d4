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
      Copy the folder from where the store came from; it is hidden and has the store's name without its extension. After
      a store was renamed it still has the former name: rename it too. What is not there either is lost, and setting the
      attribute to NULL says so.
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
        var missing: [ExternalFileName] = []
        for reference in column.references where !files.contains(reference.file) {
          rows.add(column.example(reference.row, in: scan))
          missing.append(reference.file)
        }
        return check.finding(
          of: column.place, rows: rows,
          message: message(rows.count, of: column.place, scan: scan, isFolderMissing: found == .absent)
            + elsewhere(missing, scan: scan))
      }
    }
  }
}

/// "; 1 of the 2 is in '.Model_SUPPORT' beside the store: ..."; nothing where no other folder has any of the files.
private func elsewhere(_ missing: [ExternalFileName], scan: Scan) -> String {
  guard !missing.isEmpty else { return "" }
  var best: (folder: String, count: Int)?
  for (folder, names) in scan.store.otherExternalFiles() {
    let files = Set(names.compactMap { ExternalFileName($0) })
    let count = missing.count { files.contains($0) }
    if count > best?.count ?? 0 { best = (folder, count) }
  }
  guard let best else { return "" }
  let found =
    best.count == missing.count
    ? "all of them are" : "\(best.count) of the \(missing.count) \(best.count == 1 ? "is" : "are")"
  return
    "; \(found) in \(quoted(best.folder + "/_EXTERNAL_DATA")) beside the store, which is the folder of a store of another "
    + "name: if it is this store's former name, rename the folder, or the store back"
}

private func message(_ count: Int64, of place: AttributePlace, scan: Scan, isFolderMissing: Bool) -> String {
  let folder = quoted(scan.store.externalFolderName)
  return
    "\(counted(count, "row")) of \(place.table) \(count == 1 ? "names" : "name") a file in \(place.column) that is "
    + (isFolderMissing ? "missing, and so is the folder \(folder)" : "not in \(folder)")
}
