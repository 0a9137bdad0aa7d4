/// Why a text is not an expression, or does not fit its attributes' types, and where.
package struct ExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The character's position, from 1 on; nil where the error is about the whole.
  package var column: Int?
  /// The text found and the text expected; lower case, no full stop.
  package var message: String

  /// An error at a character.
  package init(column: Int?, _ message: String) {
    self.column = column
    self.message = message
  }

  /// Position and message in one sentence.
  package var description: String { (column.map { "column \($0) of the expression: " } ?? "") + message }
}
