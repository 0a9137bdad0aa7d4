import StoreSQLite

/// Creates a database with the properties of another, page size, encoding and journal mode among them, and opens it to write
/// all of it at once: the rows of a store that is made anew.
///
/// Nothing is synced before the end, because the same bytes can be made again.
///
/// - Throws: `SQLiteError`.
package func newDatabase(
  _ path: PosixPath, like header: DatabaseHeader, cacheBytes: Int = 64 << 20
) throws(SQLiteError) -> Connection {
  let empty = try Connection(creating: path)
  try empty.execute("PRAGMA page_size=\(header.pageSize)")
  try empty.execute("PRAGMA auto_vacuum=\(header.hasPointerMap ? header.incrementalVacuum ? 2 : 1 : 0)")
  switch header.textEncoding {
  case .utf16LittleEndian: try empty.execute("PRAGMA encoding='UTF-16le'")
  case .utf16BigEndian: try empty.execute("PRAGMA encoding='UTF-16be'")
  case .unset, .utf8, .unknown: break
  }
  try empty.execute("PRAGMA synchronous=OFF")
  try empty.execute("PRAGMA application_id=\(Int32(bitPattern: header.applicationID))")
  try empty.execute("PRAGMA user_version=\(Int32(bitPattern: header.userVersion))")
  if header.isWAL { try empty.execute("PRAGMA journal_mode=WAL") }
  empty.close()
  let connection = try Connection(changing: path, locking: .exclusive, cacheBytes: cacheBytes)
  try connection.runOwn("PRAGMA synchronous=OFF")
  // Indexes are made of sorted rows, of which there may be more than memory holds.
  try connection.runOwn("PRAGMA temp_store=FILE")
  return connection
}

extension Connection {
  /// Runs `body`, which writes everything, in one transaction without a journal, and closes the file after it. Only for a file
  /// that is deleted when anything fails.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func writeWhole(_ body: () throws -> Void) throws {
    try writeWhole(inParts: { try writePart(body) })
  }

  /// The same in several transactions, each by `writePart`.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func writeWhole<Result>(inParts body: () throws -> Result) throws -> Result {
    let result = try withoutJournal(body)
    try checkpoint()
    try removesWALOnClose()
    close()
    return result
  }

  /// Runs `body` in one transaction.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  package func writePart(_ body: () throws -> Void) throws {
    try transaction { try allowingWholeSchema(body) }
  }
}
