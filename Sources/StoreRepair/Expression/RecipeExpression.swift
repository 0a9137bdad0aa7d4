/// A value computed from a row, in a small language of its own (`ExpressionParser`): no statement of SQL can be said in it.
public struct RecipeExpression: Sendable, Equatable, CustomStringConvertible {
  /// As it was written.
  public let source: String
  /// The attributes it reads, by their paths ("name", "folder.name", "size.width"), each once, in order of appearance.
  public let paths: [String]
  let root: ExpressionSyntax

  /// Reads an expression.
  ///
  /// - Throws: `ExpressionError` with the column, and what is expected there.
  public init(_ source: String) throws(ExpressionError) {
    (root, paths) = try ExpressionParser.parse(source)
    self.source = source
  }

  /// As it was written.
  public var description: String { source }

  /// Two expressions are equal when they are written alike.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// The expression with the types of its attributes.
  ///
  /// - Parameter type: the type of a path; throws where there is no such attribute, or none that can be read.
  /// - Throws: `ExpressionError` with the column, where values meet that cannot be computed with one another.
  public func checked(
    _ type: (String) throws(ExpressionError) -> ExpressionType
  ) throws(ExpressionError) -> CheckedExpression {
    var types: [Result<ExpressionType, ExpressionError>] = []
    for path in paths {
      do throws(ExpressionError) { types.append(.success(try type(path))) } catch { types.append(.failure(error)) }
    }
    var checker = ExpressionChecker(types: types)
    let checked = try checker.check(root)
    return CheckedExpression(type: checked.type, paths: paths, root: checked.step)
  }
}
