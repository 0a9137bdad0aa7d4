/// Why bytes are not valid YAML, or not the YAML that is expected, and in which line.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// From 1 on; nil for the file as a whole.
  package var line: Int?
  /// The problem; lower case, no full stop.
  package var message: String

  /// An error at a line.
  package init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  /// Line and message in one sentence.
  package var description: String { line.map { "line \($0): \(message)" } ?? message }
}
