/// The 24 bytes before each page of a write-ahead log.
///
///     offset  size  meaning
///      0       4    page number
///      4       4    size of the database in pages after the commit, zero in a frame that does not commit
///      8       8    both salts of the header when the frame was written
///     16       8    checksum of everything up to here, this page included
///
/// https://www.sqlite.org/fileformat2.html#walformat
package struct WALFrame: Equatable, Sendable {
  /// Bytes before the page.
  package static let headerSize = 24

  /// Where frame `index`, counted from 0, begins in a log with pages of `pageSize` bytes.
  ///
  /// "The WAL header is 32 bytes in size", "Each frame consists of a 24-byte frame-header followed by a page-size bytes
  /// of page data."
  package static func offset(of index: Int, pageSize: Int) -> Int64 {
    Int64(WALHeader.size) + Int64(index) * Int64(headerSize + pageSize)
  }

  /// The page that follows.
  package let pageNumber: UInt32
  /// "For commit records, the size of the database file in pages after the commit. For all other records, zero."
  package let pageCountAfterCommit: UInt32
  /// Salt 1 of the header the frame was written under.
  package let salt1: UInt32
  /// Salt 2 of the header the frame was written under.
  package let salt2: UInt32
  let checksum: WALChecksum

  /// Whether this frame ends a transaction.
  package var isCommit: Bool { pageCountAfterCommit != 0 }

  /// Reads a frame header; nil from fewer than 24 bytes.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let pageNumber = bytes.word(at: 0), let pageCount = bytes.word(at: 4),
      let salt1 = bytes.word(at: 8), let salt2 = bytes.word(at: 12),
      let s0 = bytes.word(at: 16), let s1 = bytes.word(at: 20)
    else { return nil }
    self.pageNumber = pageNumber
    pageCountAfterCommit = pageCount
    self.salt1 = salt1
    self.salt2 = salt2
    checksum = WALChecksum(s0: s0, s1: s1)
  }

  /// "The salt-1 and salt-2 values in the frame-header match salt values in the wal-header."
  func hasSalts(of header: WALHeader) -> Bool {
    salt1 == header.salt1 && salt2 == header.salt2
  }

  /// Whether it is from after the last checkpoint, as far as its salts tell: each checkpoint changes both, so that one which
  /// has the one and not the other is damaged.
  func hasSalt(of header: WALHeader) -> Bool {
    salt1 == header.salt1 || salt2 == header.salt2
  }

  /// Whether it has a page and neither salts nor checksum, as frames of a transaction that is still being written.
  var isUnsigned: Bool { pageNumber > 0 && salt1 == 0 && salt2 == 0 && checksum == WALChecksum() }

  /// What became of a frame behind the last commit that can be read.
  ///
  /// - Parameters:
  ///   - index: its place, from 0.
  ///   - tail: what is behind that commit. Where commits are hidden behind a damaged frame, frames with the header's salts may
  ///     be theirs.
  package func fate(at index: Int, under header: WALHeader, tail: WALTail) -> FrameFate {
    if isUnsigned { return .unfinished }
    // What is left from before the last checkpoint lies behind all frames of the time after it.
    guard hasSalts(of: header) && pageNumber > 0 || index < tail.tornEnd else { return .saved }
    let isFinished = tail.hiddenCommits > 0 || tail.tornFrames > 0 && tail.unsignedFrames == 0
    return isFinished ? .unreadable : .unfinished
  }

  /// Whether the whole header is zero, as in a file that was extended but not written.
  var isBlank: Bool {
    pageNumber == 0 && pageCountAfterCommit == 0 && salt1 == 0 && salt2 == 0 && checksum == WALChecksum()
  }
}

/// What became of what a frame holds.
package enum FrameFate: UInt8, Sendable {
  /// It was in the database: of a commit, or left from before the last checkpoint.
  case saved
  /// It is of a transaction that was never finished.
  case unfinished
  /// It is behind a damaged frame, where nobody reads it: whether it was committed is not known.
  case unreadable
}
