import CStoreSQLite

/// Decides which statements a reading connection may compile: queries over tables, with harmless functions, and pragmas
/// that only report.
///
/// A read-only connection cannot write anyway. This refuses what reaches beyond the database: `ATTACH`, `VACUUM INTO`,
/// functions that open files, pragmas that change the connection's own protection.
enum Authorizer {
  /// Installs the authorizer on `handle`.
  static func install(on handle: OpaquePointer) -> Int32 {
    sqlite3_set_authorizer(
      handle,
      { _, action, first, second, _, _ in
        Authorizer.allows(action, first: first, second: second) ? SQLITE_OK : SQLITE_DENY
      },
      nil)
  }

  /// Whether a statement that requires this action may be compiled.
  static func allows(
    _ action: Int32, first: UnsafePointer<CChar>?, second: UnsafePointer<CChar>?
  ) -> Bool {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: true
    case SQLITE_FUNCTION: functions.contains(name(second))
    case SQLITE_PRAGMA: (second == nil ? pragmas : pragmasWithArgument).contains(name(first))
    default: false
    }
  }

  private static func name(_ name: UnsafePointer<CChar>?) -> String {
    name.map { String(cString: $0).lowercased() } ?? ""
  }

  /// Pure functions, and the aggregate and window functions.
  private static let functions: Set<String> = [
    "abs", "avg", "ceil", "ceiling", "char", "coalesce", "count", "date", "datetime", "dense_rank", "first_value",
    "floor",
    "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "julianday", "lag", "last_value", "lead",
    "length",
    "like", "likelihood", "likely", "lower", "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif",
    "octet_length",
    "percent_rank", "printf", "quote", "rank", "replace", "round", "row_number", "rtrim", "sign", "strftime",
    "string_agg",
    "substr", "substring", "sum", "time", "total", "trim", "trunc", "typeof", "unicode", "unixepoch", "unlikely",
    "upper",
  ]

  /// Pragmas that report a fact when they have no argument; with one, most of them would set it.
  private static let pragmas: Set<String> = pragmasWithArgument.union([
    "application_id", "auto_vacuum", "cache_size", "cell_size_check", "collation_list", "compile_options", "encoding",
    "freelist_count", "journal_mode", "mmap_size", "page_count", "page_size", "query_only", "schema_version",
    "temp_store",
    "trusted_schema", "user_version",
  ])

  /// Pragmas whose argument names what to report on.
  private static let pragmasWithArgument: Set<String> = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
    "quick_check",
    "table_info", "table_list", "table_xinfo",
  ]
}
