import CStoreSQLite

/// Decides what a writing connection may do at the moment.
///
/// SQLite asks when a statement is compiled. At first such a connection may only read; `allowingWrites(to:)` permits
/// some tables for a while. Triggers of the store may write anything, because they were checked before the store was
/// opened for writing.
final class WriteRules {
  /// The tables that may be written at the moment.
  enum Scope: Equatable {
    /// Nothing.
    case nothing
    /// Rows of these tables, by lower-case names.
    case tables(Set<String>)
    /// Indexes may be created, dropped and rebuilt.
    case indexes
    /// Rows and tables of any name, in a private database.
    case everything
    /// The same, and tables and columns may be renamed and added.
    case structure
    /// Rows of any table, and objects of every kind may be created, as the text of a schema says.
    case wholeSchema
    /// Fixed statements of this module, which contain nothing from a store.
    case ourOwn
  }

  var scope = Scope.nothing
  /// Names of the store's triggers, whose statements may write anything.
  var triggers: Set<String> = []
  /// Shadow tables of the store's virtual tables. Only their module writes them: SQLite refuses everything else in
  /// defensive mode.
  var shadowTables: Set<String> = []
  /// Whether the store has virtual tables. Connecting one runs its declaration of columns, which SQLite reports as a
  /// write to `sqlite_master`; in defensive mode SQLite refuses real writes to it.
  var connectsModules = false
  /// Functions of Core Data's own connections that the store's triggers call.
  var triggerFunctions: Set<String> = []
  /// Tables written by statements compiled so far, triggers included, by lower-case names.
  var writtenTables: Set<String> = []

  /// Installs the rules, which must live as long as the connection.
  func install(on handle: OpaquePointer) -> Int32 {
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, trigger in
        guard let context else { return SQLITE_DENY }
        let rules = Unmanaged<WriteRules>.fromOpaque(context).takeUnretainedValue()
        return rules.allows(action, first: first, second: second, trigger: trigger) ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func allows(
    _ action: Int32, first: UnsafePointer<CChar>?, second: UnsafePointer<CChar>?, trigger: UnsafePointer<CChar>?
  ) -> Bool {
    if scope == .ourOwn { return true }
    switch action {
    case SQLITE_FUNCTION:
      return Authorizer.allows(action, first: first, second: second) || allowsFunction(lowercased(second), in: trigger)
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
      return allowsWrite(action, to: lowercased(first), trigger: trigger)
    case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_REINDEX: return scope == .indexes || isFree
    case SQLITE_CREATE_TABLE, SQLITE_DROP_TABLE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return isFree
    case SQLITE_CREATE_TEMP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX: return isFree
    case SQLITE_ALTER_TABLE: return scope == .structure
    case SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE: return scope == .wholeSchema
    default: return Authorizer.allows(action, first: first, second: second)
    }
  }

  private var isFree: Bool { scope == .everything || scope == .structure || scope == .wholeSchema }

  /// The functions SQLite itself calls to carry out `ALTER TABLE`.
  private static let alteringFunctions: Set<String> = [
    "sqlite_rename_table", "sqlite_rename_column", "sqlite_rename_test", "sqlite_rename_quotefix", "sqlite_drop_column",
  ]

  private func allowsFunction(_ function: String, in trigger: UnsafePointer<CChar>?) -> Bool {
    if scope == .structure, Self.alteringFunctions.contains(function) { return true }
    // An R-tree makes its first node with it.
    if scope == .wholeSchema, function == "zeroblob" { return true }
    if trigger == nil { return RowFunctions.names.contains(function) }
    return triggerFunctions.contains(function) && triggers.contains(lowercased(trigger))
  }

  private func allowsWrite(_ action: Int32, to table: String, trigger: UnsafePointer<CChar>?) -> Bool {
    if connectsModules, table == "sqlite_master", action == SQLITE_UPDATE { return true }
    guard mayWrite(table, trigger: lowercased(trigger)) else { return false }
    writtenTables.insert(table)
    return true
  }

  private func mayWrite(_ table: String, trigger: String) -> Bool {
    if shadowTables.contains(table) { return true }
    let isSystem = table.hasPrefix("sqlite_")
    if triggers.contains(trigger) { return !isSystem }
    return switch scope {
    case .nothing: false
    case .tables(let tables): tables.contains(table)
    // SQLite writes an index into `sqlite_master`.
    case .indexes: table == "sqlite_master" || table == "sqlite_schema"
    case .everything, .structure, .wholeSchema, .ourOwn: true
    }
  }
}

/// The name in lower case, for comparing without regard to case; unlike SQLite, this also folds letters beyond ASCII.
func lowercased(_ name: UnsafePointer<CChar>?) -> String {
  name.map { String(cString: $0).lowercased() } ?? ""
}
