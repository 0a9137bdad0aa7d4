/// A JSON value. Equal values have identical text: keys are sorted by code units, and only what JSON demands is
/// escaped, and control and bidirectional characters, so that they cannot act on a terminal.
package indirect enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with a fraction or beyond `Int64`; JSON has no other numbers than finite ones.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// An object without the members that are nil.
  package static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(Dictionary(members.compactMap { key, value in value.map { (key, $0) } }) { _, last in last })
  }
}

extension JSONValue {
  /// A member that is left out when nil.
  package static func optional(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
  /// A member that is left out when nil.
  package static func optional(_ number: Int64?) -> JSONValue? { number.map(JSONValue.integer) }
  /// A member that is left out when nil.
  package static func optional(_ flag: Bool?) -> JSONValue? { flag.map(JSONValue.bool) }
  /// A list of texts.
  package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
  /// A list that is left out when empty.
  package static func nonEmpty(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : strings(texts) }
  /// A flag that is left out when false.
  package static func whenTrue(_ flag: Bool) -> JSONValue? { flag ? .bool(true) : nil }
}
