/// Bytes that can be read at any offset: a file of evidence, or an array in memory.
package protocol ByteSource: Sendable {
  /// The name for errors, usually the path.
  var name: String { get }
  /// Length in bytes, fixed even if the file grows.
  var size: Int64 { get }
  /// Fills `buffer` from `offset` on; returns how many bytes there were, fewer only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int
}

extension ByteSource {
  /// At most `count` bytes from `offset` on; fewer at the end, none beyond it.
  package func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
    let available = Int(clamping: min(Int64(clamping: count), max(0, size - max(0, offset))))
    guard offset >= 0, available > 0 else { return [] }
    var failure: FileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: available) { buffer, filled in
      do throws(FileError) {
        filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// Bytes in memory that can be read like a file.
package struct MemoryBytes: ByteSource {
  /// The name for errors.
  package let name: String
  private let bytes: [UInt8]

  /// Wraps `bytes`; nothing is copied.
  package init(_ bytes: [UInt8], name: String = "memory") {
    self.bytes = bytes
    self.name = name
  }

  /// The number of bytes.
  package var size: Int64 { Int64(bytes.count) }

  /// Copies the bytes from `offset` on; returns how many there were.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let part = bytes[Int(offset)...].prefix(buffer.count)
    part.withUnsafeBytes { buffer.copyMemory(from: $0) }
    return part.count
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Fills everything after the first `count` bytes with zeros.
  func zero(from count: Int) {
    UnsafeMutableRawBufferPointer(rebasing: dropFirst(count)).initializeMemory(as: UInt8.self, repeating: 0)
  }
}
