/// Bytes on their way to a file or a pipe, handed on in pieces of some 256 KiB.
///
/// A single piece that is longer goes straight through, so that a text of 100 MB is never here twice.
package final class OutputBytes {
  // Only one piece is written at a time, and checking that for each byte would cost more than writing it.
  @exclusivity(unchecked) var buffer: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) var count = 0
  private let capacity: Int
  private let handOn: (UnsafeRawBufferPointer) throws -> Void

  /// - Parameters:
  ///   - capacity: the bytes that are collected, 128 or more.
  ///   - handOn: takes the bytes; called when there are enough of them, and by `flush`.
  package init(capacity: Int = 256 << 10, to handOn: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.handOn = handOn
    self.capacity = max(capacity, 128)
    buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: max(capacity, 128))
  }

  deinit { buffer.deallocate() }

  /// Hands on what is there.
  package func flush() throws {
    guard count > 0 else { return }
    let filled = UnsafeRawBufferPointer(start: buffer, count: count)
    count = 0
    try handOn(filled)
  }

  /// Makes room for a small piece.
  @inline(__always)
  func require(_ bytes: Int) throws {
    if count + bytes > capacity { try flush() }
  }

  /// Appends one byte.
  @inline(__always)
  func append(_ byte: UInt8) throws {
    if count == capacity { try flush() }
    buffer[count] = byte
    count += 1
  }

  /// Appends bytes.
  @inline(__always)
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard let start = bytes.baseAddress else { return }
    if count + bytes.count > capacity {
      try flush()
      guard bytes.count <= capacity else { return try handOn(bytes) }
    }
    UnsafeMutableRawPointer(buffer + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends a constant.
  @inline(__always)
  func append(_ text: StaticString) throws {
    try append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a text.
  package func append(_ text: String) throws {
    var text = text
    try text.withUTF8 { try append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends an array of bytes.
  func append(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try append($0) } }
}
