import CStoreSQLite

/// Why a changeset was not applied; nothing of it was.
package enum ChangesetError: Error, Equatable, Sendable {
  /// A row is not as the changes left it, or one that they need is gone or in the way.
  case conflict(table: String)
  /// The table is gone, or its columns are others now.
  case otherTable(name: String)
}

extension Connection {
  /// Applies changes with triggers off: what triggers did was recorded too.
  ///
  /// - Throws: `ChangesetError` when the rows are not as the changes expect them, `Changeset.Invalid` for bytes that are
  ///   no changeset, and `SQLiteError`. Then nothing is changed.
  package func apply(_ changeset: Changeset) throws {
    guard !changeset.isEmpty else { return }
    for table in try changeset.tables() { try requireShape(of: table) }
    // SQLite calls them direct writes to the tables behind an R-tree, which defensive mode refuses.
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

  /// SQLite passes over tables it does not find, or whose columns are others, in silence.
  private func requireShape(of table: Changeset.Table) throws {
    let columns = try columns(of: table.name).filter { $0.kind == .ordinary }
    guard !table.name.lowercased().hasPrefix("sqlite_"),
      columns.map({ $0.primaryKeyPosition > 0 }) == table.keyColumns
    else { throw ChangesetError.otherTable(name: table.name) }
  }
}

/// What the first conflict was about.
private final class Conflict {
  var table: String?

  func note(_ change: OpaquePointer?) {
    var name: UnsafePointer<CChar>?
    var (columns, operation, isIndirect): (Int32, Int32, Int32) = (0, 0, 0)
    let code = sqlite3changeset_op(change, &name, &columns, &operation, &isIndirect)
    table = code == SQLITE_OK ? name.map { String(cString: $0) } ?? "" : ""
  }
}
