import StoreText
import StoreWords
/// Everything of an entity that is part of its version hash, as text.
///
/// Entities with the same name, text and parent have the same hash. The reverse holds too, except that external storage
/// and preservation after deletion are hashed alike. So texts kept from a release show later *what* changed a hash
/// (`model pin`, `model check`).
package struct HashedText: Equatable, Sendable {
  /// The entity itself: "abstract, parent Base, modifier '2', unique [name], [a, b]"; empty for a plain one.
  package var entity: String
  /// The hashed text of each property by name, including inherited ones, without transient ones.
  package var properties: [String: Property]

  /// Creates a text.
  package init(entity: String, properties: [String: Property]) {
    self.entity = entity
    self.properties = properties
  }

  /// The hashed text of a property, and of a composite also member by member.
  package struct Property: Equatable, Sendable {
    /// "String, optional"; of a composite "composite {city: String, required; zip: String, optional}".
    package let text: String
    /// The members of a composite by name, without transient ones; nil for other properties, and for a text read from a
    /// pin in which the members cannot be told apart.
    package let members: [String: Member]?

    /// Equal texts say the same, whether members were read from them or not.
    package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
  }

  /// The hashed text of a member of a composite.
  package struct Member: Equatable, Sendable {
    /// "String, required"
    package let text: String
    /// Whether every row needs a value for it.
    package let isRequired: Bool
  }
}

extension HashedText.Property {
  /// A text that was kept, as in a pin: the reverse of what `Model.hashedText` writes.
  package init(_ text: String) {
    self.init(text: text, members: Self.members(in: text))
  }

  private static let composite = (start: "composite {", end: "}")

  fileprivate init(_ members: [(name: String, member: HashedText.Member)]) {
    let texts = members.map { "\($0.name): \($0.member.text)" }
    self.init(
      text: Self.composite.start + texts.joined(separator: "; ") + Self.composite.end,
      members: Dictionary(members.map { ($0.name, $0.member) }) { first, _ in first })
  }

  private static func members(in text: String) -> [String: HashedText.Member]? {
    guard text.hasPrefix(composite.start), text.hasSuffix(composite.end) else { return nil }
    let inner = text.dropFirst(composite.start.count).dropLast(composite.end.count)
    var members: [String: HashedText.Member] = [:]
    for part in inner.isEmpty ? [] : inner.split(by: "; ") {
      let halves = part.split(by: ": ", most: 2)
      // A modifier may have any text between its quotes; where it was taken for the next member, nothing is said of any.
      guard halves.count == 2, part.count(where: { $0 == "'" }).isMultiple(of: 2) else { return nil }
      let words = halves[1].split(by: ", ")
      members[String(halves[0])] = .init(text: String(halves[1]), isRequired: words.contains("required"))
    }
    return members
  }
}

extension Model {
  /// The hashed text of an entity; nil if the model has no entity of that name.
  package func hashedText(of name: String) -> HashedText? {
    guard let entity = entity(named: name) else { return nil }
    let properties = properties(of: name).values.filter { !$0.property.isTransient }
    return HashedText(
      entity: entity.hashedText,
      properties: Dictionary(uniqueKeysWithValues: properties.map { ($0.property.name, $0.hashedText) }))
  }
}

extension Entity {
  fileprivate var hashedText: String {
    var words: [String] = []
    if isAbstract { words.append("abstract") }
    if let parent { words.append("parent \(parent)") }
    if let versionHashModifier, !versionHashModifier.isEmpty { words.append("modifier '\(versionHashModifier)'") }
    if !uniquenessConstraints.isEmpty {
      let texts = uniquenessConstraints.map { $0.joined(separator: ".") }.sorted(by: codeUnitsPrecede)
      words.append("unique \(texts.map { "[\($0)]" }.joined(separator: " "))")
    }
    return words.joined(separator: ", ")
  }
}

extension InheritedProperty {
  fileprivate var hashedText: HashedText.Property {
    switch property.kind {
    // For a derived attribute, neither name nor type nor flags are hashed (`Attribute.hash`).
    case .attribute(let attribute):
      attribute.hashedMembers.map(HashedText.Property.init)
        ?? .init(text: attribute.hashedText(of: property), members: nil)
    case .relationship(let relationship):
      .init(
        text: (relationship.hashedWords(
          isOwnInverse: relationship.inverse == property.name && relationship.destination == topmostDeclarer)
          + property.hashedWords).joined(separator: ", "), members: nil)
    case .fetched: .init(text: (["fetched"] + property.hashedWords).joined(separator: ", "), members: nil)
    }
  }
}

extension Property {
  fileprivate var hashedWords: [String] {
    var words = [isOptional ? "optional" : "required"]
    if isReadOnly { words.append("read-only") }
    if let versionHashModifier, !versionHashModifier.isEmpty { words.append("modifier '\(versionHashModifier)'") }
    return words
  }
}

extension Attribute {
  /// The members of a composite in order of name; nil for other attributes.
  fileprivate var hashedMembers: [(name: String, member: HashedText.Member)]? {
    guard derivation == nil, let elements else { return nil }
    let leaves = Self.leaves(of: elements).filter { !$0.isTransient }.sorted { codeUnitsPrecede($0.name, $1.name) }
    return leaves.map { leaf in
      (
        leaf.name,
        HashedText.Member(
          text: leaf.attribute?.hashedText(of: leaf) ?? "",
          isRequired: !leaf.isOptional && leaf.attribute?.derivation == nil)
      )
    }
  }

  fileprivate func hashedText(of property: Property) -> String {
    if let derivation {
      return "derived \(derivation.expression)\(derivation.filter.map { " where \($0)" } ?? "")"
    }
    var words = [type.name] + property.hashedWords
    if allowsExternalStorage { words.append("external storage") }
    if preservesValueInHistory { words.append("preserved after deletion") }
    return words.joined(separator: ", ")
  }
}

extension Relationship {
  fileprivate func hashedWords(isOwnInverse: Bool) -> [String] {
    var words = ["\(isToMany ? "to many" : "to one") \(destination)"]
    if isOwnInverse {
      words.append("its own inverse")
    } else if let inverse {
      words.append("inverse \(inverse)")
    }
    if minimumCount != 0 { words.append("at least \(minimumCount)") }
    // 0 and -1 both mean "without limit", but are hashed as different values.
    if maximumCount != 1 && maximumCount != 0 { words.append("at most \(maximumCount)") }
    if isOrdered { words.append("ordered") }
    return words
  }
}
