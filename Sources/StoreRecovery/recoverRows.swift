import SQLitePages
import StoreSQLite

/// Recovers deleted rows, and earlier versions of rows, from any SQLite database by its schema alone.
///
/// - Parameter log: the write-ahead log to read in place of the one beside it.
/// - Throws: `FileError`, or `DatabaseHeader.Invalid` for a file that is no database.
package func recoverRows(_ path: PosixPath, log: PosixPath? = nil) throws -> Recovery {
  let files = try DatabaseFiles(path, log: log)
  let recovery = try recoverRows(PageFiles(files), files: files)
  if let changed = files.changedFile() { throw FileError(path: changed, kind: .changed) }
  return recovery
}

/// The same for files that are open.
package func recoverRows(_ pages: PageFiles, files: DatabaseFiles?) throws -> Recovery {
  let search = try PageRecovery(pages)
  try search.findDroppedTables()
  try search.search()
  var recovery = Recovery()
  let judged = try search.judged()
  let found = FoundRows(search.found, in: search.files)
  let layouts = search.templates.map { RowLayout($0, found) }
  recovery.rows = judged.map { RecoveredRow($0, layouts[Int(found.candidates[Int($0.index)].template)]) }
  recovery.finish(search, files: files)
  return recovery
}

extension Recovery {
  /// Adds what the search knows besides rows, and sorts them.
  mutating func finish(_ search: PageRecovery, files: DatabaseFiles?) {
    notes += search.notes
    if search.found.count >= PageRecovery.limit {
      notes.append("the search stopped after \(PageRecovery.limit) rows; the rest of the file was not searched")
    }
    droppedTables = search.droppedTables
    database = Database(search)
    bytesSearched = search.bytesSearched
    freedSpace = search.freedSpace
    evidence = files
    for (role, file) in [("main", files?.main), ("wal", files?.wal), ("journal", files?.journal)] {
      if let file { self.files.append(File(role: role, path: file.path, size: file.size, location: file.location)) }
    }
    rows.sort(by: RecoveredRow.isBefore)
  }
}

extension RecoveredRow {
  /// By table, key and place, so that two runs are equal.
  fileprivate static func isBefore(_ left: Self, _ right: Self) -> Bool {
    let (first, second) = (left.table ?? "", right.table ?? "")
    if first != second { return first < second }
    if left.key != right.key { return left.key ?? .max < right.key ?? .max }
    guard let place = left.place, let other = right.place else { return left.place == nil && right.place != nil }
    return Place.isBefore(place, other)
  }
}
