import StoreSQLite
import StoreWords

extension Workbench {
  /// Writes the file anew without its free pages, where that makes it shorter. Nothing that a store shows changes, and what
  /// free pages and gaps hold of deleted rows is gone: so it is lossy.
  ///
  /// - Throws: `SQLiteError` where there is no room for a trial.
  func compact() throws -> Decision {
    guard !hasDamagedTables else {
      return Decision(obstacles: [
        Obstacle(
          .compact,
          "pages of the store cannot be read (SD102), and what is written anew would be without them; "
            + "'storedoctor salvage' writes a new store with all that can be read", refusesPlan: true)
      ])
    }
    let before = try connection.pageUse()
    let trial = try Connection.scratch()
    defer { trial.close() }
    try connection.copy(to: trial)
    try trial.learnSchema()
    do {
      try trial.compact()
    } catch {
      guard error.isConstraint || error.isCorrupt else { throw error }
      return Decision(obstacles: [
        Obstacle(
          .compact,
          "SQLite cannot write the file anew, because it contradicts itself: 'storedoctor diagnose' says where; 'reindex' "
            + "mends indexes, and 'storedoctor salvage' writes a new store with all that can be read", refusesPlan: true
        )
      ])
    }
    let after = try trial.pageUse()
    guard after.bytes < before.bytes else { return Decision() }
    let operation = Operation(
      .compact,
      summary:
        "write the file anew without its free pages: \(grouped(before.bytes)) bytes become \(grouped(after.bytes))",
      .compact(bytes: after.bytes), grade: .lossy)
    return Decision(
      operations: [operation],
      notices: [
        "compacting destroys what can still be recovered of deleted rows: \(counted(before.free, "free page")) "
          + "(\(grouped(before.free &* before.pageSize)) bytes) and the gaps between rows; look with 'storedoctor recover' "
          + "first, and keep the store as it is where it is evidence"
      ])
  }
}
