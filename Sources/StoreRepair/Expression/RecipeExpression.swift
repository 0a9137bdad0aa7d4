/// A value computed from a row, in a small language of its own (`ExpressionParser`) that cannot express SQL statements.
package struct RecipeExpression: Sendable, Equatable, CustomStringConvertible {
  /// The source text.
  package let source: String
  /// The attributes it reads, by their paths ("name", "folder.name", "size.width"), each once, in order of appearance.
  package let paths: [String]
  let root: ExpressionSyntax

  /// Parses an expression.
  ///
  /// - Throws: `ExpressionError` with the column, and what is expected there.
  package init(_ source: String) throws(ExpressionError) {
    (root, paths) = try ExpressionParser.parse(source)
    self.source = source
  }

  /// The source text.
  package var description: String { source }

  /// Expressions are equal when their source text is.
  package static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// The expression checked against the types of its attributes.
  ///
  /// - Parameter type: gives the type of a path; throws where there is no such attribute, or it cannot be read.
  /// - Throws: `ExpressionError` with the column, for types that do not go together.
  package func checked(
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
