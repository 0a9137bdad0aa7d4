/// Why bytes could not be read, and where.
package struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text found and the text expected: lower case, no full stop.
  package var message: String

  /// Where in the input, in bytes from its start.
  package var offset: Int

  /// Makes an error about the byte at `offset`.
  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  /// The message and the place in one line.
  package var description: String { "\(message) (at byte \(offset))" }
}
