import StorePlatform
import StoreText
import StoreWords
import StoreCoreData
import StorePublishing
import StoreSQLite

/// Writes a result to a new file, or to standard output for nil.
///
/// With `replacing` an existing file is replaced atomically, but never a database, one of its side files, or one of the
/// files the result was made from.
///
/// - Parameters:
///   - isPrivate: whether only the owner may read it.
///   - canReplace: whether the command has the option `--force`.
/// - Throws: `OutputFileError`.
func write(
  _ text: String, to path: PosixPath?, replacing: Bool = false, madeFrom sources: [PosixPath] = [],
  isPrivate: Bool = false, canReplace: Bool = false
) throws {
  guard let path else {
    try standardOutput(text)
    return
  }
  try refuseSideFile(path)
  let mode: mode_t = isPrivate ? 0o600 : 0o644
  let draft = UnfinishedOutput(beside: path)
  if FileSystem.kind(of: path, followingLinks: false) == nil {
    try create(draft.path, shownAs: path, text: text, mode: mode)
    do throws(FileActionError) { try draft.publish(as: path) } catch {
      draft.discard()
      throw OutputFileError(path: path, code: error.code)
    }
  } else {
    guard replacing else {
      throw OutputFileError(
        path: path,
        message: canReplace ? "it exists; --force replaces it" : "it exists; name another file, or remove it")
    }
    try refuseEvidence(path, sources: sources)
    try create(draft.path, shownAs: path, text: text, mode: mode)
    guard draft.path.withCString({ from in path.withCString { rename(from, $0) } }) == 0 else {
      let code = errno
      draft.discard()
      throw OutputFileError(path: path, code: code)
    }
  }
}

/// Creates a folder, which must not exist.
///
/// - Parameter shown: the name that a message has.
func newFolder(_ path: PosixPath, shownAs shown: PosixPath? = nil, mode: mode_t = 0o755) throws -> PosixPath {
  guard path.withCString({ mkdir($0, mode) }) == 0 else { throw OutputFileError(path: shown ?? path, code: errno) }
  return path
}

/// Why a result could not be written.
struct OutputFileError: Error, CustomStringConvertible {
  var path: PosixPath
  var message: String
  /// Whether the reader closed the pipe, as `head` does when it has enough lines.
  var isOfGoneReader = false

  init(path: PosixPath, message: String) {
    self.path = path
    self.message = message
  }

  init(path: PosixPath, code: Int32) {
    let words = code == EEXIST ? "it exists" : strerror(code).map { String(cString: $0) } ?? "error \(code)"
    self.init(path: path, message: words)
    isOfGoneReader = code == EPIPE
  }

  var description: String { "cannot write \(quoted(path.description)): \(message)" }
}

/// Throws where a new file would have the name of a store's side file, since SQLite would take it for that.
func refuseSideFile(_ path: PosixPath) throws {
  for suffix in ["-wal", "-shm", "-journal"] where path.name.suffix(suffix.utf8.count) == Array(suffix.utf8)[...] {
    let main = path.sibling(named: Array(path.name.dropLast(suffix.utf8.count)))
    if FileSystem.kind(of: main) != nil {
      throw OutputFileError(path: path, message: "that is the name of a side file of \(quoted(main.description))")
    }
  }
}

/// Refuses to replace what is no regular file, a database, or one of the files that a result is made from.
func refuseEvidence(_ path: PosixPath, sources: [PosixPath]) throws {
  guard FileSystem.kind(of: path, followingLinks: false) == .file else {
    throw OutputFileError(path: path, message: "it exists and is not a regular file")
  }
  let file = try EvidenceFile(path)
  let identity = try file.currentIdentity()
  if try file.read(at: 0, count: 16).starts(with: DatabaseHeader.magic) {
    throw OutputFileError(path: path, message: "it is a database, which is not replaced")
  }
  for source in sources where FileSystem.kind(of: source) == .file {
    if try EvidenceFile(source).currentIdentity().isSameFile(as: identity) {
      throw OutputFileError(path: path, message: "it is the file the result is made from")
    }
  }
  for source in sources where FileSystem.kind(of: source) == .folder {
    guard let folder = try? source.resolved(), let own = try? path.resolved(),
      own.bytes.starts(with: folder.bytes + [UInt8(ascii: "/")]), try isPartOfModels(own, file: file)
    else { continue }
    throw OutputFileError(path: path, message: "it is one of the files the result is made from")
  }
}

/// Whether a file in a folder of models is part of one: in a bundle, or Swift source that was not made by this program.
private func isPartOfModels(_ path: PosixPath, file: EvidenceFile) throws -> Bool {
  let name = path.description
  if [".xcdatamodeld/", ".xcdatamodel/", ".momd/"].contains(where: name.contains) { return true }
  guard name.hasSuffix(".swift") else { return false }
  let start = String(decoding: try file.read(at: 0, count: 300), as: UTF8.self)
  return !start.contains("made by storedoctor")
}

/// Throws where a file cannot be written, before the work begins whose result it is to hold.
func requirePlace(for path: PosixPath, replacing: Bool, madeFrom sources: [PosixPath]) throws {
  try refuseSideFile(path)
  guard FileSystem.kind(of: path, followingLinks: false) == nil else {
    guard replacing else { throw OutputFileError(path: path, message: "it exists; --force replaces it") }
    return try refuseEvidence(path, sources: sources)
  }
  guard FileSystem.kind(of: path.sibling(named: Array(".".utf8))) == .folder else {
    throw OutputFileError(path: path, message: "its folder does not exist; make it first")
  }
}

private func create(_ path: PosixPath, shownAs shown: PosixPath, text: String, mode: mode_t) throws {
  let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode) }
  guard descriptor >= 0 else { throw OutputFileError(path: shown, code: errno) }
  flock(descriptor, LOCK_EX | LOCK_NB)
  let isWritten = writeWhole(text, to: descriptor) && fsync(descriptor) == 0
  let code = errno
  guard close(descriptor) == 0, isWritten else {
    _ = path.withCString { unlink($0) }
    throw OutputFileError(path: shown, code: code)
  }
}
