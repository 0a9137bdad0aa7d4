/// A value computed from a row.
public struct RecipeExpression: Sendable, Equatable, CustomStringConvertible {
  /// As it was written.
  public let source: String

  /// An expression.
  public init(_ source: String) throws(ExpressionError) { self.source = source }

  /// As it was written.
  public var description: String { source }
}
