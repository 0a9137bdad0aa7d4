import StorePlatform

/// Why a file could not be read.
public struct FileError: Error, Equatable, CustomStringConvertible, Sendable {
  /// The path as it was given; bytes that are not UTF-8 are shown repaired.
  public var path: String
  /// The kind of error.
  public var kind: Kind

  /// The reasons why a file cannot be read.
  public enum Kind: Equatable, Sendable {
    /// There is no such file.
    case missing
    /// The operating system denies this user access.
    case notPermitted
    /// It is a "directory", "FIFO", "socket", "character device", "block device" or "special file".
    case notRegularFile(kind: String)
    /// It ends before the bytes that were needed.
    case tooShort
    /// It changed while it was being read.
    case changed
    /// It lies in an archive, and its bytes are not to be had, or not to be trusted; part of a sentence says why.
    case notToBeHad(reason: String)
    /// Any other failure, with the system's error number.
    case io(errno: Int32)
  }

  /// Makes an error about the file at `path`.
  package init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// One line: which file, and why.
  public var description: String { "cannot read '\(path)': \(reason)" }

  /// The reason without the path.
  package var reason: String {
    kind == .notPermitted ? kind.reason + Platform.advice(onRefusalOf: path) : kind.reason
  }
}

extension FileError.Kind {
  /// The reason behind a system call's error number.
  package init(errno code: Int32) {
    switch code {
    case ENOENT, ENOTDIR: self = .missing
    case EACCES, EPERM: self = .notPermitted
    default: self = .io(errno: code)
    }
  }

  fileprivate var reason: String {
    switch self {
    case .missing: "no such file"
    case .notPermitted: "permission denied"
    case .notRegularFile(let kind): "not a regular file but a \(kind)"
    case .tooShort: "the file is too short"
    case .changed: "changed while reading; copy it first"
    case .notToBeHad(let reason): reason
    case .io(let code): Platform.absence(code) ?? strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
  }
}
