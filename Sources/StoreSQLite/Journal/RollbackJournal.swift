/// A rollback journal: the pages of a database before a transaction that may not have been completed.
///
/// It is read as SQLite reads it when it rolls a hot journal back (`pager_playback` in pager.c):
///
///     header, one sector | record | record | padding to a sector | header | record | ... | super-journal name?
///
///     record:  page number (4) | page as it was | checksum (4)
///
/// https://www.sqlite.org/fileformat2.html#rollbackjournal
package struct RollbackJournal: Sendable {
  /// Whether there is anything to roll back.
  package let status: Status
  /// The first header, when it is valid.
  package let header: JournalHeader?
  /// Length of the file in bytes.
  package let fileSize: Int64
  /// Bytes in a page; 0 without a valid header.
  package let pageSize: Int
  /// Number of headers that were followed.
  package let segments: Int
  /// Number of records that would be rolled back, each page counted as often as it occurs.
  package let records: Int
  /// Why the reading stopped.
  package let end: End
  /// The pages that would be rolled back: number to the byte offset of the content in the journal.
  package let pages: PageMap
  /// The path of the super-journal of a transaction over several databases; without that file the journal is not hot.
  package let superJournal: PosixPath?

  private let source: any ByteSource

  /// The state of the beginning of a journal.
  package enum Status: Equatable, Sendable {
    /// The header is valid: the journal is hot unless something outside it says otherwise; see `isHot`.
    case valid
    /// No bytes: the transaction was committed (`journal_mode=TRUNCATE`).
    case empty
    /// The first byte is zero: the transaction was committed (`journal_mode=PERSIST`).
    case zeroed
    /// Shorter than the sector of a header: nothing was written to the database yet.
    case truncated
    /// Neither zero nor the magic; SQLite rolls nothing back.
    case badMagic
    /// Page or sector size is impossible; the header was not written completely, and SQLite rolls nothing back.
    case badSizes
  }

  /// Why the reading of a journal stopped.
  package enum End: Equatable, Sendable {
    /// At the end of the file, or where no other header followed.
    case finished
    /// At a record whose checksum is wrong: it was not written completely.
    case badChecksum
    /// At a record for page 0 or for the lock-byte page, which are never in a journal.
    case impossiblePage(UInt32)
    /// The file ended within a record.
    case tornRecord
  }

  /// Scans a journal from beginning to end.
  ///
  /// - Parameter databasePageSize: the database's page size, for a journal whose header has none.
  /// - Throws: `FileError` when the file cannot be read or becomes shorter. Damage is not an error.
  package init(scanning source: any ByteSource, databasePageSize: Int = 0) throws(FileError) {
    var playback = JournalPlayback(source, databasePageSize: databasePageSize)
    try playback.run()
    self.source = source
    fileSize = source.size
    status = playback.status
    header = playback.header
    pageSize = playback.status == .valid ? playback.pageSize : 0
    segments = playback.segments
    records = playback.records
    end = playback.end
    pages = playback.pages.build()
    superJournal = try SuperJournal.name(in: source)
  }

  /// Size of the database in pages before the transaction.
  package var originalPageCount: UInt32 { header?.originalPageCount ?? 0 }

  /// Whether SQLite would roll the journal back before it reads the database.
  ///
  /// "A rollback journal is only considered to be valid if it exists and contains a valid header." Besides, SQLite
  /// takes a journal beside an empty database for a remnant, and https://www.sqlite.org/lockingv3.html adds: "If a
  /// super-journal is named in the file journal, then the file journal is hot if its super-journal exists".
  package func isHot(databaseIsEmpty: Bool, superJournalExists: Bool) -> Bool {
    status == .valid && !databaseIsEmpty && (superJournal == nil || superJournalExists)
  }

  /// Page `number` as it was before the transaction, nil when the journal does not have it.
  package func page(_ number: UInt32) throws(FileError) -> [UInt8]? {
    guard let offset = pages.position(of: number) else { return nil }
    let bytes = try source.read(at: offset, count: pageSize)
    guard bytes.count == pageSize else { throw FileError(path: source.name, kind: .changed) }
    return bytes
  }

  /// Fills `buffer` with the part of page `number` from byte `offset` on; false when the journal does not have it.
  func read(page number: UInt32, from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Bool
  {
    guard let position = pages.position(of: number) else { return false }
    guard try source.read(into: buffer, at: position + Int64(offset)) == buffer.count else {
      throw FileError(path: source.name, kind: .changed)
    }
    return true
  }
}
