import StoreSQLite

/// Main file, write-ahead log and journal of one database as one space of page versions.
///
///     page 7:  main file, journal record 2 (before the last rollback transaction), WAL frames 3, 19, 64
///
/// Nothing is changed, and nothing is believed: a page is bytes until a tree leads to it.
package final class PageFiles: Sendable {
  /// The database file.
  package let main: any ByteSource
  /// The file of the write-ahead log, when it has a valid header and pages of the same size.
  package let walFile: (any ByteSource)?
  /// The journal, when there is one.
  package let journalFile: (any ByteSource)?
  /// The newest header: that of page 1 in the last commit, else of the main file.
  package let header: DatabaseHeader
  /// How pages are divided.
  package let geometry: PageGeometry
  /// The frames of the log; nil without a log.
  package let frames: FrameList?
  /// The records of the journal; nil without a journal.
  package let journal: JournalPages?
  /// Whether SQLite would roll the journal back before it reads.
  package let isJournalHot: Bool
  /// The log's reading, for the newest pages.
  package let wal: WAL?

  /// Opens the space over files of evidence.
  ///
  /// - Throws: `DatabaseHeader.Invalid` where neither the main file nor the log has a header, or `FileError`.
  package convenience init(_ files: DatabaseFiles, usesWAL: Bool = true) throws {
    try self.init(main: files.main, wal: usesWAL ? files.wal : nil, journal: files.journal)
  }

  /// Opens the space over any bytes.
  ///
  /// - Throws: `DatabaseHeader.Invalid` where neither the main file nor the log has a header, or `FileError`.
  package init(main: any ByteSource, wal walSource: (any ByteSource)? = nil, journal: (any ByteSource)? = nil) throws {
    self.main = main
    let log = try walSource.map { source throws(FileError) in try WAL(scanning: source) }
    let logHeader = try log?.page(1).flatMap { try? DatabaseHeader($0) }
    let header = try logHeader ?? DatabaseHeader(of: main)
    self.header = header
    geometry = PageGeometry(header)
    let isFitting = (try? log?.header.get())?.pageSize == header.pageSize
    wal = isFitting ? log : nil
    walFile = isFitting ? walSource : nil
    if let wal, let walFile { frames = try FrameList(wal, source: walFile) } else { frames = nil }
    journalFile = journal
    self.journal = try journal.map { source throws(FileError) in
      try JournalPages(source, pageSize: header.pageSize)
    }
    isJournalHot =
      try journal.map { source throws(FileError) in
        let read = try RollbackJournal(scanning: source, databasePageSize: header.pageSize)
        return read.isHot(databaseIsEmpty: main.size == 0, superJournalExists: false)
      } ?? false
  }

  /// The pages of the main file, a page that is cut off at the end included.
  package var mainPageCount: UInt32 {
    UInt32(clamping: (main.size + Int64(geometry.pageSize) - 1) / Int64(geometry.pageSize))
  }

  /// The source of a file; nil where there is none.
  package func source(_ file: PageOrigin.File) -> (any ByteSource)? {
    switch file {
    case .main: main
    case .wal: walFile
    case .journal: journalFile
    }
  }

  /// Offset of page `number` in the main file.
  package func offset(ofMainPage number: UInt32) -> Int64 { (Int64(number) - 1) * Int64(geometry.pageSize) }

  /// The bytes of one version of a page, filled up with zeros where its file ends.
  package func bytes(at origin: PageOrigin) throws(FileError) -> [UInt8] {
    var page = try source(origin.file)?.read(at: origin.offset, count: geometry.pageSize) ?? []
    if page.count < geometry.pageSize {
      page.append(contentsOf: repeatElement(0, count: geometry.pageSize - page.count))
    }
    return page
  }
}
