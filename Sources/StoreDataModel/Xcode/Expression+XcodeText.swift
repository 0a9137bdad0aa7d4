/// The expression that Core Data makes of the text of a `derivationExpression`, as far as it affects the hash.
///
/// | text | expression | hashed text |
/// | --- | --- | --- |
/// | `primaryLabel.code` | key path | `primaryLabel.code` (proved) |
/// | `pages.@count` | function `count:` | `count:(pages)` (proved) |
/// | `lines.price.@sum` | function `sum:`, by analogy | `sum:(lines.price)` |
/// | `canonical:(name)`, `now()` | function | the same |
/// | `SELF` | the object itself | the same |
/// | anything else | text | the text as it is written |
///
/// Parsing turns an aggregate at the end of a path into a function call, and the archive contains that call instead of
/// the text (`docs/format/version-hash.md`, "Derived attribute"). Unproven forms are listed by
/// `Model.unprovenRules(of:)`.
extension Expression {
  private static let aggregates = [
    "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
  ]

  /// The text from which ``init(xcodeText:)`` makes the same expression, if there is one.
  var xcodeText: String {
    guard case .function(let selector, nil, let arguments) = self, case .keyPath(let path)? = arguments.first,
      arguments.count == 1, let aggregate = Self.aggregates.first(where: { $0.value == selector })?.key
    else { return description }
    return "\(path).\(aggregate)"
  }

  init(xcodeText text: String) {
    let trimmed = text.trimmingSpaces
    if trimmed == "SELF" {
      self = .evaluatedObject
    } else if let call = Self.aggregate(trimmed) ?? Self.function(trimmed) {
      self = call
    } else {
      self = Self.isKeyPath(trimmed) ? .keyPath(trimmed) : .text(text)
    }
  }

  private static func aggregate(_ text: Substring) -> Expression? {
    guard let dot = text.lastIndex(of: "."), let selector = aggregates[String(text[text.index(after: dot)...])] else {
      return nil
    }
    let path = text[..<dot]
    return isKeyPath(path) ? .function(selector, operand: nil, [.keyPath(String(path))]) : nil
  }

  /// `name:(path)` or `name()`, if writing it again gives the same text.
  private static func function(_ text: Substring) -> Expression? {
    guard let open = text.firstIndex(of: "("), text.last == ")" else { return nil }
    let selector = text[..<open]
    let name = selector.last == ":" ? selector.dropLast() : selector
    let argument = text[text.index(after: open)...].dropLast()
    guard isIdentifier(name) else { return nil }
    if argument.isEmpty { return .function(String(selector), operand: nil, []) }
    return isKeyPath(argument) ? .function(String(selector), operand: nil, [.keyPath(String(argument))]) : nil
  }

  /// Names joined by full stops, except words of the predicate language.
  private static func isKeyPath(_ text: Substring) -> Bool {
    let words: Set = ["self", "nil", "null", "true", "false", "yes", "no", "truepredicate", "falsepredicate"]
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isIdentifier)
      && !words.contains(text.lowercased())
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }
  }
}

extension Expression {
  fileprivate static func keyPath(_ path: Substring) -> Expression { .keyPath(String(path)) }
}

extension String {
  fileprivate var trimmingSpaces: Substring {
    let rest = self[...].drop(while: \.isWhitespace)
    return rest.lastIndex { !$0.isWhitespace }.map { rest[...$0] } ?? ""
  }
}
