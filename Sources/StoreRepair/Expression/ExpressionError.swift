/// Why a text is no expression, or one that does not fit its attributes, and where.
public struct ExpressionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The character it is about, from 1 on; nil where it is about the whole.
  public var column: Int?
  /// What stands there, and what is expected; lower case, no full stop.
  public var message: String

  /// An error at a character.
  public init(column: Int?, _ message: String) {
    self.column = column
    self.message = message
  }

  /// Place and message in one sentence.
  public var description: String { (column.map { "column \($0) of the expression: " } ?? "") + message }
}
