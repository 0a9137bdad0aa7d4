import StorePlatform
import StoreSQLite

/// The file system calls of writing a store, apart from SQLite's own: tests can make the n-th one fail.
package struct FileActions: Sendable {
  /// The kinds of calls.
  package enum Action: Hashable, CaseIterable, Sendable {
    case create, write, truncate, sync, rename, unlink, makeFolder, setMode
  }

  /// Asked before each call: nil to proceed, or the error number to fail with. A failing write has written its first
  /// half.
  package var failure: @Sendable (Action) -> Int32?
  /// The VFS that SQLite writes through, nil for the system's.
  package var vfs: String?

  /// The real file system.
  package init() {
    failure = { _ in nil }
  }

  /// A file system with injected faults.
  package init(vfs: String?, failure: @escaping @Sendable (Action) -> Int32?) {
    self.failure = failure
    self.vfs = vfs
  }
}

/// Why a file could not be written, moved or removed.
package struct FileActionError: Error, Equatable, CustomStringConvertible {
  /// The call that failed.
  package var action: FileActions.Action
  /// The file it was for.
  package var path: String
  /// The system's error number.
  package var code: Int32

  /// A call that failed.
  package init(action: FileActions.Action, path: String, code: Int32) {
    self.action = action
    self.path = path
    self.code = code
  }

  /// Whether the disk or quota is full.
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Whether this user may not write there.
  package var isDenied: Bool { code == EACCES || code == EPERM }

  /// Whether the file system is mounted to read only.
  package var isReadOnly: Bool { code == EROFS }

  /// One line: what failed, for which file, and why.
  package var description: String {
    let why = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return "cannot \(words) '\(path)': \(why)"
  }

  private var words: String {
    switch action {
    case .create: "create"
    case .write, .truncate: "write"
    case .sync: "bring to disk"
    case .rename: "rename"
    case .unlink: "remove"
    case .makeFolder: "make the folder"
    case .setMode: "set the mode of"
    }
  }
}

/// A file open for writing, closed when this object goes away.
package final class WritableFile: Sendable {
  package let path: PosixPath
  package let descriptor: Int32

  init(path: PosixPath, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension FileActions {
  /// Creates a file that did not exist.
  package func create(_ path: PosixPath, mode: mode_t = 0o600) throws(FileActionError) -> WritableFile {
    try check(.create, at: path)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = path.withCString { open($0, flags, mode) }
    guard descriptor >= 0 else { throw error(.create, at: path) }
    return WritableFile(path: path, descriptor: descriptor)
  }

  /// Opens an existing regular file for reading and writing; `path` must not be a link.
  package func change(_ path: PosixPath) throws(FileActionError) -> WritableFile {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = path.withCString { open($0, flags) }
    guard descriptor >= 0 else { throw error(.write, at: path) }
    return WritableFile(path: path, descriptor: descriptor)
  }

  /// Writes all of `bytes` at `offset`.
  package func write(_ bytes: UnsafeRawBufferPointer, to file: WritableFile, at offset: Int64) throws(FileActionError) {
    let code = failure(.write)
    let wanted = code == nil ? bytes.count : bytes.count / 2
    var done = 0
    while done < wanted {
      let part = UnsafeRawBufferPointer(rebasing: bytes[done..<wanted])
      let count = pwrite(file.descriptor, part.baseAddress, part.count, off_t(offset + Int64(done)))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw error(.write, at: file.path, code: count == 0 ? EIO : errno)
      }
    }
    if let code { throw error(.write, at: file.path, code: code) }
  }

  /// Makes a file `size` bytes long.
  package func truncate(_ file: WritableFile, to size: Int64) throws(FileActionError) {
    try check(.truncate, at: file.path)
    guard ftruncate(file.descriptor, off_t(size)) == 0 else { throw error(.truncate, at: file.path) }
  }

  /// Waits until a file is on disk.
  package func sync(_ file: WritableFile) throws(FileActionError) {
    try check(.sync, at: file.path)
    guard Platform.sync(file.descriptor) == 0 else { throw error(.sync, at: file.path) }
  }

  /// Waits until a folder's entries are on disk.
  package func sync(folder: PosixPath) throws(FileActionError) {
    try check(.sync, at: folder)
    let descriptor = folder.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw error(.sync, at: folder) }
    defer { close(descriptor) }
    // Some file systems do not support this, and do not need it.
    guard Platform.sync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw error(.sync, at: folder) }
  }

  /// Renames a file, replacing `other` if it exists.
  package func rename(_ path: PosixPath, to other: PosixPath) throws(FileActionError) {
    try check(.rename, at: other)
    let status = path.withCString { from in other.withCString { renameFile(from, $0) } }
    guard status == 0 else { throw error(.rename, at: other) }
  }

  /// Renames a file to a name that is free, and fails with `EEXIST` where it is not: nothing is replaced.
  ///
  /// On file systems that offer no such renaming the check comes just before it.
  package func renameNew(_ path: PosixPath, to other: PosixPath) throws(FileActionError) {
    try check(.rename, at: other)
    // Where the old name cannot be taken away a second name of the same file stays behind, which `discard` removes.
    guard path.withCString({ from in other.withCString { Platform.renameExclusively(from, to: $0) } }) != 0 else {
      return
    }
    guard errno == ENOTSUP else { throw error(.rename, at: other) }
    guard FileKey(other) == nil else { throw error(.rename, at: other, code: EEXIST) }
    guard path.withCString({ from in other.withCString { renameFile(from, $0) } }) == 0 else {
      throw error(.rename, at: other)
    }
  }

  /// Removes a file if there is one.
  package func unlink(_ path: PosixPath) throws(FileActionError) {
    try check(.unlink, at: path)
    guard path.withCString({ unlinkFile($0) }) == 0 || errno == ENOENT else { throw error(.unlink, at: path) }
  }

  /// Makes a folder that did not exist.
  package func makeFolder(_ path: PosixPath, mode: mode_t = 0o700) throws(FileActionError) {
    try check(.makeFolder, at: path)
    guard path.withCString({ mkdir($0, mode) }) == 0 else { throw error(.makeFolder, at: path) }
  }

  /// Makes a link that leads to another path.
  package func makeLink(_ path: PosixPath, to target: PosixPath) throws(FileActionError) {
    try check(.create, at: path)
    let status = target.withCString { target in path.withCString { symlink(target, $0) } }
    guard status == 0 else { throw error(.create, at: path) }
  }

  /// Removes an empty folder if there is one.
  package func removeFolder(_ path: PosixPath) throws(FileActionError) {
    try check(.unlink, at: path)
    guard path.withCString({ rmdir($0) }) == 0 || errno == ENOENT else { throw error(.unlink, at: path) }
  }

  /// Sets the permissions of an open file.
  package func setMode(_ mode: mode_t, of file: WritableFile) throws(FileActionError) {
    try check(.setMode, at: file.path)
    guard fchmod(file.descriptor, mode) == 0 else { throw error(.setMode, at: file.path) }
  }

  private func check(_ action: Action, at path: PosixPath) throws(FileActionError) {
    if let code = failure(action) { throw error(action, at: path, code: code) }
  }

  private func error(_ action: Action, at path: PosixPath, code: Int32 = errno) -> FileActionError {
    FileActionError(action: action, path: path.description, code: code)
  }
}

// Outside the extension, where the system's functions are not shadowed by the methods of the same name.
private func renameFile(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 { rename(from, to) }
private func unlinkFile(_ path: UnsafePointer<CChar>) -> Int32 { unlink(path) }
