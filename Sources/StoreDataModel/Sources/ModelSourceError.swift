#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why no model could be read from a path.
public struct ModelSourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or folder at fault, as far as it is known; inside a bundle the path of the part.
  public var path: String
  /// What kind of reason it is.
  public var kind: Kind
  /// What was found, with the place in the model or file if there is one; lower case, no full stop.
  public var message: String

  /// Reasons that callers treat apart.
  public enum Kind: Sendable, Equatable {
    /// Nothing has this name, or no version in the bundle.
    case missing
    /// The operating system does not let us.
    case system
    /// A SQLite database: perhaps a store, whose model cache is a model too.
    case database
    /// Something that is known not to be a model that can be read, such as an `.omo` file.
    case unsupported
    /// Swift source, which a program of its own reads.
    case swiftSource
    /// A compiled mapping model, which ``MappingModel`` reads.
    case mappingModel
    /// A model that is damaged or contradicts itself.
    case damaged
    /// Beyond the limits, a link that leads out of its bundle, a device.
    case refused
  }

  /// An error about a path.
  public init(_ path: String, _ kind: Kind, _ message: String) {
    self.path = path
    self.kind = kind
    self.message = message
  }

  /// One line: which file, and why.
  public var description: String { "cannot read '\(path)': \(message)" }

  /// A version was asked for that is not in the bundle.
  static func noVersion(_ name: String, in all: [String], of path: String) -> Self {
    let some = all.prefix(20).map { "'\($0)'" } + (all.count > 20 ? ["\(all.count - 20) more"] : [])
    return Self(path, .missing, "no version '\(name)'; there is \(some.joined(separator: ", "))")
  }

  /// A database where a model is expected.
  static func database(_ path: String) -> Self { Self(path, .database, "a SQLite database, not a model file") }

  /// What a failed system call said.
  static func system(_ code: Int32, _ path: String) -> Self {
    switch code {
    case ENOENT, ENOTDIR: Self(path, .missing, "no such file")
    case EACCES, EPERM: Self(path, .system, "permission denied")
    default: Self(path, .system, strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
  }
}
