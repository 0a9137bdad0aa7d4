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

  /// Codes that SQLite's documentation names, and that say of the store little or nothing.
  static let sqliteDocumented: [KnownError] = [
    .init(
      .sqlite, 2, "SQLITE_INTERNAL",
      "A fault inside SQLite."),
    .init(
      .sqlite, 3, "SQLITE_PERM",
      "The access that was asked for is not allowed."),
    .init(
      .sqlite, 4, "SQLITE_ABORT",
      "A statement was ended early, mostly since its transaction was rolled back."),
    .init(
      .sqlite, 5, "SQLITE_BUSY",
      "Another connection has the lock: a second process, an extension, or a connection that was not "
        + "closed. Nothing is wrong with the file."),
    .init(
      .sqlite, 517, "SQLITE_BUSY_SNAPSHOT",
      "A connection that reads an older state wants to write, and another one has written since."),
    .init(
      .sqlite, 6, "SQLITE_LOCKED",
      "Another connection of the same process has the table or the shared cache locked."),
    .init(
      .sqlite, 7, "SQLITE_NOMEM",
      "Memory could not be had. Nothing is wrong with the file."),
    .init(
      .sqlite, 9, "SQLITE_INTERRUPT",
      "The statement was interrupted on request."),
    .init(
      .sqlite, 12, "SQLITE_NOTFOUND",
      "Something is not known inside SQLite; apps rarely see it."),
    .init(
      .sqlite, 15, "SQLITE_PROTOCOL",
      "The locks of a write-ahead log could not be had, since several connections began at once."),
    .init(
      .sqlite, 17, "SQLITE_SCHEMA",
      "Tables were changed by another connection while a statement was prepared."),
    .init(
      .sqlite, 18, "SQLITE_TOOBIG",
      "A text or binary value is longer than SQLite takes."),
    .init(
      .sqlite, 20, "SQLITE_MISMATCH",
      "A value is of the wrong type, such as a text where a key has to be an integer.",
      inFile: "what kind of values the columns hold", checks: [.wrongStorageClass]),
    .init(
      .sqlite, 21, "SQLITE_MISUSE",
      "SQLite was called wrongly, mostly with a connection that was closed."),
    .init(
      .sqlite, 22, "SQLITE_NOLFS",
      "The file is larger than this system takes."),
    .init(
      .sqlite, 23, "SQLITE_AUTH",
      "Access was refused. On iOS the file is under data protection and the device is locked. Nothing "
        + "is wrong with the file."),
    .init(
      .sqlite, 25, "SQLITE_RANGE",
      "A statement has no such parameter or column."),
    .init(.sqlite, 0, "SQLITE_OK", "No error."),
    .init(.sqlite, 16, "SQLITE_EMPTY", "SQLite does not use this code."),
    .init(.sqlite, 24, "SQLITE_FORMAT", "SQLite does not use this code."),
    .init(
      .sqlite, 27, "SQLITE_NOTICE",
      "A message for the log and no error: SQLite reports something it has done by itself."),
    .init(
      .sqlite, 283, "SQLITE_NOTICE_RECOVER_WAL",
      "A message for the log and no error: a write-ahead log was left by an app that ended, and its frames were taken over.",
      inFile: "the write-ahead log", checks: [.unmergedWAL]),
    .init(
      .sqlite, 539, "SQLITE_NOTICE_RECOVER_ROLLBACK",
      "A message for the log and no error: a hot journal was rolled back.", checks: [.hotJournal]),
    .init(
      .sqlite, 28, "SQLITE_WARNING",
      "A message for the log and no error: SQLite met something unusual."),
    .init(
      .sqlite, 284, "SQLITE_WARNING_AUTOINDEX",
      "A message for the log and no error: a query made an index for itself, since there is none that serves it."),
    .init(.sqlite, 100, "SQLITE_ROW", "No error: a statement has a row ready."),
    .init(.sqlite, 101, "SQLITE_DONE", "No error: a statement has ended."),
    .init(
      .sqlite, 266, "SQLITE_IOERR_READ",
      "The file could not be read: the disk, the network, or the file was taken away."),
    .init(
      .sqlite, 522, "SQLITE_IOERR_SHORT_READ",
      "The file is shorter than SQLite believes: it was cut, or replaced under an open connection.",
      inFile: "whether the file is as long as its header says", checks: [.corruptPage, .foreignWAL]),
    .init(
      .sqlite, 778, "SQLITE_IOERR_WRITE",
      "The file could not be written: the disk is full or failing."),
    .init(
      .sqlite, 1034, "SQLITE_IOERR_FSYNC",
      "What was written could not be brought to the disk."),
    .init(
      .sqlite, 1546, "SQLITE_IOERR_TRUNCATE",
      "The file could not be shortened."),
    .init(
      .sqlite, 2570, "SQLITE_IOERR_DELETE",
      "A journal or log could not be deleted.", checks: [.hotJournal]),
    .init(
      .sqlite, 3338, "SQLITE_IOERR_ACCESS",
      "It could not be found out whether a file is there."),
    .init(
      .sqlite, 3850, "SQLITE_IOERR_LOCK",
      "The lock of the file could not be had."),
    .init(
      .sqlite, 4618, "SQLITE_IOERR_SHMOPEN",
      "The -shm file could not be opened: the folder may not be written.", checks: [.unmergedWAL]),
    .init(
      .sqlite, 5386, "SQLITE_IOERR_SHMMAP",
      "The -shm file could not be brought into memory.", checks: [.unmergedWAL]),
    .init(
      .sqlite, 6922, "SQLITE_IOERR_VNODE",
      "The file was moved, replaced or deleted while it was open. What was saved after that is in no "
        + "file that has a name.",
      inFile: "signs that the store was made anew", checks: [.suspectedRecreation]),
    .init(
      .sqlite, 8458, "SQLITE_IOERR_CORRUPTFS",
      "The file system itself is damaged."),
    .init(
      .sqlite, 520, "SQLITE_READONLY_CANTLOCK",
      "The -shm file may not be written, so that the log cannot be read.", checks: [.unmergedWAL]),
    .init(
      .sqlite, 776, "SQLITE_READONLY_ROLLBACK",
      "A hot journal has to be rolled back, and the file may not be written.",
      inFile: "the journal", checks: [.hotJournal]),
    .init(
      .sqlite, 1032, "SQLITE_READONLY_DBMOVED",
      "The file was moved or deleted after it was opened, so that SQLite writes it no more.",
      inFile: "signs that the store was made anew", checks: [.suspectedRecreation]),
    .init(
      .sqlite, 1544, "SQLITE_READONLY_DIRECTORY",
      "The folder may not be written, so that no journal can be made."),
    .init(
      .sqlite, 779, "SQLITE_CORRUPT_INDEX",
      "An index does not fit its table.",
      inFile: "which indexes", checks: [.corruptIndex]),
    .init(
      .sqlite, 526, "SQLITE_CANTOPEN_ISDIR",
      "The path is that of a folder."),
    .init(
      .sqlite, 1294, "SQLITE_CANTOPEN_DIRTYWAL",
      "A write-ahead log is there that belongs to no file of this name.",
      inFile: "whose log it is", checks: [.foreignWAL]),
    .init(
      .sqlite, 275, "SQLITE_CONSTRAINT_CHECK",
      "A check of a column failed; Core Data makes none."),
    .init(
      .sqlite, 787, "SQLITE_CONSTRAINT_FOREIGNKEY",
      "A foreign key failed; Core Data makes none, so another program made the table."),
    .init(
      .sqlite, 1299, "SQLITE_CONSTRAINT_NOTNULL",
      "A column that may not be NULL was to be NULL.", checks: [.missingRequiredValue]),
    .init(
      .sqlite, 1555, "SQLITE_CONSTRAINT_PRIMARYKEY",
      "A key is there already: the largest key that is written down is too low.",
      inFile: "the largest keys against the rows", checks: [.highWaterTooLow]),
    .init(
      .sqlite, 1811, "SQLITE_CONSTRAINT_TRIGGER",
      "A trigger refused; Core Data makes some for what it derives."),
  ]
}
