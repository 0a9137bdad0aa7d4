/// Names in Swift's grammar.
package enum SwiftName {
  /// Whether a text is an identifier of letters, digits and underscores that does not begin with a digit. Swift allows
  /// more, which is not needed here.
  package static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, text != "_" else { return false }
    return isStart(first) && text.unicodeScalars.allSatisfy { isStart($0) || ("0"..."9").contains($0) }
  }

  private static func isStart(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }

  /// The name that SwiftData does not allow for a property of a `@Model` class. Others it uses itself, such as
  /// `isDeleted`, do work.
  static let refusedProperty = "description"

  /// The identifier, in backticks if it is a keyword.
  package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// The name of a type, made from any text: `Notes2` from "Notes 2", `Schema10` from "1.0".
  package static func type(from text: String) -> String {
    let kept = String(text.unicodeScalars.filter { isStart($0) || ("0"..."9").contains($0) }.map(Character.init))
    let name = kept.first.map { $0.isNumber } ?? true ? "Schema" + kept : kept
    return escaped(name)
  }

  /// The name of a type, made from a property's name: `Size` from `size`.
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
