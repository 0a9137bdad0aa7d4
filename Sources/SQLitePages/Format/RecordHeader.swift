import StoreSQLite

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

  /// Type and offset of the value in `column`; nil where the record has no such column, or a number before it is no type.
  package func field(_ column: Int, in bytes: UnsafeRawBufferPointer) -> (type: SerialType, offset: Int)? {
    var (index, offset) = (0, end)
    var found: SerialType?
    _ = forEachType(bytes) { type in
      guard index < column, let size = type.size else {
        found = index == column ? type : nil
        return false
      }
      let (sum, isTooLarge) = offset.addingReportingOverflow(size)
      (index, offset) = (index + 1, sum)
      return !isTooLarge
    }
    return found.map { ($0, offset) }
  }

  /// The last value, which in an index is the row's key; nil where it is no integer, or the payload is not all there.
  package func lastInteger(in bytes: UnsafeRawBufferPointer) -> Int64? {
    var last: SerialType?
    guard
      forEachType(
        bytes,
        { type in
          last = type
          return true
        }), let last, let size = last.size, bytes.count - size >= end
    else { return nil }
    return last.integer(in: bytes, at: bytes.count - size)
  }

  /// Where the types end if NULLs at the end are left out.
  func typesEndWithoutLastNulls(_ bytes: UnsafeRawBufferPointer) -> Int {
    var last = end
    // The last byte of a longer number may be zero too.
    while last > first, bytes[last - 1] == 0, last - 1 == first || bytes[last - 2] < 0x80 { last -= 1 }
    return last
  }
}
