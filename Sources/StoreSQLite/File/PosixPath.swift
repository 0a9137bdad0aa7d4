#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A path as the operating system sees it: any bytes but NUL, not necessarily UTF-8.
///
/// File systems outside Apple's hold names in any encoding, and a name repaired to UTF-8 names another file.
public struct PosixPath: Hashable, Sendable, CustomStringConvertible {
  /// The bytes of the path, without a terminating NUL.
  public let bytes: [UInt8]

  /// A path of these bytes. One that is empty or holds a NUL names no file.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A path of a string's UTF-8.
  public init(_ string: String) {
    self.init(bytes: Array(string.utf8))
  }

  /// The path as text, repaired where it is not UTF-8.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the path is text; if not, `description` names another file.
  public var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The last part of the path, after the last slash.
  package var name: [UInt8] {
    Array(bytes.dropFirst(folderLength))
  }

  /// How many bytes lead to the name, the last slash included.
  private var folderLength: Int {
    bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0
  }

  /// The same path with `suffix` after its last byte: `Notes.sqlite` and `-wal`.
  package func appending(_ suffix: String) -> PosixPath {
    PosixPath(bytes: bytes + Array(suffix.utf8))
  }

  /// What is called `name` in the folder that this path is.
  package func appending(component name: [UInt8]) -> PosixPath {
    PosixPath(bytes: bytes + (bytes.last == slash ? [] : [slash]) + name)
  }

  /// Another file of the same folder.
  package func sibling(named name: [UInt8]) -> PosixPath {
    PosixPath(bytes: Array(bytes.prefix(folderLength)) + name)
  }

  /// Calls `body` with the path as a C string; a path that cannot be one is `ENOENT`.
  package func withCString(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    guard !bytes.isEmpty, !bytes.contains(0) else {
      errno = ENOENT
      return -1
    }
    // On the stack, unless it is very long: a store is looked at by path some twenty times.
    return withUnsafeTemporaryAllocation(byteCount: bytes.count + 1, alignment: 1) { terminated in
      terminated.copyBytes(from: bytes)
      terminated[bytes.count] = 0
      return terminated.withMemoryRebound(to: CChar.self) { UnsafePointer($0.baseAddress).map(body) ?? -1 }
    }
  }

  /// Whether the last part of the path is a symbolic link.
  var isLink: Bool {
    var status = stat()
    return withCString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path with every link followed.
  package func resolved() throws(FileError) -> PosixPath {
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
