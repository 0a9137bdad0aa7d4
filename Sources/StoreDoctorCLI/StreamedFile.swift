import CoreDataStore
import SQLite
import StoreDoctor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written as its content comes.
final class StreamedFile {
  let path: PosixPath
  private let descriptor: Int32
  private let keepsParts: Bool
  private var isFinished = false

  /// A file that did not exist.
  ///
  /// - Parameter keepsParts: whether what was written is of use where the rest never came.
  /// - Throws: `OutputFileError`.
  init(creating path: PosixPath, keepsParts: Bool) throws {
    try refuseSideFile(path)
    self.path = path
    self.keepsParts = keepsParts
    descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644) }
    guard descriptor >= 0 else { throw OutputFileError(path: path, code: errno) }
  }

  /// A file of lines that is written on from its last whole line, or made.
  ///
  /// - Throws: `OutputFileError`, also where it is something else than lines.
  init(continuing path: PosixPath) throws {
    try refuseSideFile(path)
    self.path = path
    keepsParts = true
    descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644) }
    guard descriptor >= 0 else { throw OutputFileError(path: path, code: errno) }
    guard FileSystem.kind(of: path) == .file else { throw OutputFileError(path: path, message: "it is no regular file") }
    try cutTornLine()
  }

  deinit {
    close(descriptor)
    if !isFinished, !keepsParts { _ = path.withCString { unlink($0) } }
  }

  /// A run that was killed may have written half of its last line.
  private func cutTornLine() throws {
    var first: UInt8 = 0
    // Nothing that is not ours is cut.
    guard pread(descriptor, &first, 1, 0) < 1 || first == UInt8(ascii: "{") else {
      throw OutputFileError(path: path, message: "it exists and holds no lines of an audit")
    }
    var end = lseek(descriptor, 0, SEEK_END)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(end - off_t(block.count), 0)
      let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, Int(end - start), start) }
      guard count == Int(end - start) else { throw OutputFileError(path: path, code: errno) }
      if let last = block[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        end = start + off_t(last) + 1
        break
      }
      end = start
    }
    guard ftruncate(descriptor, end) == 0, lseek(descriptor, end, SEEK_SET) == end else {
      throw OutputFileError(path: path, code: errno)
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: `OutputFileError`.
  func write(_ bytes: [UInt8]) throws {
    guard writeWhole(bytes, to: descriptor) else { throw OutputFileError(path: path, code: errno) }
  }

  /// Makes sure that all of it is on the disk.
  ///
  /// - Throws: `OutputFileError`.
  func finish() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFileError(path: path, code: errno) }
    isFinished = true
  }
}

/// Writes all of the bytes; false, with the cause in `errno`, when not all could be written.
func writeWhole(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
    return true
  }
}
