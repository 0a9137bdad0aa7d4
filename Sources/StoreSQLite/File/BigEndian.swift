extension UnsafeRawBufferPointer {
  /// The big-endian integer at `offset`; nil where it would reach beyond the end.
  ///
  /// "All multibyte fields in the database file header are stored with the most significant byte first (big-endian)":
  /// so are those of the pages, the WAL and the journal.
  @inlinable @inline(__always)
  public func bigEndian<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) -> T? {
    guard offset >= 0, offset <= count, count - offset >= MemoryLayout<T>.size else { return nil }
    return T(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The big-endian 16-bit integer at `offset`; nil where it would reach beyond the end.
  @inlinable @inline(__always)
  public func half(at offset: Int) -> Int? { bigEndian(UInt16.self, at: offset).map { Int($0) } }

  /// The big-endian 32-bit integer at `offset`; nil where it would reach beyond the end.
  @inlinable @inline(__always)
  public func word(at offset: Int) -> UInt32? { bigEndian(UInt32.self, at: offset) }

  /// The first `count` bytes, or all where there are fewer: `prefix`, without what a collection does for it.
  @inlinable @inline(__always)
  public func first(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: baseAddress, count: Swift.max(0, Swift.min(count, self.count)))
  }
}
