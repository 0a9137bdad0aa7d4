import CStoreSQLite

/// The SQLite library as a whole, in this process.
package enum SQLiteLibrary {
  /// Has it keep no account of its memory, for which each allocation takes a lock. To be called before the first
  /// connection; later it changes nothing.
  ///
  /// For programs of our own only: in an app the library may be somebody else's too.
  package static func keepNoStatistics() { _ = storedoctor_config(SQLITE_CONFIG_MEMSTATUS, 0) }
}
