import StorePlatform

/// A regular file opened only for reading, which leaves no trace of having been read.
///
/// It is opened `O_RDONLY|O_NOATIME|O_NONBLOCK|O_CLOEXEC` and read with `pread`, never mapped: truncating a mapped file
/// kills its reader with `SIGBUS`. No lock is taken. Nothing beyond the file's size at opening is read, so that a
/// growing file still gives one consistent view.
package final class EvidenceFile: ByteSource {
  /// The file's path, byte for byte.
  package let location: PosixPath
  /// Size, times and inode of the file when it was opened.
  package let identity: FileIdentity
  /// Whether the system did not allow reading without updating the access time.
  package let accessTimeMayChange: Bool

  private let descriptor: Int32

  /// Opens the file at `path`, which need not be UTF-8, following links.
  ///
  /// - Throws: `FileError`: missing, not permitted, not a regular file.
  package init(_ path: PosixPath) throws(FileError) {
    // Checked before opening: opening a FIFO wakes its writer, opening a tape device rewinds it.
    try Self.requireRegular(try FileStatus(of: path), at: path)
    let opened = try Self.open(path)
    do throws(FileError) {
      let status = try FileStatus(ofDescriptor: opened.descriptor, path: path)
      try Self.requireRegular(status, at: path)
      identity = status.identity
    } catch {
      close(opened.descriptor)
      throw error
    }
    location = path
    descriptor = opened.descriptor
    accessTimeMayChange = opened.accessTimeMayChange
  }

  deinit { close(descriptor) }

  /// The path as text, repaired where it is not UTF-8.
  package var path: String { location.description }

  /// The path as text, for errors.
  package var name: String { path }

  /// Length in bytes when the file was opened.
  package var size: Int64 { identity.size }

  /// Fills `buffer` from `offset` on; returns how many bytes there were, fewer only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    try read(into: buffer, at: offset, upTo: size)
  }

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, upTo size: Int64
  ) throws(FileError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let wanted = Int(clamping: min(Int64(buffer.count), size - offset))
    var done = 0
    while done < wanted {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
      let count = pread(descriptor, part.baseAddress, part.count, off_t(offset + Int64(done)))
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw FileError(path: path, kind: .init(errno: errno))
      }
    }
    return done
  }

  /// Passes the open file, at its first byte, to `body`, which starts a program with it as standard input. If the
  /// program opened the path itself, the access time would change. `read` uses no file position, so it is not affected.
  package func lend<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
    lseek(descriptor, 0, SEEK_SET)
    return try body(descriptor)
  }

  /// The present identity of the open file.
  ///
  /// - Throws: `FileError` of kind `changed` when the path no longer leads to the file that is open.
  package func currentIdentity() throws(FileError) -> FileIdentity {
    let open = try FileStatus(ofDescriptor: descriptor, path: location).identity
    let named = try? FileStatus(of: location).identity
    guard let named, named.isSameFile(as: open) else { throw FileError(path: path, kind: .changed) }
    return open
  }

  /// The file with its present length, read through the same descriptor.
  ///
  /// Closing any descriptor of a file drops SQLite's locks on it in this process. So code that holds a lock reads
  /// through a descriptor that is already open.
  ///
  /// - Throws: `FileError` when the path no longer leads to the open file.
  package func asItIsNow() throws(FileError) -> some ByteSource {
    CurrentBytes(file: self, size: try currentIdentity().size)
  }

  private struct CurrentBytes: ByteSource {
    let file: EvidenceFile
    let size: Int64

    var name: String { file.path }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
      try file.read(into: buffer, at: offset, upTo: size)
    }
  }

  private static func requireRegular(_ status: FileStatus, at path: PosixPath) throws(FileError) {
    if let kind = status.specialKind {
      throw FileError(path: path.description, kind: .notRegularFile(kind: kind))
    }
  }

  private static func open(_ path: PosixPath) throws(FileError) -> (descriptor: Int32, accessTimeMayChange: Bool) {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
    if let withoutAccessTime = Platform.withoutAccessTime {
      let descriptor = openRetrying(path, flags: flags | withoutAccessTime)
      if descriptor >= 0 { return (descriptor, false) }
      // open(2): EPERM, "the O_NOATIME flag was specified, but the effective user ID of the caller did not match the
      // owner of the file and the caller was not privileged".
      guard errno == EPERM else { throw FileError(path: path.description, kind: .init(errno: errno)) }
    }
    let descriptor = openRetrying(path, flags: flags)
    guard descriptor >= 0 else { throw FileError(path: path.description, kind: .init(errno: errno)) }
    return (descriptor, !Platform.accessTimesAreKept)
  }

  private static func openRetrying(_ path: PosixPath, flags: Int32) -> Int32 {
    while true {
      let descriptor = path.withCStringToRead { StorePlatform.open($0, flags) }
      if descriptor >= 0 || errno != EINTR { return descriptor }
    }
  }
}
