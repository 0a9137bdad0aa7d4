/// Names as Swift's grammar takes them.
package enum SwiftName {
  /// Whether a text is an identifier: letters, digits and underscores, no digit first. Swift takes more, which nobody
  /// needs here.
  package static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_" else { return false }
    return isStart(first) && text.unicodeScalars.allSatisfy { isStart($0) || ("0"..."9").contains($0) }
  }

  private static func isStart(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }

  /// The name a stored property of a `@Model` class is refused. Others that SwiftData uses itself, such as `isDeleted`,
  /// were seen to work.
  static let refusedProperty = "description"

  /// An identifier in backticks where it is a keyword.
  package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// A type's name made from any text: "Notes 2" is `Notes2`, "1.0" is `Schema10`.
  package static func type(from text: String) -> String {
    let kept = String(text.unicodeScalars.filter { isStart($0) || ("0"..."9").contains($0) }.map(Character.init))
    let name = kept.first.map { $0.isNumber } ?? true ? "Schema" + kept : kept
    return escaped(name)
  }

  /// A type's name from a property's: `size` is `Size`.
  package static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// The reserved words of "The Swift Programming Language", Lexical Structure, with those that cannot name a member.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
    "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}
