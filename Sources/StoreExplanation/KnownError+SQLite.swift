import StoreFindings

// SQLite's result codes by number; extended codes follow their primary code.

extension KnownError {
  static let sqlite: [KnownError] = [
    .init(
      .sqlite, 1, "SQLITE_ERROR",
      "A statement that cannot be run, mostly over a table or column that is missing. Apps see 134110, 134020 or 256.",
      inFile: "tables and columns against the model", checks: [.missingTable, .missingColumn, .missingJoinTable],
      basis: .observed),
    .init(
      .sqlite, 8, "SQLITE_READONLY", "An attempt to write a read-only database. Apps see 256.",
      inFile: "whether a hot journal or a write-ahead log lies beside it", checks: [.hotJournal, .unmergedWAL],
      basis: .observed),
    .init(
      .sqlite, 264, "SQLITE_READONLY_RECOVERY",
      "A write-ahead log has to be recovered and the file may not be written, so not even the metadata can be read. Apps "
        + "see 256.", inFile: "the write-ahead log", checks: [.unmergedWAL, .hotJournal], basis: .observed),
    .init(
      .sqlite, 10, "SQLITE_IOERR", "The disk, or the -shm file, could not be read or written: not the data itself.",
      basis: .observed),
    .init(
      .sqlite, 11, "SQLITE_CORRUPT",
      "The database disk image is malformed: damaged pages, or the write-ahead log of another file or time. Apps see 259 "
        + "or 134110.", inFile: "which pages, and of which entities",
      checks: [.corruptPage, .corruptIndex, .foreignWAL],
      basis: .observed),
    .init(.sqlite, 13, "SQLITE_FULL", "The disk is full.", basis: .observed),
    .init(
      .sqlite, 14, "SQLITE_CANTOPEN",
      "The file could not be opened; also a read-only opening of a file in WAL mode whose -wal and -shm cannot be made.",
      inFile: "the journal mode in the header", basis: .observed),
    .init(
      .sqlite, 19, "SQLITE_CONSTRAINT", "A constraint failed, nearly always that values are unique.",
      inFile: "groups of duplicates", checks: [.duplicateKey], basis: .observed),
    .init(
      .sqlite, 2067, "SQLITE_CONSTRAINT_UNIQUE",
      "A unique index refused a duplicate; the text names table and column.", inFile: "groups of duplicates",
      checks: [.duplicateKey, .dataBlocksMigration], basis: .observed),
    .init(
      .sqlite, 26, "SQLITE_NOTADB", "The file is no database: encrypted, truncated, or something else.",
      inFile: "its first bytes", basis: .observed),
  ]
}
