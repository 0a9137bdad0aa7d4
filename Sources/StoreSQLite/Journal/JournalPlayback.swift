/// Reads through a rollback journal to find the pages it would restore.
struct JournalPlayback: ~Copyable {
  private(set) var status = RollbackJournal.Status.valid
  private(set) var header: JournalHeader?
  private(set) var pageSize: Int
  private(set) var segments = 0
  private(set) var records = 0
  private(set) var end = RollbackJournal.End.finished
  private(set) var pages = PageMap.Builder()

  private let source: any ByteSource
  private var window: ByteWindow
  /// The size of a header. Until the first one is known, SQLite on Unix assumes 512 bytes.
  private var sectorSize: Int64 = 512
  private var position: Int64 = 0

  init(_ source: any ByteSource, databasePageSize: Int) {
    self.source = source
    pageSize = databasePageSize
    window = ByteWindow(over: source, capacity: 1 << 20)
  }

  /// Reads the headers and their records.
  mutating func run() throws(FileError) {
    status = try judgeBeginning()
    while status == .valid, let header = try nextHeader() {
      segments += 1
      guard try readRecords(of: header) else { break }
    }
    pages.commit()
  }

  private mutating func judgeBeginning() throws(FileError) -> RollbackJournal.Status {
    guard let first = try window.bytes(at: 0, count: 1)?.first else { return .empty }
    // "The header of the rollback journal can be overwritten with invalid header text (for example, all zeros)."
    // SQLite's hasHotJournal looks at the first byte alone.
    guard first != 0 else { return .zeroed }
    guard source.size >= sectorSize, let bytes = try window.bytes(at: 0, count: JournalHeader.size) else {
      return .truncated
    }
    guard let header = JournalHeader(bytes) else { return .badMagic }

    // SQLite before 3.5.8 left the page size zero; readJournalHdr then takes the database's.
    let pageSize = header.pageSize == 0 ? UInt32(clamping: self.pageSize) : header.pageSize
    // With an impossible page or sector size, readJournalHdr assumes that the writer crashed before the header was
    // synced, and so before anything was written to the database.
    guard isPageSize(Int(pageSize)), (32...65536).contains(header.sectorSize), header.sectorSize.nonzeroBitCount == 1
    else {
      return .badSizes
    }
    self.header = header
    self.pageSize = Int(pageSize)
    sectorSize = Int64(header.sectorSize)
    return .valid
  }

  /// The header at the next sector boundary; moves past it.
  private mutating func nextHeader() throws(FileError) -> JournalHeader? {
    // "after M page records the journal file may be zero padded out to the next multiple of the sector size and another
    // journal header may be inserted"
    let start = (position + sectorSize - 1) / sectorSize * sectorSize
    guard start + sectorSize <= source.size,
      let bytes = try window.bytes(at: start, count: JournalHeader.size),
      let header = JournalHeader(bytes)
    else { return nil }
    position = start + sectorSize
    return header
  }

  /// Reads the records after a header; false where SQLite would stop.
  private mutating func readRecords(of header: JournalHeader) throws(FileError) -> Bool {
    var left = header.recordCount
    // "If M is -1 in the initial journal header, then the number of page records that follow is computed by computing
    // how many page records will fit in the available space of the remainder of the journal file."
    if left == .max { left = UInt32(clamping: (source.size - position) / Int64(recordSize)) }
    while left > 0 {
      guard let bytes = try window.bytes(at: position, count: recordSize) else {
        end = position < source.size ? .tornRecord : .finished
        return false
      }
      guard restore(bytes, nonce: header.nonce) else { return false }
      position += Int64(recordSize)
      left -= 1
    }
    return true
  }

  /// Reads one record; false where SQLite would stop.
  private mutating func restore(_ record: UnsafeRawBufferPointer, nonce: UInt32) -> Bool {
    guard let header, let record = JournalRecord(record, pageSize: pageSize) else { return false }
    let page = record.page
    guard page != 0, page != LockBytes.page(ofSize: pageSize) else {
      end = .impossiblePage(page)
      return false
    }
    // SQLite's pager_playback_one_page skips records beyond the original size before it looks at their checksum.
    guard page <= header.originalPageCount else { return true }
    guard journalChecksum(record.content, nonce: nonce) == record.checksum else {
      end = .badChecksum
      return false
    }
    records += 1
    pages.add(page, at: position + Int64(JournalRecord.contentStart))
    return true
  }

  private var recordSize: Int { JournalRecord.size(ofPage: pageSize) }
}

/// One record of a journal: "4: The page number in the database file; N: Original content of the page prior to the start
/// of the transaction; 4: Checksum".
package struct JournalRecord {
  /// The page's number.
  package let page: UInt32
  /// The checksum as stored.
  package let checksum: UInt32
  /// The page's content.
  package let content: UnsafeRawBufferPointer

  /// Where the content begins in a record.
  package static let contentStart = 4

  /// Bytes of a record with a page of `pageSize` bytes.
  package static func size(ofPage pageSize: Int) -> Int { pageSize + 8 }

  /// Reads a record with a page of `pageSize` bytes; nil from fewer bytes.
  package init?(_ bytes: UnsafeRawBufferPointer, pageSize: Int) {
    guard let page = bytes.word(at: 0), let checksum = bytes.word(at: Self.contentStart + pageSize) else { return nil }
    self.page = page
    self.checksum = checksum
    content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.contentStart).prefix(pageSize))
  }
}

/// The checksum of one page in a journal.
///
/// "Initialize the checksum to the checksum nonce value found in the journal header at offset 12. Initialize index X to
/// be N-200 (where N is the size of a database page in bytes. Interpret the byte at offset X into the page as an 8-bit
/// unsigned integer and add the value of that integer to the checksum. Subtract 200 from X. If X is greater than or
/// equal to zero, go back to step 3." No page size is a multiple of 200, so X is never zero.
package func journalChecksum(_ page: UnsafeRawBufferPointer, nonce: UInt32) -> UInt32 {
  var sum = nonce
  var index = page.count - 200
  while index > 0 {
    sum &+= UInt32(page[index])
    index -= 200
  }
  return sum
}
