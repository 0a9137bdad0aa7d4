import StorePlatform

/// Why source could not be read.
package struct SourceFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path, as it was given or found.
  package var path: String
  /// The problem; lower case, no full stop.
  package var reason: String

  /// An error.
  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  static func system(_ code: Int32, at path: String) -> Self { Self(path, String(cString: strerror(code))) }

  /// Path and reason in one line.
  package var description: String { "cannot read '\(path)': \(reason)" }
}
