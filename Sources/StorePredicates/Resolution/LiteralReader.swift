import StoreText
import StoreWords

/// Turns what is written into values of the kind that it is compared with.
struct LiteralReader {
  let source: PredicateSource

  /// - Parameter statement: what the other side is, for the error: "'count' is Integer 16".
  func value(
    _ literal: OperandSyntax, as kind: ValueKind, against statement: String
  ) throws(FetchPredicateError) -> PredicateValue {
    switch (literal.kind, kind) {
    case (.null, _): return .null
    case (.number(let digits), .number(let isReal)): return number(digits, isReal: isReal)
    case (.number(let digits), .boolean):
      guard digits == "0" || digits == "1" else { break }
      return .boolean(digits == "1")
    case (.number(let digits), .object):
      guard let key = Int64(digits) else { break }
      return .object(key: key)
    case (.boolean(let value), .boolean), (.boolean(let value), .number): return .boolean(value)
    case (.text(let text), .text): return .text(text)
    case (.text(let text), .uri): return .uri(text)
    case (.text(let text), .date): return .date(try date(text, in: literal))
    case (.text(let text), .uuid):
      guard let bytes = UUIDText.bytes(text, mayLackHyphens: true) else { break }
      return .uuid(bytes)
    case (.date(let inner), .date): return .date(try castDate(inner))
    default: break
    }
    throw error("\(statement); \(expectation(of: kind))", at: literal.offset)
  }

  /// The kind a literal has by itself; nil for NULL and lists.
  func kind(of literal: OperandSyntax) -> ValueKind? {
    switch literal.kind {
    case .number(let digits): .number(isReal: Int64(digits) == nil)
    case .text: .text
    case .boolean: .boolean
    case .date: .date
    case .null, .list, .path: nil
    }
  }

  private func expectation(of kind: ValueKind) -> String {
    switch kind {
    case .number: "it is compared with a number, without quotes"
    case .boolean: "it is compared with TRUE or FALSE"
    case .text, .uri: "it is compared with a text, in quotes"
    case .date:
      "it is compared with a date in quotes, '2026-03-01' or '2026-03-01T12:30:00Z', or with CAST(seconds since 2001, 'NSDate')"
    case .uuid: "it is compared with a UUID in quotes, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"
    case .object: "it is compared with an object's key, a whole number"
    case .opaque: "it can only be compared with NULL"
    }
  }

  /// With a Double, the nearest Double; else exactly.
  private func number(_ digits: String, isReal: Bool) -> PredicateValue {
    if isReal, let value = Double(digits) { return .real(value) }
    if let value = Int64(digits) { return .integer(value) }
    return .decimal(digits)
  }

  private func castDate(_ inner: OperandSyntax) throws(FetchPredicateError) -> Double {
    switch inner.kind {
    case .number(let digits):
      guard let seconds = Double(digits) else { break }
      return seconds
    case .text(let text): return try date(text, in: inner)
    default: break
    }
    throw error("CAST takes a number of seconds since 2001 or a date as text", at: inner.offset)
  }

  private func date(_ text: String, in literal: OperandSyntax) throws(FetchPredicateError) -> Double {
    if let seconds = DateReading.seconds(text) { return seconds }
    throw error(
      "not a date: dates are written '2026-03-01' (midnight UTC), '2026-03-01T12:30:00.5Z' or '2026-03-01T12:30+02:00'",
      at: literal.offset)
  }

  private func error(_ message: String, at offset: Int) -> FetchPredicateError {
    FetchPredicateError(message, at: offset, in: source)
  }
}
