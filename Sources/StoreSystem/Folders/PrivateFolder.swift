import StorePlatform
import StoreSQLite

/// The folder into which an archive is unpacked, as an open descriptor. Paths below it are resolved step by step from
/// open folders, without following links, so that no name leads elsewhere.
package final class PrivateFolder {
  private let path: PosixPath
  private let root: OpenFile

  /// - Throws: `ArchiveError.folder` unless `path` is a folder that only this user can enter.
  package init(_ path: PosixPath) throws(ArchiveError) {
    self.path = path
    let number = path.withCString { open($0, Self.folderFlags) }
    guard number >= 0 else { throw .folder(path: path.description, message: systemMessage()) }
    root = OpenFile(number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .folder(path: path.description, message: "others can enter it")
    }
  }

  /// Creates an empty file, and the folders above it.
  ///
  /// - Throws: why that failed. Nothing that exists is changed.
  package func create(_ entry: EntryPath) throws(EntryPath.Refusal) -> OpenFile {
    // The store will be opened by its path, and so will its side files.
    guard path.bytes.count + 1 + entry.bytes.count + "-journal".utf8.count < Int(PATH_MAX) else { throw .tooLong }
    let folder = try openFolder(entry.components.dropLast(), making: true)
    let file = name(entry).withCString {
      openat(folder.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw errno == EEXIST ? .taken : .system(message: systemMessage()) }
    return OpenFile(file)
  }

  /// Removes a file that `create` made.
  package func remove(_ entry: EntryPath) {
    guard let folder = try? openFolder(entry.components.dropLast(), making: false) else { return }
    _ = name(entry).withCString { unlinkat(folder.number, $0, 0) }
  }

  /// Throws unless `keeping` bytes stay free on the file system when `count` more are written.
  package func requireRoom(for count: Int64, keeping: Int64) throws(ArchiveError) {
    guard let free = DiskSpace.free(in: path), free < keeping || free - keeping < count else { return }
    throw .noSpace(kept: keeping)
  }

  private func name(_ entry: EntryPath) -> PosixPath { PosixPath(bytes: entry.components.last ?? []) }

  private func openFolder(_ names: ArraySlice<[UInt8]>, making: Bool) throws(EntryPath.Refusal) -> OpenFile {
    var folder = root
    for name in names.map(PosixPath.init(bytes:)) {
      if making, name.withCString({ mkdirat(folder.number, $0, 0o700) }) != 0, errno != EEXIST {
        throw .system(message: systemMessage())
      }
      let next = name.withCString { openat(folder.number, $0, Self.folderFlags, 0) }
      guard next >= 0 else {
        throw errno == ENOTDIR || errno == ELOOP ? .fileAsFolder : .system(message: systemMessage())
      }
      folder = OpenFile(next)
    }
    return folder
  }

  private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
}

/// An open file or folder, closed when this object goes away.
package final class OpenFile {
  package let number: Int32

  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Writes all of `bytes` at `offset`.
  ///
  /// - Throws: `EntryPath.Refusal.system`.
  package func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(EntryPath.Refusal) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(number, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset + Int64(done)))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .system(message: systemMessage()) }
      done += count
    }
  }

  /// Sets the file's size; parts that were not written read as zeros.
  ///
  /// - Throws: `EntryPath.Refusal.system`.
  package func setSize(_ size: Int64) throws(EntryPath.Refusal) {
    guard ftruncate(number, off_t(size)) == 0 else { throw .system(message: systemMessage()) }
  }
}

/// The message of the last failed system call.
package func systemMessage(_ code: Int32 = errno) -> String {
  strerror(code).map { String(cString: $0).lowercased() } ?? "error \(code)"
}

/// Creates a folder with a new name that only its owner may access.
package func newPrivateFolder(named name: String, in parent: PosixPath) -> PosixPath? {
  var path = parent.appending(component: Array("\(name)-XXXXXX".utf8)).bytes.map { CChar(bitPattern: $0) } + [0]
  let isMade = path.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkdtemp($0) != nil } ?? false }
  guard isMade else { return nil }
  return PosixPath(bytes: path.dropLast().map { UInt8(bitPattern: $0) })
}
