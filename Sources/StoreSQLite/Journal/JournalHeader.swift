/// A header in a rollback journal. A journal begins with one, and has another after each sync within a transaction.
///
///     offset  size  example                    meaning
///      0       8    d9 d5 05 f9 20 a1 63 d7    magic
///      8       4    00 00 00 02                records that follow, ff ff ff ff: as many as there are
///     12       4    nonce                      start value of each record's checksum
///     16       4    00 00 00 0a                size of the database in pages before the transaction
///     20       4    00 00 02 00                sector size: the header fills one sector
///     24       4    00 00 10 00                page size in bytes
///
/// https://www.sqlite.org/fileformat2.html#rollbackjournal
package struct JournalHeader: Equatable, Sendable {
  /// The bytes of the header that are in use.
  package static let size = 28

  /// "The number of pages in the next segment of the journal, or -1 to mean all content to the end of the file".
  package let recordCount: UInt32
  /// The start value of each record's checksum.
  package let nonce: UInt32
  /// Size of the database in pages before the transaction.
  package let originalPageCount: UInt32
  /// Bytes the header takes up, a power of two. Only the first header's counts.
  package let sectorSize: UInt32
  /// Bytes in a page, 0 in journals of SQLite before 3.5.8. Only the first header's counts.
  package let pageSize: UInt32

  /// Reads a header; nil from fewer than 28 bytes or without the magic.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.bigEndian(UInt64.self, at: 0) == Self.magic,
      let recordCount = bytes.word(at: 8), let nonce = bytes.word(at: 12),
      let originalPageCount = bytes.word(at: 16), let sectorSize = bytes.word(at: 20),
      let pageSize = bytes.word(at: 24)
    else { return nil }
    self.recordCount = recordCount
    self.nonce = nonce
    self.originalPageCount = originalPageCount
    self.sectorSize = sectorSize
    self.pageSize = pageSize
  }

  /// "Header string: 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7"
  package static let magic: UInt64 = 0xd9d5_05f9_20a1_63d7
}
