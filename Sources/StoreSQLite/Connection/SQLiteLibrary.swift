import CStoreSQLite

/// Settings of the SQLite library for the whole process.
package enum SQLiteLibrary {
  /// Turns off SQLite's memory statistics, which take a lock for each allocation. Has no effect after the first
  /// connection.
  ///
  /// Only for storedoctor's own programs: in an app, other code may use the same library.
  package static func keepNoStatistics() { _ = storedoctor_config(SQLITE_CONFIG_MEMSTATUS, 0) }
}
