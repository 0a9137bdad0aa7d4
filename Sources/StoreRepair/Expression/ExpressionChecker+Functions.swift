import StoreSQLite
import StoreText

extension ExpressionChecker {
  /// Checks a function call.
  ///
  /// | | takes | gives |
  /// |---|---|---|
  /// | `unix(d)` | a date | whole seconds since 1970, an integer |
  /// | `reference(d)`, `julian(d)` | a date | seconds since 2001, Julian days |
  /// | `date(n, 'unix')` | a number since 1970, or `'reference'` (2001, the default), or `'julian'` days | a date |
  /// | `number(x)`, `integer(x)` | a text, a number, a truth value | a number, null where the text is none |
  /// | `round(n, digits)`, `abs(n)` | a number | a number |
  /// | `text(x)` | anything but bytes | a text; dates in ISO 8601, UTC |
  /// | `lower`, `upper`, `trim`, `length`, `substring(t, start, count)`, `replace(t, old, new)` | texts | a text, a count |
  /// | `before(t, mark)`, `after(t, mark)` | texts | what stands before or after the first mark, null where there is none |
  /// | `uuid()`, `uuid(t)` | nothing, a text | a new UUID; that of the text, null where it is none |
  /// | `now()` | nothing | the time of planning |
  /// | `coalesce(x, …)` | any of one type | the first that is not null |
  mutating func call(
    _ function: ExpressionFunction, arguments: [ExpressionSyntax], at syntax: ExpressionSyntax
  ) throws(ExpressionError) -> Checked {
    switch function {
    case .now: return (.date, .now)
    case .coalesce:
      let (type, steps) = try alternatives(arguments)
      return (type, .coalesce(steps))
    case .uuid:
      guard let text = arguments.first else { return (.uuid, .madeUUID(nextUUID())) }
      return (.uuid, .call(.uuidOfText, [try expect(.text, of: text).step]))
    case .unix: return (.integer, .call(.unix, [try expect(.date, of: arguments[0]).step]))
    case .reference: return (.real, try expect(.date, of: arguments[0]).step)
    case .julian:
      let call = ExpressionCall.linear(factor: 1 / 86400, offset: GregorianCalendar.julianDay2001)
      return (.real, .call(call, [try expect(.date, of: arguments[0]).step]))
    case .date: return try date(arguments)
    case .number, .integer, .text, .abs, .round: return try convert(function, arguments: arguments)
    case .lower: return (.text, .call(.lower, [try expect(.text, of: arguments[0]).step]))
    case .upper: return (.text, .call(.upper, [try expect(.text, of: arguments[0]).step]))
    case .trim: return (.text, .call(.trim, [try expect(.text, of: arguments[0]).step]))
    case .length: return (.integer, .call(.length, [try expect(.text, of: arguments[0]).step]))
    case .replace: return (.text, .call(.replace, try steps(arguments, types: [.text, .text, .text])))
    case .before: return (.text, .call(.before, try steps(arguments, types: [.text, .text])))
    case .after: return (.text, .call(.after, try steps(arguments, types: [.text, .text])))
    case .substring: return (.text, .call(.substring, try steps(arguments, types: [.text, .integer, .integer])))
    }
  }

  private mutating func steps(
    _ arguments: [ExpressionSyntax], types: [ExpressionType]
  ) throws(ExpressionError) -> [ExpressionStep] {
    var steps: [ExpressionStep] = []
    for (argument, type) in zip(arguments, types) { steps.append(try expect(type, of: argument).step) }
    return steps
  }

  // MARK: Dates

  private mutating func date(_ arguments: [ExpressionSyntax]) throws(ExpressionError) -> Checked {
    let number = try check(arguments[0])
    guard number.type.isNumber || number.type == .null else {
      throw mistaken(expected: "a number", found: number, at: arguments[0])
    }
    let step = number.type == .integer ? ExpressionStep.real(number.step) : number.step
    guard arguments.count > 1 else { return (.date, step) }
    switch arguments[1].kind {
    case .text("reference"): return (.date, step)
    case .text("unix"): return (.date, .call(.linear(factor: 1, offset: -Double(secondsFrom1970To2001)), [step]))
    case .text("julian"):
      // Days are subtracted before they become seconds, which would lose digits of a Julian date.
      let days = ExpressionStep.call(.linear(factor: 1, offset: -GregorianCalendar.julianDay2001), [step])
      return (.date, .call(.linear(factor: 86400, offset: 0), [days]))
    case _:
      throw ExpressionError(
        column: arguments[1].column, "'unix', 'reference' or 'julian' is expected: what the number counts")
    }
  }

  // MARK: Conversions

  private mutating func convert(
    _ function: ExpressionFunction, arguments: [ExpressionSyntax]
  ) throws(ExpressionError) -> Checked {
    let value = try check(arguments[0])
    switch (function, value.type) {
    case (.number, .null), (.round, .null): return (.real, .constant(.null))
    case (.integer, .null), (.abs, .null): return (.integer, .constant(.null))
    case (.text, .null): return (.text, .constant(.null))
    case (.number, .text): return (.real, .call(.numberOfText, [value.step]))
    case (.number, .integer), (.number, .boolean): return (.real, .real(value.step))
    case (.number, .real): return value
    case (.integer, .text): return (.integer, .call(.integerOfText, [value.step]))
    case (.integer, .real): return (.integer, .call(.integerOfReal, [value.step]))
    case (.integer, .integer), (.integer, .boolean): return (.integer, value.step)
    case (.text, .text): return value
    case (.text, .integer), (.text, .real): return (.text, .call(.textOfNumber, [value.step]))
    case (.text, .boolean): return (.text, .call(.textOfBoolean, [value.step]))
    case (.text, .date): return (.text, .call(.textOfDate, [value.step]))
    case (.text, .uuid): return (.text, .call(.textOfUUID, [value.step]))
    case (.abs, .integer), (.abs, .real): return (value.type, .call(.absolute, [value.step]))
    case (.round, .integer) where arguments.count == 1: return value
    case (.round, .integer), (.round, .real):
      var steps = [value.type == .integer ? .real(value.step) : value.step]
      if arguments.count > 1 { steps.append(try expect(.integer, of: arguments[1]).step) }
      return (.real, .call(.round, steps))
    case (.number, .date), (.integer, .date):
      throw ExpressionError(
        column: arguments[0].column, "unix(…), reference(…) or julian(…) is expected: what is counted of the date")
    case (.text, _): throw mistaken(expected: "anything but bytes", found: value, at: arguments[0])
    case (.abs, _), (.round, _): throw mistaken(expected: "a number", found: value, at: arguments[0])
    case (_, _): throw mistaken(expected: "a text, a number, true or false", found: value, at: arguments[0])
    }
  }
}
