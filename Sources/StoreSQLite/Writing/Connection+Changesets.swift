import CStoreSQLite

/// Why a changeset was not applied. None of its changes was made.
package enum ChangesetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A row differs from what the changes expect, is missing, or is in the way.
  case conflict(table: String)
  /// The table is missing, or has other columns now.
  case otherTable(name: String)

  /// What is in the way.
  package var description: String {
    switch self {
    case .conflict(let table): "rows of table '\(table)' are not as the changes expect"
    case .otherTable(let name): "table '\(name)' is missing or has other columns"
    }
  }
}

/// A column that only ever counts up. Where its value has changed since, applying a change keeps the higher one and is
/// no conflict.
package struct CountingColumn: Sendable, Equatable {
  /// The table's name.
  package var table: String
  /// The column's name.
  package var column: String

  /// A column of a table; names are compared without regard to case.
  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}

extension Connection {
  /// The most columns for which changes are left to SQLite. It compares all columns of a row in one expression, which
  /// is as deep as the table has columns: the limit set here is 200, and the highest one the library can have is 1,000.
  package static let mostColumnsForSQLite = 150

  /// Applies changes with triggers off, since what triggers did was recorded too.
  ///
  /// - Parameters:
  ///   - counting: columns that may have counted on.
  ///   - mostColumns: tables with more columns are changed by statements of our own (`RowChanger`).
  /// - Throws: `ChangesetError` when the rows are not as the changes expect, `Changeset.Invalid` for bytes that are not
  ///   a changeset, and `SQLiteError`. Nothing is changed then.
  package func apply(
    _ changeset: Changeset, counting: [CountingColumn] = [], mostColumns: Int = mostColumnsForSQLite
  ) throws {
    guard !changeset.isEmpty else { return }
    let tables = try changeset.tables()
    for table in tables { try requireShape(of: table) }
    let countingTables = Set(counting.map { $0.table.lowercased() })
    let own = Set(
      tables.filter { $0.keyColumns.count > mostColumns || countingTables.contains($0.name.lowercased()) }.map(\.name))
    // SQLite counts them as direct writes to the tables behind an R-tree, which defensive mode refuses.
    let options = [(SQLITE_DBCONFIG_ENABLE_TRIGGER, Int32(0), Int32(1)), (SQLITE_DBCONFIG_DEFENSIVE, 0, 1)]
    for (option, value, _) in options { try configure(option, to: value) }
    defer { for (option, _, value) in options { try? configure(option, to: value) } }

    try runOwn("SAVEPOINT storedoctor_changes")
    do {
      try applyBySQLite(changeset, except: own)
      try with(.ourOwn) { try applyByRow(changeset, tables: tables, own: own, counting: counting) }
    } catch {
      try? runOwn("ROLLBACK TO storedoctor_changes; RELEASE storedoctor_changes")
      throw error
    }
    try runOwn("RELEASE storedoctor_changes")
  }

  /// Whether changes of a table could be applied to it as it is now; if not, why.
  ///
  /// - Throws: `SQLiteError` where that cannot be found out.
  package func obstacle(toApplying table: Changeset.Table) throws -> String? {
    do {
      try requireShape(of: table)
      // As `apply` does, for the tables behind an R-tree.
      try configure(SQLITE_DBCONFIG_DEFENSIVE, to: 0)
      defer { try? configure(SQLITE_DBCONFIG_DEFENSIVE, to: 1) }
      // SQLite's own statements are as long for narrow tables.
      try with(.ourOwn) { try RowChanger(of: self, table: table, counting: []).compileAll() }
      return nil
    } catch ChangesetError.otherTable {
      return "its columns are not those that were recorded"
    } catch let error as SQLiteError {
      return error.message
    }
  }

  private func applyBySQLite(_ changeset: Changeset, except own: Set<String>) throws {
    let context = ApplyContext(except: own)
    let code = try with(.ourOwn) {
      try withHandle { handle in
        changeset.bytes.withUnsafeBytes { buffer in
          sqlite3changeset_apply(
            handle, Int32(clamping: buffer.count), UnsafeMutableRawPointer(mutating: buffer.baseAddress),
            { context, name in
              guard let context, let name else { return 1 }
              let own = Unmanaged<ApplyContext>.fromOpaque(context).takeUnretainedValue().own
              return own.contains(String(cString: name)) ? 0 : 1
            },
            { context, _, change in
              if let context { Unmanaged<ApplyContext>.fromOpaque(context).takeUnretainedValue().note(change) }
              return SQLITE_CHANGESET_ABORT
            }, Unmanaged.passUnretained(context).toOpaque())
        }
      }
    }
    if let table = context.conflict { throw ChangesetError.conflict(table: table) }
    try check(code)
  }

  private func applyByRow(
    _ changeset: Changeset, tables: [Changeset.Table], own: Set<String>, counting: [CountingColumn]
  ) throws {
    guard !own.isEmpty else { return }
    var changers: [Int: RowChanger] = [:]
    try changeset.forEachChange(ofTables: own.contains) { place, change in
      if changers[place] == nil {
        changers[place] = try RowChanger(of: self, table: tables[place], counting: counting)
      }
      try changers[place]?.apply(change)
    }
    for (_, changer) in changers { try changer.finish() }
  }

  /// SQLite silently skips tables that are missing or have other columns.
  private func requireShape(of table: Changeset.Table) throws {
    let columns = try columns(of: table.name).filter { $0.kind == .ordinary }
    guard !table.name.lowercased().hasPrefix("sqlite_"),
      columns.map({ $0.primaryKeyPosition > 0 }) == table.keyColumns
    else { throw ChangesetError.otherTable(name: table.name) }
  }
}

/// The values that SQLite's callbacks need while a changeset is applied.
private final class ApplyContext {
  /// Tables that are not left to SQLite.
  let own: Set<String>
  /// The table of the first conflict.
  var conflict: String?

  init(except own: Set<String>) { self.own = own }

  func note(_ change: OpaquePointer?) {
    var name: UnsafePointer<CChar>?
    var (columns, operation, isIndirect): (Int32, Int32, Int32) = (0, 0, 0)
    let code = sqlite3changeset_op(change, &name, &columns, &operation, &isIndirect)
    conflict = code == SQLITE_OK ? name.map { String(cString: $0) } ?? "" : ""
  }
}
