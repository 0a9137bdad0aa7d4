extension UnsafeRawBufferPointer {
  /// The big-endian 16-bit integer at `offset`; nil where it would reach beyond the end.
  @inline(__always)
  package func half(_ offset: Int) -> Int? {
    guard offset >= 0, offset < count - 1 else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  /// The big-endian 32-bit integer at `offset`; nil where it would reach beyond the end.
  @inline(__always)
  package func number(_ offset: Int) -> UInt32? {
    guard offset >= 0, offset < count - 3 else { return nil }
    return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
