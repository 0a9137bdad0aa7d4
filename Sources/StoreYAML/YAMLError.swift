/// Why bytes are not valid YAML, or not the YAML that is expected, and in which line.
public struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// From 1 on; nil for the file as a whole.
  public var line: Int?
  /// What was found; lower case, no full stop.
  public var message: String

  /// An error at a line.
  public init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  /// Line and message in one sentence.
  public var description: String { line.map { "line \($0): \(message)" } ?? message }
}
