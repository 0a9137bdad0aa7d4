import StoreSQLite

/// A step of a type-checked expression, evaluated for each row.
///
/// A date is a `.real` of seconds since 2001, a truth value an `.integer` of 0 or 1, a UUID a `.blob` of 16 bytes.
package indirect enum ExpressionStep: Sendable {
  case constant(SQLiteValue)
  /// The value of a path; a value of another type is an error.
  case input(Int, ExpressionType)
  /// An integer converted to a real, beside other reals.
  case real(ExpressionStep)
  case negate(ExpressionStep)
  case not(ExpressionStep)
  case arithmetic(ExpressionSyntax.Arithmetic, left: ExpressionStep, right: ExpressionStep)
  case concatenate(ExpressionStep, ExpressionStep)
  case compare(ExpressionSyntax.Comparison, left: ExpressionStep, right: ExpressionStep)
  case isNull(ExpressionStep, negated: Bool)
  case all(ExpressionStep, ExpressionStep)
  case any(ExpressionStep, ExpressionStep)
  case choose([(condition: ExpressionStep, result: ExpressionStep)], otherwise: ExpressionStep?)
  case coalesce([ExpressionStep])
  case call(ExpressionCall, [ExpressionStep])
  /// A UUID generated for the row, by its number among those of the expression.
  case madeUUID(Int)
  case now
}

/// A function, distinguished by the types of its arguments; NULL where an argument is NULL.
package enum ExpressionCall: Sendable {
  /// Whole seconds since 1970.
  case unix
  /// `value × factor + offset`: converts between days and seconds since different dates.
  case linear(factor: Double, offset: Double)
  case numberOfText, integerOfText, integerOfReal
  case absolute, round
  case textOfNumber, textOfBoolean, textOfDate, textOfUUID
  case lower, upper, trim, length, substring, replace, before, after
  case uuidOfText
}

/// Why an expression has no value for a row; contains nothing of the row's values.
package struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Lower case, no full stop.
  package var description: String

  /// An error with this message.
  package init(_ description: String) { self.description = description }
}

/// A type-checked expression, which computes a value for each row.
package struct CheckedExpression: Sendable {
  /// The type of its value.
  package let type: ExpressionType
  /// The paths whose values it needs, each once.
  package let paths: [String]
  /// The steps that compute it.
  package let root: ExpressionStep

  /// The value for a row.
  ///
  /// A date is seconds since 2001, a truth value 0 or 1, a UUID 16 bytes; `AttributeType.storedValue(_:)` converts them
  /// to what a column stores.
  ///
  /// - Parameters:
  ///   - inputs: the row's values of ``paths``, in that order, as stored.
  ///   - row: the row's key, for generated UUIDs.
  ///   - place: the attribute that the value is for, "Item.uuid".
  ///   - made: the seed and time for generated values.
  /// - Throws: `EvaluationError`: division by zero, a result beyond 64 bits, an input of another kind than its
  ///   attribute's.
  package func value(
    of inputs: [SQLiteValue], row: Int64, in place: String, made: SeededValues
  ) throws(EvaluationError) -> SQLiteValue {
    try Evaluation(inputs: inputs, paths: paths, row: row, place: place, made: made).value(of: root)
  }
}
