extension UnsafeRawBufferPointer {
  /// The big-endian integer at `offset`; nil where it would reach beyond the end.
  ///
  /// "All multibyte fields in the database file header are stored with the most significant byte first (big-endian)":
  /// so are those of the WAL and the journal.
  func bigEndian<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) -> T? {
    guard offset >= 0, offset <= count, count - offset >= MemoryLayout<T>.size else { return nil }
    return T(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The big-endian 32-bit integer at `offset`; nil where it would reach beyond the end.
  func word(at offset: Int) -> UInt32? { bigEndian(UInt32.self, at: offset) }
}
