import StorePlatform

/// Queries of the file system, apart from reading files.
package enum FileSystem {
  /// The kinds of things a path can name.
  package enum Kind: Equatable { case file, folder, link, other }

  /// The kind of thing that `path` names; nil if nothing exists there or it may not be examined.
  package static func kind(of path: PosixPath, followingLinks: Bool = true) -> Kind? {
    if case .seen(let kind) = sight(of: path, followingLinks: followingLinks) { kind } else { nil }
  }

  /// The result of examining a path.
  package enum Sight: Equatable {
    case seen(Kind)
    /// Nothing exists there.
    case nothing
    /// Something may exist there but could not be examined.
    case unseen(errno: Int32)
  }

  /// The kind of thing that `path` names, or why that is not known.
  package static func sight(of path: PosixPath, followingLinks: Bool = true) -> Sight {
    // What is mounted is no link, whatever leads to its bytes.
    switch MountedFiles.target(of: path) {
    case .file(let file): return sight(of: file)
    case .unreadable: return .seen(.file)
    case .folder: return .seen(.folder)
    case nil: break
    }
    var status = stat()
    let code = path.withCString { (followingLinks ? stat($0, &status) : lstat($0, &status)) == 0 ? 0 : errno }
    guard code == 0 else { return code == ENOENT ? .nothing : .unseen(errno: code) }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .seen(.file)
    case S_IFDIR: .seen(.folder)
    case S_IFLNK: .seen(.link)
    default: .seen(.other)
    }
  }

  /// Device, inode, size and times of the file at `path`; nil if nothing exists there or it may not be examined.
  package static func identity(of path: PosixPath) -> FileIdentity? { FileIdentity(of: path) }

  /// The names in a folder without "." and ".."; nil if it may not be listed. Its access time does not change if the
  /// system permits that.
  package static func names(in folder: PosixPath) -> [[UInt8]]? { entries(in: folder)?.map(\.name) }

  /// An entry of a folder.
  package struct Entry {
    /// Its name.
    package var name: [UInt8]
    /// Its kind, as far as the listing tells; links are not followed. Nil where the file system does not tell it.
    package var kind: Kind?
  }

  /// The entries of a folder, as ``names(in:)`` lists them.
  package static func entries(in folder: PosixPath) -> [Entry]? {
    if let names = MountedFiles.names(in: folder) { return names.map { Entry(name: $0, kind: nil) } }
    var entries: [Entry] = []
    let status = folder.withCString { path in
      let descriptor = openFolder(path)
      guard descriptor >= 0 else { return -1 }
      guard let directory = fdopendir(descriptor) else {
        close(descriptor)
        return -1
      }
      defer { closedir(directory) }
      while true {
        errno = 0
        // An incomplete listing counts as unknown.
        guard let entry = readdir(directory) else { return errno == 0 ? 0 : -1 }
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          Array(bytes.prefix(bytes.baseAddress.map { strnlen($0, bytes.count) } ?? 0))
        }
        if name != [dot] && name != [dot, dot] {
          entries.append(Entry(name: name, kind: Kind(listed: entry.pointee.d_type)))
        }
      }
    }
    return status == 0 ? entries : nil
  }

  private static func openFolder(_ path: UnsafePointer<CChar>) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC
    if let withoutAccessTime = Platform.withoutAccessTime {
      let descriptor = open(path, flags | withoutAccessTime)
      // Only the owner may open without changing the access time.
      if descriptor >= 0 || errno != EPERM { return descriptor }
    }
    return open(path, flags)
  }

  /// Bytes of the regular files in a folder and the folders in it, links not followed, at most 32 levels deep.
  package static func size(ofFolder folder: PosixPath, level: Int = 0) -> Int64 {
    guard level < 32, let names = names(in: folder) else { return 0 }
    return names.reduce(0) { sum, name in
      let path = folder.appending(component: name)
      switch MountedFiles.target(of: path) {
      case .file(let file): return sum &+ (identity(of: file)?.size ?? 0)
      case .unreadable: return sum
      case .folder: return sum &+ size(ofFolder: path, level: level + 1)
      case nil: break
      }
      var status = stat()
      guard path.withCString({ lstat($0, &status) }) == 0 else { return sum }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return sum &+ Int64(status.st_size)
      case S_IFDIR: return sum &+ size(ofFolder: path, level: level + 1)
      default: return sum
      }
    }
  }
}

private let dot = UInt8(ascii: ".")

extension FileSystem.Kind {
  /// The kind that `d_type` of a listing stands for, whose numbers are the same on Linux and macOS; nil for unknown.
  fileprivate init?(listed type: UInt8) {
    switch type {
    case 0: return nil
    case 4: self = .folder
    case 8: self = .file
    case 10: self = .link
    default: self = .other
    }
  }
}
