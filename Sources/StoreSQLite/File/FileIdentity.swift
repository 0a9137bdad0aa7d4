import StorePlatform

/// Identifies a state of a file without reading its contents.
package struct FileIdentity: Hashable, Sendable {
  /// The device the file lives on, `st_dev`.
  package var device: UInt64
  /// The file's inode, `st_ino`.
  package var inode: UInt64
  /// Length in bytes.
  package var size: Int64
  /// When the content was last changed, nanoseconds since 1970.
  package var modified: Int64
  /// When content, name, owner or mode was last changed, nanoseconds since 1970.
  package var statusChanged: Int64

  /// Whether both are the same file, in whatever state.
  package func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension FileIdentity {
  /// The identity of the file or folder that `path` leads to; nil when there is none, or it is not accessible.
  package init?(of path: PosixPath) {
    guard let status = try? FileStatus(of: path) else { return nil }
    self = status.identity
  }
}

/// The result of `stat`: identity and kind.
struct FileStatus {
  var identity: FileIdentity
  /// Nil for a regular file, else its kind in words.
  var specialKind: String?

  /// The status of a path, following links, without opening anything.
  init(of path: PosixPath) throws(FileError) {
    if case .unreadable(let reason)? = MountedFiles.target(of: path) {
      throw FileError(path: path.description, kind: .notToBeHad(reason: reason))
    }
    var status = stat()
    guard path.withCStringToRead({ stat($0, &status) }) == 0 else {
      throw FileError(path: path.description, kind: .init(errno: errno))
    }
    self.init(status)
  }

  /// The status of an open file.
  init(ofDescriptor descriptor: Int32, path: PosixPath) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileError(path: path.description, kind: .init(errno: errno))
    }
    self.init(status)
  }

  private init(_ status: stat) {
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino),
      size: Int64(status.st_size),
      modified: status.modificationTime.nanoseconds,
      statusChanged: status.statusChangeTime.nanoseconds)
    specialKind = Self.specialKind(mode: status.st_mode)
  }

  private static func specialKind(mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "directory"
    case S_IFIFO: "FIFO"
    case S_IFSOCK: "socket"
    case S_IFCHR: "character device"
    case S_IFBLK: "block device"
    default: "special file"
    }
  }
}

extension timespec {
  /// Nanoseconds; wraps around only for times that no file system can mean.
  fileprivate var nanoseconds: Int64 {
    Int64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: tv_nsec)
  }
}
