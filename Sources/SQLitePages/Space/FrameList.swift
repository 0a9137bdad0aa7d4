import StoreSQLite

/// All frames of a write-ahead log, in order: the valid ones with their commits, and what older cycles left behind them.
package struct FrameList: Sendable {
  /// One frame.
  package struct Frame: Sendable {
    /// The page that it holds.
    package var page: UInt32
    /// Size of the database in pages after its commit; 0 for a frame that does not commit.
    package var pageCount: UInt32
    /// The number of the commit the frame is part of, from 1; nil for frames after the last commit.
    package var commit: Int?
    /// What became of what it holds.
    package var fate = FrameFate.saved
  }

  /// The frames that were read.
  package private(set) var frames: [Frame] = []
  /// The number of commits.
  package private(set) var commits = 0
  /// Bytes from one frame's header to the next.
  package var frameSize: Int { WALFrame.headerSize + pageSize }
  private let pageSize: Int
  /// Whether there were more frames than are kept.
  package private(set) var isCut = false

  /// The most frames that are kept.
  package static let limit = 4_000_000

  /// Reads the headers of all frames of `wal`, whose file is `source`; nil without a valid header.
  package init?(_ wal: WAL, source: any ByteSource) throws(FileError) {
    guard case .success(let header) = wal.header else { return nil }
    pageSize = header.pageSize
    let count = min(wal.frames, Self.limit)
    isCut = count < wal.frames
    frames.reserveCapacity(count)
    try readHeaders(count, of: wal, under: header, source: source)
  }

  /// Offset of the page in frame `index`.
  package func offset(of index: Int) -> Int64 {
    WALFrame.offset(of: index, pageSize: pageSize) + Int64(WALFrame.headerSize)
  }

  /// About how many bytes are read at once.
  private static let piece = 1 << 20

  private mutating func readHeaders(_ count: Int, of wal: WAL, under salts: WALHeader, source: any ByteSource)
    throws(FileError)
  {
    let atOnce = max(1, Self.piece / frameSize)
    var index = 0
    while index < count {
      let some = min(atOnce, count - index)
      let offset = WALFrame.offset(of: index, pageSize: pageSize)
      let bytes = try source.read(at: offset, count: some * frameSize)
      guard bytes.count == some * frameSize else { throw FileError(path: source.name, kind: .changed) }
      bytes.withUnsafeBytes { piece in
        for frame in 0..<some {
          let bytes = UnsafeRawBufferPointer(rebasing: piece[(frame * frameSize)...])
          guard let header = WALFrame(bytes) else { return }
          let isCommitted = index + frame < wal.committedFrames
          add(
            header, isCommitted: isCommitted,
            fate: isCommitted ? .saved : header.fate(at: index + frame, under: salts, tail: wal.tail))
        }
      }
      index += some
    }
  }

  private mutating func add(_ header: WALFrame, isCommitted: Bool, fate: FrameFate) {
    frames.append(
      Frame(
        page: header.pageNumber, pageCount: header.pageCountAfterCommit, commit: isCommitted ? commits + 1 : nil,
        fate: fate))
    if isCommitted, header.isCommit { commits += 1 }
  }
}
