/// A buffer over part of a source that moves with the reader, so that neighbouring reads cost one `pread`.
struct ByteWindow: ~Copyable {
  private let source: any ByteSource
  private let buffer: UnsafeMutableRawBufferPointer
  private var start: Int64 = 0
  private var filled = 0

  /// A window of `capacity` bytes; no single request may ask for more.
  init(over source: any ByteSource, capacity: Int) {
    self.source = source
    buffer = .allocate(byteCount: max(capacity, 1), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The bytes at `offset`, valid until the next call; nil where the source ends before them.
  ///
  /// - Throws: `FileError.Kind.changed` when the source has become shorter than it said.
  mutating func bytes(at offset: Int64, count: Int) throws(FileError) -> UnsafeRawBufferPointer? {
    guard offset >= 0, count >= 0, count <= buffer.count, offset <= source.size,
      Int64(count) <= source.size - offset
    else { return nil }
    if offset < start || offset - start > Int64(filled) || Int64(count) > Int64(filled) - (offset - start) {
      try move(to: offset)
    }
    let first = Int(offset - start)
    guard first + count <= filled else { throw FileError(path: source.name, kind: .changed) }
    return UnsafeRawBufferPointer(rebasing: buffer[first..<first + count])
  }

  private mutating func move(to offset: Int64) throws(FileError) {
    filled = 0
    start = offset
    filled = try source.read(into: buffer, at: offset)
  }
}
