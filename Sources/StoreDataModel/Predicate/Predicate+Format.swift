import StoreText

/// The text of predicates and expressions in Apple's predicate format.
///
/// For key paths and `count:` it is proved that Core Data hashes this text; other forms follow the published predicate
/// syntax, and hashes that depend on them are marked unproven (`docs/format/version-hash.md`, "What is open").
extension Predicate: CustomStringConvertible {
  /// The predicate in Apple's format.
  package var description: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .text(let text): text
    case .other(let className): "<\(className)>"
    case .comparison(let comparison): comparison.description
    case .compound(.not, let parts): "NOT " + (parts.first.map(Self.parenthesized) ?? "")
    case .compound(.and, let parts): parts.map(Self.parenthesized).joined(separator: " AND ")
    case .compound(.or, let parts): parts.map(Self.parenthesized).joined(separator: " OR ")
    }
  }

  private static func parenthesized(_ predicate: Predicate) -> String {
    if case .compound = predicate { "(\(predicate))" } else { predicate.description }
  }
}

extension Predicate.Comparison: CustomStringConvertible {
  /// The comparison in Apple's format.
  package var description: String {
    let quantifier =
      switch modifier {
      case 1: "ALL "
      case 2: "ANY "
      default: ""
      }
    return "\(quantifier)\(left) \(`operator`.format)\(optionLetters) \(right)"
  }

  private var optionLetters: String {
    let letters = [(1, "c"), (2, "d"), (4, "n"), (8, "l")].filter { options & $0.0 != 0 }.map(\.1).joined()
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension Expression: CustomStringConvertible {
  /// The expression in Apple's format.
  package var description: String {
    switch self {
    case .evaluatedObject: "SELF"
    case .keyPath(let path): path
    case .path(.evaluatedObject, let path): path
    case .path(let base, let path): "\(base).\(path)"
    case .variable(let name): "$\(name)"
    case .constant(let constant): constant.description
    case .function(let selector, nil, let arguments):
      "\(selector)(\(arguments.map(\.description).joined(separator: ", ")))"
    case .function(let selector, let operand?, let arguments):
      "FUNCTION(\(([operand.description, "\"\(selector)\""] + arguments.map(\.description)).joined(separator: " , ")))"
    case .aggregate(let parts): "{\(parts.map(\.description).joined(separator: ", "))}"
    case .text(let text): text
    case .other(let className): "<\(className)>"
    }
  }
}

extension Expression.Constant: CustomStringConvertible {
  /// The constant in Apple's format.
  package var description: String {
    switch self {
    case .null: "nil"
    case .boolean(let value): value ? "1" : "0"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .string(let value): "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .list(let values): "{\(values.map(\.description).joined(separator: ", "))}"
    case .object(let className): "<\(className)>"
    }
  }
}
