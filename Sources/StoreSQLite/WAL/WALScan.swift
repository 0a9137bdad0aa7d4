/// Reads through a write-ahead log to find how far it is valid.
struct WALScan {
  private(set) var validFrames = 0
  private(set) var committedFrames = 0
  private(set) var commits = 0
  private(set) var pageCount: UInt32?
  private(set) var tail = WALTail()
  private(set) var pages = PageMap.Builder()

  /// The most frames after the last valid one that are examined; the rest is only counted.
  private static let examinedTail = 1 << 16

  /// Examines `frames` frames, which the source must have room for.
  mutating func run(over source: any ByteSource, frames: Int, header: WALHeader) throws(FileError) {
    try readValidFrames(from: source, frames: frames, header: header)
    tail.uncommittedFrames = validFrames - committedFrames
    try examineRest(of: source, frames: frames, header: header)
    tail.partialBytes = Int(clamping: source.size - header.offset(ofFrame: frames))
  }

  private mutating func readValidFrames(from source: any ByteSource, frames: Int, header: WALHeader) throws(FileError) {
    var window = ByteWindow(over: source, capacity: max(1 << 20, header.frameSize))
    var checksum = header.checksum
    while validFrames < frames {
      let offset = header.offset(ofFrame: validFrames)
      guard let bytes = try window.bytes(at: offset, count: header.frameSize),
        let frame = Self.validFrame(bytes, checksum: &checksum, header: header)
      else { return }
      accept(frame)
    }
  }

  private mutating func accept(_ frame: WALFrame) {
    pages.add(frame.pageNumber, at: Int64(validFrames))
    validFrames += 1
    guard frame.isCommit else { return }
    commits += 1
    committedFrames = validFrames
    pageCount = frame.pageCountAfterCommit
    pages.commit()
  }

  /// A frame that SQLite would accept, continuing the checksum of those before it.
  static func validFrame(
    _ bytes: UnsafeRawBufferPointer, checksum: inout WALChecksum, header: WALHeader
  ) -> WALFrame? {
    // "A frame is considered valid if and only if the following conditions are true: 1. The salt-1 and salt-2 values
    // in the frame-header match salt values in the wal-header."
    guard let frame = WALFrame(bytes), frame.hasSalts(of: header) else { return nil }
    // SQLite's walDecodeFrame also refuses page number 0.
    guard frame.pageNumber > 0 else { return nil }
    // "2. The checksum values in the final 8 bytes of the frame-header exactly match the checksum computed
    // consecutively on the first 24 bytes of the WAL header and the first 8 bytes and the content of all frames up to
    // and including the current frame."
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes.prefix(8)), order: header.byteOrder)
    checksum.add(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(WALFrame.headerSize)), order: header.byteOrder)
    return frame.checksum == checksum ? frame : nil
  }

  private mutating func examineRest(of source: any ByteSource, frames: Int, header: WALHeader) throws(FileError) {
    let end = min(frames, validFrames + Self.examinedTail)
    let frame = { (index: Int) throws(FileError) -> WALFrame? in
      guard index < frames else { return nil }
      let bytes = try source.read(at: header.offset(ofFrame: index), count: WALFrame.headerSize)
      guard let frame = bytes.withUnsafeBytes({ WALFrame($0) }) else {
        throw FileError(path: source.name, kind: .changed)
      }
      return frame
    }
    var next = try frame(validFrames)
    for index in validFrames..<max(end, validFrames) {
      guard let current = next else { break }
      next = try frame(index + 1)
      tail.count(current, before: next, at: index, under: header)
    }
    tail.unexaminedFrames = frames - max(end, validFrames)
    // A limit on the log's size cuts it off within a frame that is left over.
    let partial = try source.read(at: header.offset(ofFrame: frames), count: WALFrame.headerSize)
    partial.withUnsafeBytes { tail.count(partialFrame: $0, under: header) }
  }
}
