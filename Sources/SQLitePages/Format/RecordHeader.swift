/// Where the types of a record lie: for going over them without keeping them, as `Record` does.
package struct RecordHeader: Equatable, Sendable {
  /// Where the first type begins.
  package let first: Int
  /// Where the header ends, and the first value begins.
  package let end: Int

  /// Reads the length of the header at `start`; nil where the bytes are no header.
  @inline(__always)
  package init?(_ bytes: UnsafeRawBufferPointer, at start: Int = 0) {
    guard let header = Varint(bytes, at: start), header.value >= header.length,
      let size = Int(exactly: header.value), size <= bytes.count - start
    else { return nil }
    first = start + header.length
    end = start + size
  }

  /// Calls `body` for each type until it returns false; whether all were given, and the header ends behind the last.
  @inline(__always)
  package func forEachType(_ bytes: UnsafeRawBufferPointer, _ body: (SerialType) -> Bool) -> Bool {
    var position = first
    while position < end {
      guard let type = Varint(bytes, at: position), type.value >= 0, position + type.length <= end,
        body(SerialType(type.value))
      else { return false }
      position += type.length
    }
    return true
  }
}
