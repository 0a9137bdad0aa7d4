import StoreCoreData
import StoreDigests
import StoreSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whole files and folders, made of the single actions.
extension FileActions {
  /// Writes a new file and waits until it is on disk.
  func writeNew(_ bytes: [UInt8], to path: PosixPath) throws {
    let file = try create(path)
    try bytes.withUnsafeBytes { try write($0, to: file, at: 0) }
    try sync(file)
  }

  /// Writes a file so that at any moment the old one is there whole, or the new one.
  func replace(_ path: PosixPath, with bytes: [UInt8]) throws {
    let temporary = path.appending(".new")
    try unlink(temporary)
    try writeNew(bytes, to: temporary)
    try rename(temporary, to: path)
    try sync(folder: path.parent)
  }

  /// Copies `source` into an open file from its beginning on, leaves nothing behind its end and waits until it is on
  /// disk.
  /// - Returns: SHA-256 of what was copied.
  func copy(_ source: any ByteSource, into file: WritableFile) throws -> [UInt8] {
    var stream = SHA256Stream()
    try copy(source, into: file, digesting: &stream)
    return stream.finalize()
  }

  /// The same; `stream` takes what is copied.
  func copy(_ source: any ByteSource, into file: WritableFile, digesting stream: inout SHA256Stream) throws {
    var offset: Int64 = 0
    while offset < source.size {
      let piece = try source.read(at: offset, count: 1 << 20)
      guard !piece.isEmpty else { throw FileError(path: source.name, kind: .changed) }
      try piece.withUnsafeBytes { buffer in
        stream.update(buffer)
        try write(buffer, to: file, at: offset)
      }
      offset += Int64(piece.count)
    }
    try truncate(file, to: source.size)
    try sync(file)
  }

  /// Copies `source` into a new file that only its owner may read.
  /// - Returns: SHA-256 of what was copied.
  @discardableResult
  func copy(_ source: any ByteSource, to path: PosixPath) throws -> [UInt8] {
    try copy(source, into: create(path))
  }

  /// Moves a file, copying it where the other place is on another file system. What has the name there stays: then
  /// this fails.
  func move(_ path: PosixPath, to other: PosixPath) throws {
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

  /// Copies the regular files of a folder and the folders in it; links and anything else are left out. Everything is on
  /// disk afterwards.
  func copyFolder(_ folder: PosixPath, to target: PosixPath, level: Int = 0) throws {
    try makeFolder(target)
    for name in level < 32 ? FileSystem.names(in: folder) ?? [] : [] {
      let (from, to) = (folder.appending(component: name), target.appending(component: name))
      switch FileSystem.kind(of: from, followingLinks: false) {
      case .file:
        let file = try create(to)
        _ = try copy(EvidenceFile(from), into: file)
        try setMode(FileMode(of: from).copied, of: file)
      case .folder: try copyFolder(from, to: to, level: level + 1)
      case .link, .other, nil: break
      }
    }
    try sync(folder: target)
  }

  /// Removes a folder with what is in it, links not followed; nothing where there is no such folder.
  func removeTree(_ folder: PosixPath, level: Int = 0) throws {
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

/// Who may use a file, as `chmod` knows it.
struct FileMode {
  var bits: mode_t

  /// The mode of the file at `path`; 0600 where that cannot be known.
  init(of path: PosixPath) {
    var status = stat()
    bits = path.withCString({ stat($0, &status) }) == 0 ? status.st_mode & 0o777 : 0o600
  }

  /// The mode of a copy: the same, never wider, without the right to run it.
  var copied: mode_t { bits & 0o666 }

  /// The mode of a repaired copy: never wider for others, but its owner may go on with it, although the source was
  /// protected from being written.
  var published: mode_t { copied | 0o600 }
}

/// The side files SQLite may keep beside a main file.
let sideFileSuffixes = ["-wal", "-shm", "-journal"]
