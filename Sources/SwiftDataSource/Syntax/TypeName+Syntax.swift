import SwiftSyntax

extension TypeName {
  /// Types nested more deeply are kept as text.
  private static let maximumDepth = 32

  package init(_ syntax: TypeSyntax, depth: Int = 0) {
    let next = depth + 1
    if depth > Self.maximumDepth {
      self = .other("a type nested deeper than \(Self.maximumDepth) levels")
    } else if let type = syntax.as(IdentifierTypeSyntax.self) {
      self = .named([Component(type.name.plainText, type.genericArgumentClause, depth: next)])
    } else if let type = syntax.as(MemberTypeSyntax.self) {
      self = Self.path(type, depth: next)
    } else if let type = syntax.as(OptionalTypeSyntax.self) {
      self = .optional(TypeName(type.wrappedType, depth: next))
    } else if let type = syntax.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self = .optional(TypeName(type.wrappedType, depth: next))
    } else if let type = syntax.as(ArrayTypeSyntax.self) {
      self = .array(TypeName(type.element, depth: next))
    } else if let type = syntax.as(DictionaryTypeSyntax.self) {
      self = .dictionary(TypeName(type.key, depth: next), TypeName(type.value, depth: next))
    } else if let type = syntax.as(TupleTypeSyntax.self), type.elements.count == 1, let only = type.elements.first,
      only.firstName == nil, only.ellipsis == nil
    {
      self = TypeName(only.type, depth: next)
    } else if let type = syntax.as(AttributedTypeSyntax.self), type.specifiers.isEmpty {
      // `@unchecked Sendable`
      self = TypeName(type.baseType, depth: next)
    } else {
      self = .other(syntax.shortText)
    }
  }

  /// `A.B.C` is a chain to the left, whose length the parser does not limit; so this is a loop and not a recursion.
  private static func path(_ type: MemberTypeSyntax, depth: Int) -> TypeName {
    var components = [Component(type.name.plainText, type.genericArgumentClause, depth: depth)]
    var base = type.baseType
    while let member = base.as(MemberTypeSyntax.self) {
      components.append(Component(member.name.plainText, member.genericArgumentClause, depth: depth))
      base = member.baseType
      guard components.count < 64 else { return .other("a type of more than 64 names") }
    }
    guard let first = base.as(IdentifierTypeSyntax.self) else { return .other(type.shortText) }
    components.append(Component(first.name.plainText, first.genericArgumentClause, depth: depth))
    return .named(components.reversed())
  }
}

extension TypeName.Component {
  init(_ name: String, _ clause: GenericArgumentClauseSyntax?, depth: Int) {
    self.init(name, clause.map { TypeName.arguments($0, depth: depth) } ?? [])
  }
}

extension TypeName {
  static func arguments(_ clause: GenericArgumentClauseSyntax, depth: Int) -> [TypeName] {
    clause.arguments.prefix(64).map { argument in
      switch argument.argument {
      case .type(let type): TypeName(type, depth: depth)
      case .expr(let expression): .other(expression.shortText)
      }
    }
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plainText: String {
    let text = self.text
    guard text.utf8.count > 2, text.hasPrefix("`"), text.hasSuffix("`") else { return text }
    return String(text.dropFirst().dropLast())
  }
}

extension SyntaxProtocol {
  /// The first line of the source, shortened for messages.
  var shortText: String {
    var text = ""
    for token in tokens(viewMode: .sourceAccurate) {
      text += text.isEmpty ? token.text : (token.leadingTrivia.isEmpty ? "" : " ") + token.text
      if !token.trailingTrivia.isEmpty { text += " " }
      if text.utf8.count > 60 { return String(text.prefix(60)) + "…" }
    }
    return text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}
