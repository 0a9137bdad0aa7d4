import StoreSQLite

/// The evaluation of an expression for one row.
struct Evaluation {
  let inputs: [SQLiteValue]
  let paths: [String]
  let row: Int64
  let place: String
  let made: SeededValues

  /// The longest text that an expression may build, in bytes.
  static let maximumText = 1 << 24

  func value(of step: ExpressionStep) throws(EvaluationError) -> SQLiteValue {
    switch step {
    case .constant(let value): return value
    case .input(let index, let type): return try input(index, type: type)
    case .real(let operand):
      if case .integer(let number) = try value(of: operand) { return .real(Double(number)) }
      return .null
    case .negate(let operand): return try negated(try value(of: operand))
    case .arithmetic(let arithmetic, left: let left, right: let right):
      return try computed(arithmetic, left: try value(of: left), right: try value(of: right))
    case .concatenate(let left, let right):
      guard case .text(let first) = try value(of: left), case .text(let second) = try value(of: right) else {
        return .null
      }
      try Self.checkLength(first.count + second.count)
      return .text(first + second)
    case .compare(let comparison, left: let left, right: let right):
      return .truth(try value(of: left).order(to: try value(of: right)).map(comparison.holds))
    case .isNull(let operand, let isNegated): return .truth(try value(of: operand).isNull != isNegated)
    case .not, .all, .any: return .truth(try truth(of: step))
    case .choose(let choices, let otherwise):
      for choice in choices where try truth(of: choice.condition) == true { return try value(of: choice.result) }
      return try otherwise.map { step throws(EvaluationError) in try value(of: step) } ?? .null
    case .coalesce(let steps):
      for step in steps {
        let value = try value(of: step)
        if !value.isNull { return value }
      }
      return .null
    case .call(let call, let steps): return try called(call, steps: steps)
    case .madeUUID(let number):
      return .blob(made.uuid(for: row, of: number == 0 ? place : "\(place)#\(number)"))
    case .now: return .real(made.now)
    }
  }

  /// Three-valued logic as in SQL: "null and false" is false, "null or true" is true.
  private func truth(of step: ExpressionStep) throws(EvaluationError) -> Bool? {
    switch step {
    case .not(let operand): return try truth(of: operand).map { !$0 }
    case .all(let left, let right):
      let first = try truth(of: left)
      if first == false { return false }
      let second = try truth(of: right)
      if second == false { return false }
      if first == nil || second == nil { return nil }
      return true
    case .any(let left, let right):
      let first = try truth(of: left)
      if first == true { return true }
      let second = try truth(of: right)
      if second == true { return true }
      if first == nil || second == nil { return nil }
      return false
    case _:
      guard case .integer(let number) = try value(of: step) else { return nil }
      return number != 0
    }
  }

  // MARK: Inputs

  private func input(_ index: Int, type: ExpressionType) throws(EvaluationError) -> SQLiteValue {
    guard index < inputs.count else { return .null }
    let value = inputs[index]
    switch (type, value) {
    case (_, .null), (.integer, .integer), (.boolean, .integer(0...1)), (.text, .text), (.bytes, .blob): return value
    case (.real, .real(let number)), (.date, .real(let number)): if number.isFinite { return value }
    // Columns for numbers and dates store whole numbers as integers.
    case (.real, .integer(let number)), (.date, .integer(let number)): return .real(Double(number))
    case (.uuid, .blob(let bytes)): if bytes.count == 16 { return value }
    case (_, _): break
    }
    throw EvaluationError("'\(paths[index])' holds something else than \(type.words)")
  }

  // MARK: Numbers

  private func negated(_ value: SQLiteValue) throws(EvaluationError) -> SQLiteValue {
    switch value {
    case .integer(let number): try Self.whole(Int64(0).subtractingReportingOverflow(number))
    case .real(let number): .real(-number)
    case .null, .text, .blob: .null
    }
  }

  private func computed(
    _ arithmetic: ExpressionSyntax.Arithmetic, left: SQLiteValue, right: SQLiteValue
  ) throws(EvaluationError) -> SQLiteValue {
    switch (left, right) {
    case (.integer(let first), .integer(let second)):
      switch arithmetic {
      case .add: return try Self.whole(first.addingReportingOverflow(second))
      case .subtract: return try Self.whole(first.subtractingReportingOverflow(second))
      case .multiply: return try Self.whole(first.multipliedReportingOverflow(by: second))
      case .divide, .remainder:
        guard second != 0 else { throw EvaluationError("a division by zero") }
        // The only remainder that overflows is that of the least integer by -1; it is 0.
        if arithmetic == .remainder { return .integer(second == -1 ? 0 : first % second) }
        return try Self.whole(first.dividedReportingOverflow(by: second))
      }
    case (.real(let first), .real(let second)):
      switch arithmetic {
      case .add: return try Self.finite(first + second)
      case .subtract: return try Self.finite(first - second)
      case .multiply: return try Self.finite(first * second)
      case .divide, .remainder:
        guard second != 0 else { throw EvaluationError("a division by zero") }
        return try Self.finite(arithmetic == .divide ? first / second : first.truncatingRemainder(dividingBy: second))
      }
    case (_, _): return .null
    }
  }

  private static func whole(_ result: (partialValue: Int64, overflow: Bool)) throws(EvaluationError) -> SQLiteValue {
    guard !result.overflow else { throw EvaluationError("a result beyond 64-bit integers") }
    return .integer(result.partialValue)
  }

  static func finite(_ number: Double) throws(EvaluationError) -> SQLiteValue {
    guard number.isFinite else { throw EvaluationError("a result beyond what a number can hold") }
    return .real(number)
  }

  static func checkLength(_ bytes: Int) throws(EvaluationError) {
    guard bytes <= maximumText else { throw EvaluationError("a text of more than \(maximumText) bytes") }
  }
}

extension SQLiteValue {
  /// 1, 0 or NULL.
  fileprivate static func truth(_ flag: Bool?) -> SQLiteValue { flag.map { .integer($0 ? 1 : 0) } ?? .null }

  /// -1, 0 or 1 for two values of one type; nil where one is NULL. Texts compare by their bytes, as in SQLite's BINARY.
  fileprivate func order(to other: SQLiteValue) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): Self.order(left, right)
    case (.real(let left), .real(let right)): Self.order(left, right)
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): -Self.order(right, left)
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    case (_, _): nil
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    if left < right { return -1 }
    return left == right ? 0 : 1
  }

  /// Exact, also for integers that a double cannot represent.
  private static func order(_ whole: Int64, _ number: Double) -> Int {
    guard let cut = Int64(exactly: number.rounded(.towardZero)) else { return number > 0 ? -1 : 1 }
    if whole != cut { return whole < cut ? -1 : 1 }
    let fraction = number - Double(cut)
    if fraction > 0 { return -1 }
    if fraction < 0 { return 1 }
    return 0
  }
}
