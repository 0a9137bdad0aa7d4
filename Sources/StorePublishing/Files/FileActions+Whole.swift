import StoreCoreData
import StoreDigests
import StorePlatform
import StoreSQLite

/// Operations on whole files and folders, composed of the single calls.
extension FileActions {
  /// Writes a new file and syncs it to disk.
  package func writeNew(_ bytes: [UInt8], to path: PosixPath) throws {
    let file = try create(path)
    try bytes.withUnsafeBytes { try write($0, to: file, at: 0) }
    try sync(file)
  }

  /// Replaces a file atomically: at any moment either the old or the new one is there, complete.
  package func replace(_ path: PosixPath, with bytes: [UInt8]) throws {
    let temporary = path.appending(".new")
    do {
      try unlink(temporary)
      try writeNew(bytes, to: temporary)
      try rename(temporary, to: path)
    } catch var error as FileActionError {
      // The name that it is to have is the one that people know.
      if error.path == temporary.description { error.path = path.description }
      throw error
    }
    try sync(folder: path.parent)
  }

  /// Copies `source` over an open file's contents, cuts off what is behind its end, and syncs.
  /// - Returns: SHA-256 of the copied bytes.
  package func copy(_ source: any ByteSource, into file: WritableFile) throws -> [UInt8] {
    var stream = SHA256Stream()
    try copy(source, into: file, digesting: &stream)
    return stream.finalize()
  }

  /// The same; `stream` digests the copied bytes.
  package func copy(_ source: any ByteSource, into file: WritableFile, digesting stream: inout SHA256Stream) throws {
    try copyBytes(of: source, into: file) { stream.update($0) }
    try truncate(file, to: source.size)
    try sync(file)
  }

  /// Writes `source` over the beginning of an open file, without syncing.
  ///
  /// - Parameter body: gets each piece before it is written.
  package func copyBytes(
    of source: any ByteSource, into file: WritableFile, _ body: (UnsafeRawBufferPointer) -> Void = { _ in }
  ) throws {
    // One buffer for all pieces: fresh memory for each costs as much as reading it.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1 << 12)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < source.size {
      let wanted = Int(clamping: min(Int64(buffer.count), source.size - offset))
      let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      guard count > 0 else { throw FileError(path: source.name, kind: .changed) }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      body(piece)
      try write(piece, to: file, at: offset)
      offset += Int64(count)
    }
  }

  /// Copies `source` into a new file that only its owner may read.
  /// - Returns: SHA-256 of the copied bytes.
  @discardableResult
  package func copy(_ source: any ByteSource, to path: PosixPath) throws -> [UInt8] {
    try copy(source, into: create(path))
  }

  /// Moves a file, copying it where `other` is on another file system. Fails when `other` exists.
  package func move(_ path: PosixPath, to other: PosixPath) throws {
    guard FileSystem.kind(of: other, followingLinks: false) == nil else {
      throw FileActionError(action: .rename, path: other.description, code: EEXIST)
    }
    do {
      try rename(path, to: other)
    } catch {
      guard error.code == EXDEV else { throw error }
      try copy(EvidenceFile(path), to: other)
      try unlink(path)
    }
    try sync(folder: other.parent)
    try sync(folder: path.parent)
  }

  /// Copies a folder's regular files and its folders, which only their owner may read then; links and other kinds are left
  /// out. Everything is synced to disk.
  ///
  /// - Throws: `FileError` for a folder that cannot be listed and for one more than 32 levels deep: a copy without what is
  ///   in it would look whole.
  package func copyFolder(_ folder: PosixPath, to target: PosixPath, level: Int = 0) throws {
    guard level < 32 else { throw FileError(path: folder.description, kind: .init(errno: ELOOP)) }
    guard let names = FileSystem.names(in: folder) else {
      throw FileError(path: folder.description, kind: .init(errno: errno))
    }
    try makeFolder(target)
    for name in names {
      let (from, to) = (folder.appending(component: name), target.appending(component: name))
      switch FileSystem.kind(of: from, followingLinks: false) {
      case .file:
        let file = try create(to)
        _ = try copy(EvidenceFile(from), into: file)
      case .folder: try copyFolder(from, to: to, level: level + 1)
      case .link, .other, nil: break
      }
    }
    try sync(folder: target)
  }

  /// Removes a folder with its contents, up to 64 levels; links are not followed. Does nothing when there is no such
  /// folder.
  package func removeTree(_ folder: PosixPath, level: Int = 0) throws {
    guard level < 64, FileSystem.kind(of: folder, followingLinks: false) == .folder else { return }
    for name in FileSystem.names(in: folder) ?? [] {
      let path = folder.appending(component: name)
      if FileSystem.kind(of: path, followingLinks: false) == .folder {
        try removeTree(path, level: level + 1)
      } else {
        try unlink(path)
      }
    }
    try removeFolder(folder)
  }
}

/// A file's permission bits, as for `chmod`.
package struct FileMode {
  package var bits: mode_t

  /// The mode of the file at `path`; 0600 where it cannot be read.
  package init(of path: PosixPath) {
    var status = stat()
    bits = path.withCString({ stat($0, &status) }) == 0 ? status.st_mode & 0o777 : 0o600
  }

  /// The mode of a copy: the same permissions without execution.
  package var copied: mode_t { bits & 0o666 }

  /// The mode of a file that holds rows: its owner's alone.
  package static let ofRows = FileMode(bits: 0o600)

  private init(bits: mode_t) { self.bits = bits }
}

/// The side files SQLite may keep beside a main file.
package let sideFileSuffixes = ["-wal", "-shm", "-journal"]
