import StorePlatform
import StoreSQLite

/// Removes a folder with its contents, in the order of names. Links are removed, not followed.
///
/// - Throws: `FileError` for the first thing that cannot be removed; everything before it is gone. Missing files are no
///   error, since other processes may be removing the folder too.
package func removeFolder(_ folder: PosixPath) throws(FileError) {
  let number = folder.withCString { open($0, folderFlags) }
  guard number >= 0 else {
    if errno == ENOENT { return }
    throw FileError(path: folder.description, kind: .init(errno: errno))
  }
  try empty(OpenFile(number), at: folder, depth: 0)
  guard folder.withCString({ rmdir($0) }) == 0 || errno == ENOENT else {
    throw FileError(path: folder.description, kind: .init(errno: errno))
  }
}

private let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

/// The deepest nesting; each level keeps a folder open.
private let deepest = 200

private func empty(_ folder: OpenFile, at path: PosixPath, depth: Int) throws(FileError) {
  guard depth < deepest else { throw FileError(path: path.description, kind: .io(errno: ENAMETOOLONG)) }
  for name in try names(in: folder, path).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
    let (part, inner) = (PosixPath(bytes: name), path.appending(component: name))
    if part.withCString({ unlinkat(folder.number, $0, 0) }) == 0 || errno == ENOENT { continue }
    // The error for a folder is EISDIR on Linux, and EPERM in POSIX and on macOS.
    guard errno == EISDIR || errno == EPERM else { throw FileError(path: inner.description, kind: .init(errno: errno)) }
    let number = part.withCString { openat(folder.number, $0, folderFlags, 0) }
    if number < 0, errno == ENOENT { continue }
    guard number >= 0 else { throw FileError(path: inner.description, kind: .init(errno: errno)) }
    try empty(OpenFile(number), at: inner, depth: depth + 1)
    guard part.withCString({ unlinkat(folder.number, $0, AT_REMOVEDIR) }) == 0 || errno == ENOENT else {
      throw FileError(path: inner.description, kind: .init(errno: errno))
    }
  }
}

private func names(in folder: OpenFile, _ path: PosixPath) throws(FileError) -> [[UInt8]] {
  // The stream closes its descriptor.
  let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
  guard copy >= 0, let stream = fdopendir(copy) else {
    if copy >= 0 { close(copy) }
    throw FileError(path: path.description, kind: .init(errno: errno))
  }
  defer { closedir(stream) }
  var names: [[UInt8]] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
    if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
  }
  return names
}
