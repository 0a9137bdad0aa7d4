import CStoreSQLite

/// Why a changeset was not applied. None of its changes was made.
package enum ChangesetError: Error, Equatable, Sendable {
  /// A row differs from what the changes expect, is missing, or is in the way.
  case conflict(table: String)
  /// The table is missing, or has other columns now.
  case otherTable(name: String)
}

extension Connection {
  /// Applies changes with triggers off, since what triggers did was recorded too.
  ///
  /// - Throws: `ChangesetError` when the rows are not as the changes expect, `Changeset.Invalid` for bytes that are not
  ///   a changeset, and `SQLiteError`. Nothing is changed then.
  package func apply(_ changeset: Changeset) throws {
    guard !changeset.isEmpty else { return }
    for table in try changeset.tables() { try requireShape(of: table) }
    // SQLite counts them as direct writes to the tables behind an R-tree, which defensive mode refuses.
    let options = [(SQLITE_DBCONFIG_ENABLE_TRIGGER, Int32(0), Int32(1)), (SQLITE_DBCONFIG_DEFENSIVE, 0, 1)]
    for (option, value, _) in options { try configure(option, value) }
    defer { for (option, _, value) in options { try? configure(option, value) } }

    let conflict = Conflict()
    let code = try with(.ourOwn) {
      try withHandle { handle in
        changeset.bytes.withUnsafeBytes { buffer in
          sqlite3changeset_apply(
            handle, Int32(clamping: buffer.count), UnsafeMutableRawPointer(mutating: buffer.baseAddress), nil,
            { context, _, change in
              if let context { Unmanaged<Conflict>.fromOpaque(context).takeUnretainedValue().note(change) }
              return SQLITE_CHANGESET_ABORT
            }, Unmanaged.passUnretained(conflict).toOpaque())
        }
      }
    }
    if let table = conflict.table { throw ChangesetError.conflict(table: table) }
    try check(code)
  }

  /// SQLite silently skips tables that are missing or have other columns.
  private func requireShape(of table: Changeset.Table) throws {
    let columns = try columns(of: table.name).filter { $0.kind == .ordinary }
    guard !table.name.lowercased().hasPrefix("sqlite_"),
      columns.map({ $0.primaryKeyPosition > 0 }) == table.keyColumns
    else { throw ChangesetError.otherTable(name: table.name) }
  }
}

/// The table of the first conflict.
private final class Conflict {
  var table: String?

  func note(_ change: OpaquePointer?) {
    var name: UnsafePointer<CChar>?
    var (columns, operation, isIndirect): (Int32, Int32, Int32) = (0, 0, 0)
    let code = sqlite3changeset_op(change, &name, &columns, &operation, &isIndirect)
    table = code == SQLITE_OK ? name.map { String(cString: $0) } ?? "" : ""
  }
}
