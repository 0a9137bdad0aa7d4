import StoreSQLite

/// A step of an expression whose types are known: what is left to do for each row.
///
/// A date is a `.real` of seconds since 2001, a truth value an `.integer` of 0 or 1, a UUID a `.blob` of 16 bytes.
indirect enum ExpressionStep: Sendable {
  case constant(SQLiteValue)
  /// The value of a path, which has to be of its type.
  case input(Int, ExpressionType)
  /// An integer where the others are no integers.
  case real(ExpressionStep)
  case negate(ExpressionStep)
  case not(ExpressionStep)
  case arithmetic(ExpressionSyntax.Arithmetic, ExpressionStep, ExpressionStep)
  case concatenate(ExpressionStep, ExpressionStep)
  case compare(ExpressionSyntax.Comparison, ExpressionStep, ExpressionStep)
  case isNull(ExpressionStep, negated: Bool)
  case all(ExpressionStep, ExpressionStep)
  case any(ExpressionStep, ExpressionStep)
  case choose([(condition: ExpressionStep, result: ExpressionStep)], otherwise: ExpressionStep?)
  case coalesce([ExpressionStep])
  case call(ExpressionCall, [ExpressionStep])
  /// A UUID of the row's own, by its number among those of the expression.
  case madeUUID(Int)
  case now
}

/// A function with the types it is called with; each gives NULL where a value is NULL.
enum ExpressionCall: Sendable {
  /// Whole seconds since 1970.
  case unix
  /// A number that is `value × factor + offset` of another: days and seconds since one day or another.
  case linear(factor: Double, offset: Double)
  case numberOfText, integerOfText, integerOfReal
  case absolute, round
  case textOfNumber, textOfBoolean, textOfDate, textOfUUID
  case lower, upper, trim, length, substring, replace
  case uuidOfText
}

/// Why an expression has no value for a row; says nothing of what is in it.
public struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Lower case, no full stop.
  public var description: String

  /// An error in these words.
  public init(_ description: String) { self.description = description }
}

/// An expression whose attributes are known: computes a value for each row.
public struct CheckedExpression: Sendable {
  /// What it gives.
  public let type: ExpressionType
  /// The paths whose values it is given, each once.
  public let paths: [String]
  let root: ExpressionStep

  /// The value for a row.
  ///
  /// A date is seconds since 2001, a truth value 0 or 1, a UUID 16 bytes; `AttributeType.storedValue(_:)` makes of it
  /// what a column holds.
  ///
  /// - Parameters:
  ///   - inputs: the row's values of ``paths``, in that order, as they are stored.
  ///   - row: the row's key, for UUIDs that are made.
  ///   - place: what the value is for, "Item.uuid".
  ///   - made: what is made up.
  /// - Throws: `EvaluationError`: division by zero, a result beyond 64 bits, a value of another kind than its attribute's.
  public func value(
    of inputs: [SQLiteValue], row: Int64, in place: String, made: SeededValues
  ) throws(EvaluationError) -> SQLiteValue {
    try Evaluation(inputs: inputs, paths: paths, row: row, place: place, made: made).value(of: root)
  }
}
