import StoreAudit
import StoreCoreData
import StorePlatform
import StorePublishing
import StoreSQLite

/// A file that is written piece by piece.
final class StreamedFile {
  /// Its name, which it may not have before it is whole.
  let path: PosixPath
  /// Where its bytes are.
  private(set) var place: PosixPath
  private var draft: UnfinishedOutput?
  private let descriptor: Int32
  private var keepsParts: Bool
  private var isNew = false
  private var isReplacing = false
  private var isEmpty = true
  private var isFinished = false

  /// Creates a new file.
  ///
  /// - Parameters:
  ///   - keepsParts: whether an incomplete file is kept. Otherwise it has a temporary name until it is finished, so that a run
  ///     that is ended leaves no part of it.
  ///   - isPart: whether it lies in a folder that has a temporary name itself, or is one of many.
  ///   - mode: who may read it.
  /// - Throws: `OutputFileError`.
  init(creating path: PosixPath, keepsParts: Bool, isPart: Bool = false, mode: mode_t = 0o644) throws {
    try refuseSideFile(path)
    self.path = path
    self.keepsParts = keepsParts
    if !keepsParts, !isPart {
      guard FileSystem.kind(of: path, followingLinks: false) == nil else {
        throw OutputFileError(path: path, code: EEXIST)
      }
      draft = UnfinishedOutput(beside: path)
    }
    place = draft?.path ?? path
    descriptor = place.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode) }
    guard descriptor >= 0 else { throw OutputFileError(path: path, code: errno) }
    // Who removes what ended runs left leaves it alone.
    if draft != nil { flock(descriptor, LOCK_EX | LOCK_NB) }
    isNew = true
  }

  /// Creates a file; where there is one already, one that `replace()` puts in its place.
  ///
  /// - Parameters:
  ///   - isForced: whether a file that exists may be replaced.
  ///   - sources: the files that the result is made from, which are not replaced.
  ///   - keepsParts: whether an incomplete new file is kept.
  /// - Throws: `OutputFileError`, also where the file is a database.
  convenience init(
    creating path: PosixPath, replacing isForced: Bool, madeFrom sources: [PosixPath], keepsParts: Bool,
    mode: mode_t = 0o644
  ) throws {
    guard FileSystem.kind(of: path, followingLinks: false) != nil else {
      try self.init(creating: path, keepsParts: keepsParts, mode: mode)
      return
    }
    guard isForced else { throw OutputFileError(path: path, message: "it exists; --force replaces it") }
    try refuseSideFile(path)
    try refuseEvidence(path, sources: sources)
    try self.init(replacing: path)
  }

  /// Continues a file of an audit's lines after its last complete line, or creates it.
  ///
  /// - Parameter keepsLines: whether its lines are kept; otherwise it is written from the start.
  /// - Throws: `OutputFileError`, also where the file does not contain audit lines, so that no other file is truncated.
  init(continuing path: PosixPath, keepsLines: Bool = true) throws {
    try refuseSideFile(path)
    self.path = path
    place = path
    keepsParts = true
    descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644) }
    guard descriptor >= 0 else { throw OutputFileError(path: path, code: errno) }
    guard FileSystem.kind(of: path, followingLinks: false) == .file else {
      throw OutputFileError(path: path, message: "it is no regular file")
    }
    // If two audits wrote to it in turn, each line would be there twice.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw OutputFileError(path: path, message: "another audit is writing to it; wait for its end")
    }
    try requireLines()
    try cut(at: keepsLines ? endOfLastLine() : 0)
  }

  /// A file that replaces another one with `replace()`, and is removed otherwise.
  ///
  /// - Parameter replaced: the file to replace, which this process is writing to.
  /// - Throws: `OutputFileError`.
  init(replacing replaced: PosixPath) throws {
    path = replaced
    let draft = UnfinishedOutput(beside: replaced)
    self.draft = draft
    place = draft.path
    isReplacing = true
    keepsParts = false
    isNew = true
    descriptor = place.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw OutputFileError(path: path, code: errno) }
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  /// Renames it to the file it replaces.
  ///
  /// - Parameter mode: its permissions; nil for those of the file it replaces.
  /// - Throws: `OutputFileError`.
  func replace(mode: mode_t? = nil) throws {
    guard isReplacing else { return }
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0, fchmod(descriptor, mode ?? status.st_mode & 0o777) == 0,
      fsync(descriptor) == 0, place.withCString({ old in path.withCString { rename(old, $0) } }) == 0
    else { throw OutputFileError(path: path, code: errno) }
    place = path
    draft = nil
    isReplacing = false
    keepsParts = true
    isNew = false
  }

  deinit {
    close(descriptor)
    // Remove an empty file, or the next run would refuse to overwrite it.
    if isNew, !isFinished, !keepsParts || isEmpty { _ = place.withCString { unlink($0) } }
  }

  /// Throws unless the file is empty or begins with an audit line.
  private func requireLines() throws {
    guard lseek(descriptor, 0, SEEK_END) > 0 else { return }
    struct IsLine: Error, CustomStringConvertible { var description: String { "the file holds lines of an audit" } }
    do {
      try forEachAuditLine(in: path, reading: .facts) { _ in throw IsLine() }
    } catch is IsLine {
      return
    } catch {}
    throw OutputFileError(
      path: path, message: "it exists and its first line is none of an audit; name another file, or remove it")
  }

  /// The end of the last complete line; a killed run may have written half of one.
  private func endOfLastLine() throws -> off_t {
    var end = lseek(descriptor, 0, SEEK_END)
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(end - off_t(block.count), 0)
      let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, Int(end - start), start) }
      guard count == Int(end - start) else { throw OutputFileError(path: path, code: errno) }
      if let last = block[..<count].lastIndex(of: UInt8(ascii: "\n")) { return start + off_t(last) + 1 }
      end = start
    }
    return 0
  }

  private func cut(at end: off_t) throws {
    guard ftruncate(descriptor, end) == 0, lseek(descriptor, end, SEEK_SET) == end else {
      throw OutputFileError(path: path, code: errno)
    }
  }

  /// Appends bytes.
  ///
  /// - Throws: `OutputFileError`.
  func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes(write) }

  /// Appends bytes.
  ///
  /// - Throws: `OutputFileError`.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if !bytes.isEmpty { isEmpty = false }
    guard writeWhole(bytes, to: descriptor) else { throw OutputFileError(path: path, code: errno) }
  }

  /// Waits until all of it is on disk, and gives it its name, which nothing may have; not where `replace()` does.
  ///
  /// - Throws: `OutputFileError`.
  func finish() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputFileError(path: path, code: errno) }
    if let draft, !isReplacing {
      do throws(FileActionError) { try draft.publish(as: path) } catch {
        throw OutputFileError(path: path, code: error.code)
      }
      place = path
      self.draft = nil
    }
    isFinished = !isReplacing
  }
}

/// Writes all bytes; false, with the cause in `errno`, when not all could be written.
func writeWhole(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let written = write(descriptor, rest.baseAddress, rest.count)
    if written < 0 && errno == EINTR { continue }
    guard written > 0 else { return false }
    if descriptor == STDOUT_FILENO {
      StandardOutputDigest.note(UnsafeRawBufferPointer(rebasing: rest.prefix(written)))
    }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
  }
  return true
}
