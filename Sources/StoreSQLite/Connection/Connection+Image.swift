extension Connection {
  /// The database that a reading connection shows, byte for byte: the main file with a hot journal rolled back, and the
  /// committed frames of the WAL in place of its pages.
  ///
  /// Nothing of it is changed, as SQLite's backup does: it sets the schema cookie (bytes 40-43) to 1.
  ///
  /// - Throws: `FileError` when a file cannot be read, `SQLiteError` for a connection that writes.
  package func image() throws -> any ByteSource {
    guard let image = evidence?.session.image else {
      throw error(21, message: "there is no evidence to copy", sql: nil)
    }
    guard let log = image.wal else { return image }
    return try CheckpointedFile(main: image, wal: WAL(scanning: log)) ?? image
  }
}
