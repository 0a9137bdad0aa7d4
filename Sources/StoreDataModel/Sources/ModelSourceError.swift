import StorePlatform

/// Why no model could be read from a path.
public struct ModelSourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or folder concerned; inside a bundle, the path of the part if it is known.
  public var path: String
  /// The kind of reason.
  public var kind: Kind
  /// The problem, with the place in the model or file if there is one; lower case, no full stop.
  public var message: String

  /// Kinds of reasons that callers distinguish.
  public enum Kind: Sendable, Equatable {
    /// There is nothing of this name, or no such version in the bundle.
    case missing
    /// The operating system refused.
    case system
    /// A SQLite database: perhaps a store, which may contain a model.
    case database
    /// Something known not to be a readable model, such as an `.omo` file.
    case unsupported
    /// Swift source, which a separate program parses.
    case swiftSource
    /// A compiled mapping model, which ``MappingModel`` reads.
    case mappingModel
    /// A model that is damaged or contradicts itself.
    case damaged
    /// Beyond a limit, a link out of its bundle, or a device.
    case refused
  }

  /// An error about a path.
  public init(_ path: String, _ kind: Kind, message: String) {
    self.path = path
    self.kind = kind
    self.message = message
  }

  /// File and reason in one line.
  public var description: String { "cannot read '\(path)': \(message)" }

  /// The bundle does not have the requested version.
  static func noVersion(_ name: String, in all: [String], of path: String) -> Self {
    let some = all.prefix(20).map { "'\($0)'" } + (all.count > 20 ? ["\(all.count - 20) more"] : [])
    return Self(path, .missing, message: "no version '\(name)'; there is \(some.joined(separator: ", "))")
  }

  /// A database was found where a model is expected.
  static func database(_ path: String) -> Self { Self(path, .database, message: "a SQLite database, not a model file") }

  /// A failed system call.
  static func system(_ code: Int32, at path: String) -> Self {
    switch code {
    case ENOENT, ENOTDIR: Self(path, .missing, message: "no such file")
    case EACCES, EPERM: Self(path, .system, message: "permission denied" + Platform.advice(onRefusalOf: path))
    default:
      Self(
        path, .system,
        message: Platform.absence(code) ?? strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
  }
}
