import StorePlatform

/// A path as the operating system sees it: any bytes but NUL, not necessarily UTF-8.
///
/// Outside Apple's file systems names may have any encoding, and a name repaired to UTF-8 would be another file's.
public struct PosixPath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes of the path, without a terminating NUL.
  public let bytes: [UInt8]

  /// A path of these bytes. An empty one, or one with a NUL, leads to no file.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A path of a string's UTF-8.
  public init(_ string: String) {
    self.init(bytes: Array(string.utf8))
  }

  /// The path as text, with invalid UTF-8 repaired.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the path is valid UTF-8; otherwise `description` is another file's path.
  public var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The last component, after the last slash.
  package var name: [UInt8] {
    Array(bytes.dropFirst(folderLength))
  }

  /// The length of the folder's part, including the last slash, or the `!` behind the name of a place.
  private var folderLength: Int {
    max(bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0, MountedFiles.lengthOfPlace(in: bytes))
  }

  /// The path with `suffix` appended: `Notes.sqlite` and `-wal`.
  package func appending(_ suffix: String) -> PosixPath {
    PosixPath(bytes: bytes + Array(suffix.utf8))
  }

  /// The path with bytes appended.
  package func appending(bytes more: [UInt8]) -> PosixPath { PosixPath(bytes: bytes + more) }

  /// The path of `name` in this folder.
  package func appending(component name: [UInt8]) -> PosixPath {
    PosixPath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
  }

  /// The path of another file in the same folder.
  package func sibling(named name: [UInt8]) -> PosixPath {
    PosixPath(bytes: Array(bytes.prefix(folderLength)) + name)
  }

  /// Calls `body` with the path as a C string; -1 and `ENOENT` for a path that cannot be one.
  package func withCString(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    guard !bytes.isEmpty, !bytes.contains(0) else {
      errno = ENOENT
      return -1
    }
    // On the stack, unless very long: opening a store uses its path some twenty times.
    return withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { terminated in
      terminated.copyBytes(from: bytes)
      terminated[bytes.count] = 0
      return terminated.withMemoryRebound(to: CChar.self) { UnsafePointer($0.baseAddress).map(body) ?? -1 }
    }
  }

  /// Calls `body` with the path of the file that is read under this name, which may be mounted.
  func withCStringToRead(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    guard case .file(let path)? = MountedFiles.target(of: self) else { return withCString(body) }
    return path.withCString(body)
  }

  /// Whether the last component is a symbolic link.
  var isLink: Bool {
    guard MountedFiles.target(of: self) == nil else { return false }
    var status = stat()
    return withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path with all links resolved; a name that is mounted is its own.
  package func resolved() throws(FileError) -> PosixPath {
    if MountedFiles.target(of: self) != nil { return self }
    var result: [UInt8]?
    let status = withCString { path in
      guard let real = realpath(path, nil) else { return -1 }
      defer { free(real) }
      result = Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
      return 0
    }
    guard status == 0, let result else { throw FileError(path: description, kind: .init(errno: errno)) }
    return PosixPath(bytes: result)
  }
}

private let slash = UInt8(ascii: "/")
