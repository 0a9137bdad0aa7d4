/// The database as SQLite is to see it: the main file, perhaps with a hot journal rolled back, and the WAL or none.
///
/// This type decides what is read; the VFS only passes it on.
struct DatabaseImage: ByteSource {
  /// The write-ahead log; nil when there is none, the policy excludes it, or SQLite would use no frame of it.
  let wal: (any ByteSource)?
  /// The hot journal, whose pages replace those of the main file.
  let journal: RollbackJournal?

  private let main: any ByteSource

  /// The image of a database's files under `policy`.
  ///
  /// - Throws: `FileError`, also for a side file that is needed but could not be opened: without it the rows are not
  ///   those of the database.
  init(_ files: DatabaseFiles, _ policy: ReadPolicy) throws(FileError) {
    if let problem = files.problems.first(where: { policy.wants($0.path) }) { throw problem }
    try self.init(main: files.main, wal: files.wal, journal: files.journal, policy) {
      files.isPresent(superJournal: $0)
    }
  }

  /// The image of a database whose bytes are in memory or come from any other source.
  init(
    main: any ByteSource, wal: (any ByteSource)?, journal: (any ByteSource)?, _ policy: ReadPolicy,
    superJournalExists: (PosixPath) -> Bool
  ) throws(FileError) {
    self.main = main
    let counted: (any ByteSource)? = wal.map { wal in policy.walBytes.map { LeadingBytes(wal, count: $0) } ?? wal }
    self.wal = policy.useWAL ? try Self.usable(counted) : nil
    self.journal =
      policy.applyHotJournal ? try Self.hot(journal, of: main, superJournalExists: superJournalExists) : nil
  }

  /// The main file's name.
  var name: String { main.name }

  /// The size in bytes of the database as shown.
  var size: Int64 {
    guard let journal else { return main.size }
    return Int64(journal.originalPageCount) * Int64(journal.pageSize)
  }

  /// Fills `buffer` from `offset` on; returns how many bytes there were, fewer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    guard let journal else { return try main.read(into: buffer, at: offset) }
    let wanted = Int(clamping: min(Int64(buffer.count), max(0, size - offset)))
    var done = 0
    while offset >= 0, done < wanted {
      let (page, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Int64(journal.pageSize))
      let count = min(wanted - done, journal.pageSize - Int(start))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
      if try !journal.read(page: UInt32(clamping: page + 1), from: Int(start), into: part) {
        try readMain(into: part, at: offset + Int64(done))
      }
      done += count
    }
    return done
  }

  /// Reads the main file; zeros replace what it lacks, since rolling back restores its former length.
  private func readMain(into part: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) {
    let count = try main.read(into: part, at: offset)
    part.zero(from: count)
  }

  /// A WAL without a valid header has no frames and is left out. SQLite would do the same, but refuses the whole
  /// database when the WAL's version is unknown.
  private static func usable(_ wal: (any ByteSource)?) throws(FileError) -> (any ByteSource)? {
    guard let wal else { return nil }
    let bytes = try wal.read(at: 0, count: WALHeader.size)
    return (try? WALHeader(bytes)) == nil ? nil : wal
  }

  private static func hot(
    _ source: (any ByteSource)?, of main: any ByteSource, superJournalExists: (PosixPath) -> Bool
  ) throws(FileError) -> RollbackJournal? {
    guard let source else { return nil }
    let beginning = try main.read(at: 0, count: DatabaseHeader.size)
    let pageSize = (try? DatabaseHeader(beginning))?.pageSize ?? 4096
    let journal = try RollbackJournal(scanning: source, databasePageSize: pageSize)
    let exists = journal.superJournal.map(superJournalExists) ?? false
    return journal.isHot(databaseIsEmpty: main.size == 0, superJournalExists: exists) ? journal : nil
  }
}

extension ReadPolicy {
  /// Whether the policy uses a side file.
  fileprivate func wants(_ path: String) -> Bool {
    path.hasSuffix("-wal") ? useWAL : applyHotJournal
  }
}
