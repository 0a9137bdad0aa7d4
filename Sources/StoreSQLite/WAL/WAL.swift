/// A write-ahead log, read as SQLite reads it when it recovers one.
///
/// Frames count up to the last commit of the unbroken row of valid frames from the beginning:
///
///     header | frame 0 | frame 1 commit | frame 2 | frame 3 (torn) | frame 4 (old salts) | 17 bytes
///            |<-- committed ----------->|<------ tail ------------------------------------------>|
///
/// https://www.sqlite.org/fileformat2.html#walformat
package struct WAL: Sendable {
  /// The header, or why SQLite takes nothing from this file.
  package let header: Result<WALHeader, WALHeader.Invalid>
  /// Length of the file in bytes.
  package let fileSize: Int64
  /// The number of frames that fit into the file, valid or not; 0 without a valid header.
  package let frames: Int
  /// The number of leading frames with correct salts and checksums.
  package let validFrames: Int
  /// The number of leading frames up to the last commit: those that are part of the database.
  package let committedFrames: Int
  /// Number of committed transactions.
  package let commits: Int
  /// Size of the database in pages after the last commit, nil without one.
  package let pageCountAfterLastCommit: UInt32?
  /// The bytes after the last commit.
  package let tail: WALTail
  /// The pages in the log: number to the index of the frame with the last committed version. Pages beyond the size
  /// of the database are left out.
  package let pages: PageMap

  private let source: any ByteSource

  /// Scans a log from beginning to end, in memory proportional to the number of different pages.
  ///
  /// - Throws: `FileError` when the file cannot be read or becomes shorter. Damage is not an error.
  package init(scanning source: any ByteSource) throws(FileError) {
    self.source = source
    fileSize = source.size
    let first = try source.read(at: 0, count: WALHeader.size)
    header = Result { () throws(WALHeader.Invalid) in try WALHeader(first) }

    var scan = WALScan()
    if case .success(let header) = header {
      frames = Int(clamping: (source.size - Int64(WALHeader.size)) / Int64(header.frameSize))
      try scan.run(over: source, frames: frames, header: header)
    } else {
      frames = 0
    }
    validFrames = scan.validFrames
    committedFrames = scan.committedFrames
    commits = scan.commits
    pageCountAfterLastCommit = scan.pageCount
    tail = scan.tail
    pages = scan.pages.build(upTo: scan.pageCount ?? 0)
  }

  /// Whether the log adds anything to the database file.
  package var hasCommits: Bool { commits > 0 }

  /// The last committed version of page `number`, nil when the log does not have it.
  package func page(_ number: UInt32) throws(FileError) -> [UInt8]? {
    guard let frame = pages.position(of: number) else { return nil }
    return try content(ofFrame: Int(frame))
  }

  /// Fills `buffer` with the part of page `number` from byte `offset` on, in its last committed version; false when the
  /// log does not have the page.
  func read(page number: UInt32, from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Bool
  {
    guard let index = pages.position(of: number), let frame = self.offset(ofFrame: Int(index)) else { return false }
    let position = frame + Int64(WALFrame.headerSize + offset)
    guard try source.read(into: buffer, at: position) == buffer.count else {
      throw FileError(path: source.name, kind: .changed)
    }
    return true
  }

  /// The header of frame `index`, counted from 0, valid or not; nil outside the file.
  package func frame(_ index: Int) throws(FileError) -> WALFrame? {
    guard let offset = offset(ofFrame: index) else { return nil }
    return try source.read(at: offset, count: WALFrame.headerSize).withUnsafeBytes { WALFrame($0) }
  }

  /// The page in frame `index`, counted from 0, valid or not; nil outside the file.
  package func content(ofFrame index: Int) throws(FileError) -> [UInt8]? {
    guard let offset = offset(ofFrame: index), let pageSize = try? header.get().pageSize else { return nil }
    let bytes = try source.read(at: offset + Int64(WALFrame.headerSize), count: pageSize)
    guard bytes.count == pageSize else { throw FileError(path: source.name, kind: .changed) }
    return bytes
  }

  private func offset(ofFrame index: Int) -> Int64? {
    guard case .success(let header) = header, index >= 0, index < frames else { return nil }
    return header.offset(ofFrame: index)
  }
}

extension WALHeader {
  /// Where frame `index` begins, which must be one the file has room for.
  func offset(ofFrame index: Int) -> Int64 { WALFrame.offset(of: index, pageSize: pageSize) }
}
