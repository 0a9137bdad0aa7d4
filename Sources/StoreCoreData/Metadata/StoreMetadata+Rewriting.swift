import StorePropertyLists
import StoreSQLite

extension StoreMetadata {
  /// Writes digest and checksum into `Z_PLIST`; a nil one stays as it is. All other keys keep their values, and if
  /// there are several rows only the one that is read is changed. Returns the number of rows changed.
  ///
  /// - Throws: `SQLiteError`; `PropertyListError` for a list that cannot be decoded, whose content must not be
  ///   overwritten.
  package static func rewrite(on connection: Connection, digest: String?, checksum: String?) throws -> Int {
    let read = try connection.prepare(
      "SELECT Z_PLIST, rowid FROM Z_METADATA NOT INDEXED ORDER BY Z_VERSION IS NOT 1, rowid LIMIT 1")
    guard try read.step(), let bytes = read.blob(0) else { return 0 }
    let row = read.int64(1)
    read.reset()
    guard case .dictionary(var entries) = try PropertyList(bytes).root.value() else { return 0 }
    for (key, value) in [("NSStoreModelVersionHashesDigest", digest), ("NSStoreModelVersionChecksumKey", checksum)] {
      if let value { entries[key] = .string(value) }
    }
    let write = try connection.prepare("UPDATE Z_METADATA SET Z_PLIST = ?1 WHERE rowid = ?2")
    try write.bind(PropertyListValue.dictionary(entries).binaryPropertyList(), at: 1)
    try write.bind(row, at: 2)
    while try write.step() {}
    return connection.changes
  }
}
