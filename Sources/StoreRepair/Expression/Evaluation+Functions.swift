import StoreScanning
import StoreSQLite
import StoreText

extension Evaluation {
  /// The value of a function call; NULL where an argument is NULL.
  func called(_ call: ExpressionCall, steps: [ExpressionStep]) throws(EvaluationError) -> SQLiteValue {
    guard let first = steps.first else { return .null }
    switch (call, try value(of: first)) {
    case (.unix, .real(let seconds)):
      guard let whole = Int64(exactly: (seconds + Double(secondsFrom1970To2001)).rounded(.down)) else {
        throw EvaluationError("a result beyond 64-bit integers")
      }
      return .integer(whole)
    case (.linear(let factor, let offset), .real(let number)): return try Self.finite(number * factor + offset)
    case (.numberOfText, .text(let bytes)): return DecimalText(bytes)?.double.map(SQLiteValue.real) ?? .null
    case (.integerOfText, .text(let bytes)): return DecimalText(bytes)?.integer.map(SQLiteValue.integer) ?? .null
    case (.integerOfReal, .real(let number)):
      guard let whole = Int64(exactly: number.rounded(.towardZero)) else {
        throw EvaluationError("a result beyond 64-bit integers")
      }
      return .integer(whole)
    case (.absolute, .integer(let number)):
      guard number != .min else { throw EvaluationError("a result beyond 64-bit integers") }
      return .integer(abs(number))
    case (.absolute, .real(let number)): return .real(abs(number))
    case (.round, .real(let number)): return try rounded(number, steps: steps)
    case (.textOfNumber, .integer(let number)): return .text(String(number))
    case (.textOfNumber, .real(let number)): return .text(String(number))
    case (.textOfBoolean, .integer(let number)): return .text(number == 0 ? "false" : "true")
    case (.textOfDate, .real(let seconds)):
      return DateText.text(secondsSince2001: seconds, fraction: .milliseconds).map { .text($0) } ?? .null
    case (.textOfUUID, .blob(let bytes)): return .text(UUIDText.text(bytes))
    case (.uuidOfText, .text(let bytes)):
      return String(validating: bytes, as: UTF8.self).flatMap { UUIDText.bytes($0) }.map { .blob($0) } ?? .null
    case (_, .text(let bytes)): return try called(call, text: Self.string(bytes), arguments: steps)
    case (_, _): return .null
    }
  }

  private func called(
    _ call: ExpressionCall, text: String, arguments steps: [ExpressionStep]
  ) throws(EvaluationError) -> SQLiteValue {
    switch call {
    case .lower: return .text(text.lowercased())
    case .upper: return .text(text.uppercased())
    case .trim: return .text(text.trimmed)
    case .length: return .integer(Int64(text.unicodeScalars.count))
    case .substring: return try substring(of: text, steps)
    case .replace:
      guard case .text(let old) = try value(of: steps[1]), case .text(let new) = try value(of: steps[2]) else {
        return .null
      }
      return .text(try Self.replaced(Array(text.utf8), old: old, new: new))
    case .before: return try parts(of: text, steps).map { .text(Array($0.before)) } ?? .null
    case .after: return try parts(of: text, steps).map { .text(Array($0.after)) } ?? .null
    case .unix, .linear, .numberOfText, .integerOfText, .integerOfReal, .absolute, .round, .textOfNumber,
      .textOfBoolean, .textOfDate, .textOfUUID, .uuidOfText:
      return .null
    }
  }

  private static func string(_ bytes: [UInt8]) throws(EvaluationError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw EvaluationError("a text that is not UTF-8") }
    return text
  }

  /// Halves are rounded away from 0, as by SQLite's round().
  private func rounded(_ number: Double, steps: [ExpressionStep]) throws(EvaluationError) -> SQLiteValue {
    guard steps.count > 1 else { return .real(number.rounded(.toNearestOrAwayFromZero)) }
    guard case .integer(let digits) = try value(of: steps[1]) else { return .null }
    var scale = 1.0
    for _ in 0..<min(max(digits, 0), 15) { scale *= 10 }
    let scaled = (number * scale).rounded(.toNearestOrAwayFromZero)
    // A number so large has no fraction to round.
    return .real(scaled.isFinite ? scaled / scale : number)
  }

  /// Counts characters (Unicode scalars, as SQLite does) from 1; positions before the first are ignored.
  private func substring(of text: String, _ steps: [ExpressionStep]) throws(EvaluationError) -> SQLiteValue {
    guard case .integer(let start) = try value(of: steps[1]) else { return .null }
    var end = Int64.max
    if steps.count > 2 {
      guard case .integer(let count) = try value(of: steps[2]) else { return .null }
      let sum = start.addingReportingOverflow(max(count, 0))
      end = sum.overflow ? .max : sum.partialValue
    }
    let scalars = text.unicodeScalars.dropFirst(Int(clamping: max(start, 1) - 1))
    return .text(String(String.UnicodeScalarView(scalars.prefix(Int(clamping: max(0, end - max(start, 1)))))))
  }

  /// The parts before and after the first mark; nil where there is none, or the mark is empty.
  private func parts(
    of text: String, _ steps: [ExpressionStep]
  ) throws(EvaluationError) -> (before: Substring.UTF8View, after: Substring.UTF8View)? {
    guard case .text(let mark) = try value(of: steps[1]), !mark.isEmpty, let place = text.utf8.firstRange(ofBytes: mark)
    else { return nil }
    return (text.utf8[..<place.lowerBound], text.utf8[place.upperBound...])
  }

  private static func replaced(_ text: [UInt8], old: [UInt8], new: [UInt8]) throws(EvaluationError) -> [UInt8] {
    guard let first = old.first else { return text }
    var result: [UInt8] = []
    var place = 0
    while place < text.count {
      if text[place] == first, text[place...].starts(with: old) {
        result += new
        place += old.count
      } else {
        result.append(text[place])
        place += 1
      }
      try checkLength(result.count)
    }
    return result
  }
}
