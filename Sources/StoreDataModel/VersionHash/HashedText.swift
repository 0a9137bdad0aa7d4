import StoreWords
/// Everything of an entity that is part of its version hash, as text.
///
/// Entities with the same name, text and parent have the same hash. The reverse holds too, except that external storage
/// and preservation after deletion are hashed alike. So texts kept from a release show later *what* changed a hash
/// (`model pin`, `model check`).
public struct HashedText: Equatable, Sendable {
  /// The entity itself: "abstract, parent Base, modifier '2', unique [name], [a, b]"; empty for a plain one.
  public var entity: String
  /// The text of each property by name, including inherited ones, without transient ones.
  public var properties: [String: String]

  /// Creates a text.
  public init(entity: String, properties: [String: String]) {
    self.entity = entity
    self.properties = properties
  }
}

extension Model {
  /// The hashed text of an entity; nil if the model has no entity of that name.
  public func hashedText(of name: String) -> HashedText? {
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
  fileprivate var hashedText: String {
    switch property.kind {
    // For a derived attribute, neither name nor type nor flags are hashed (`Attribute.hash`).
    case .attribute(let attribute): attribute.hashedText(of: property)
    case .relationship(let relationship):
      (relationship.hashedWords(
        isOwnInverse: relationship.inverse == property.name && relationship.destination == topmostDeclarer)
        + property.hashedWords).joined(separator: ", ")
    case .fetched: (["fetched"] + property.hashedWords).joined(separator: ", ")
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
  fileprivate func hashedText(of property: Property) -> String {
    if let derivation {
      return "derived \(derivation.expression)\(derivation.filter.map { " where \($0)" } ?? "")"
    }
    if let elements {
      let leaves = Self.leaves(of: elements).filter { !$0.isTransient }.sorted { codeUnitsPrecede($0.name, $1.name) }
      let texts = leaves.map { "\($0.name): \($0.attribute?.hashedText(of: $0) ?? "")" }
      return "composite {\(texts.joined(separator: "; "))}"
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
