extension RandomAccessCollection<UInt8> where Index == Int {
  /// A little-endian number; nil where it is cut off.
  func little<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= startIndex, offset <= endIndex - size else { return nil }
    var result: Number = 0
    for position in (0..<size).reversed() { result = result << 8 | Number(truncatingIfNeeded: self[offset + position]) }
    return result
  }
}
