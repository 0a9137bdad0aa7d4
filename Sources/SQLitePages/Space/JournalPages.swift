import StoreSQLite

/// The pages in a rollback journal, also in one whose header was zeroed after its transaction (`journal_mode=PERSIST`).
///
/// Without the header, the nonce of the checksums is not known; but all records of one transaction have the same, so a
/// row of records that agree on it is believed.
package struct JournalPages: Sendable {
  /// One record.
  package struct Entry: Equatable, Sendable {
    /// The number of the page.
    package var page: UInt32
    /// Where its content lies in the journal.
    package var offset: Int64
  }

  /// The records, in order.
  package private(set) var records: [Entry] = []
  /// Whether the header was lost, so that the transaction was committed or rolled back.
  package let isZeroed: Bool

  /// The most records that are read.
  package static let limit = 4_000_000

  /// Reads the records of `source`, the journal of a database with pages of `pageSize` bytes.
  package init(_ source: any ByteSource, pageSize: Int) throws(FileError) {
    let journal = try RollbackJournal(scanning: source, databasePageSize: pageSize)
    isZeroed = journal.status == .zeroed
    if journal.status == .valid {
      guard journal.pageSize == pageSize else { return }
      records = zip(journal.pages.pages, journal.pages.positions).map { Entry(page: $0, offset: $1) }
      return
    }
    for sector in [512, 4096, 1024, 2048, 8192, 16384, 32768, 65536] where records.isEmpty {
      records = try Self.records(source, from: Int64(sector), pageSize: pageSize)
    }
  }

  private static func records(
    _ source: any ByteSource, from start: Int64, pageSize: Int
  ) throws(FileError) -> [Entry] {
    var found: [Entry] = []
    var nonce: UInt32?
    var position = start
    let recordSize = JournalRecord.size(ofPage: pageSize)
    while found.count < limit, source.size - position >= Int64(recordSize) {
      let bytes = try source.read(at: position, count: recordSize)
      guard let (page, start) = bytes.withUnsafeBytes({ nonceOf($0, pageSize: pageSize) }), page != 0,
        nonce == nil || nonce == start
      else { break }
      nonce = start
      found.append(Entry(page: page, offset: position + Int64(JournalRecord.contentStart)))
      position += Int64(recordSize)
    }
    return found
  }

  /// The page of a record, and the nonce that its checksum was made with: the sum begins with the nonce.
  private static func nonceOf(_ record: UnsafeRawBufferPointer, pageSize: Int) -> (page: UInt32, nonce: UInt32)? {
    JournalRecord(record, pageSize: pageSize).map { ($0.page, $0.checksum &- journalChecksum($0.content, nonce: 0)) }
  }
}
