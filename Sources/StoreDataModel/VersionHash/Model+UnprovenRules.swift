/// A rule of the version hash that no real file has confirmed yet (`docs/format/version-hash.md`, "What is open").
package enum UnprovenRule: String, Sendable, CaseIterable, Comparable {
  case nonASCIIName = "name outside ASCII"
  case derivationText = "derived attribute beyond a key path, a count or now()"
  case transientElement = "transient element of a composite"
  case bothMarks = "external storage and kept after deletion on one attribute"
  case readOnlyAttribute = "read-only mark on a plain attribute"
  case missingDestination = "relationship whose destination entity is not in the model"
  case missingInverse = "relationship whose inverse is not in the model"
  case constraintOrder = "several constraints that mix single and compound, or differ in case alone"

  /// Order of the cases.
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Model {
  /// The unproven rules that the hash of `entity` depends on, including inherited properties and ancestors; sorted.
  package func unprovenRules(of entity: String) -> [UnprovenRule] {
    guard let own = self.entity(named: entity) else { return [] }
    var rules: Set<UnprovenRule> = []
    for each in [own] + ancestors(of: entity) {
      rules.formUnion(each.unprovenConstraintRules)
      if !each.name.utf8.allSatisfy({ $0 < 0x80 }) { rules.insert(.nonASCIIName) }
      for property in each.properties where !property.isTransient {
        rules.formUnion(property.unprovenRules)
        if let relationship = property.relationship { rules.formUnion(unprovenRules(of: relationship)) }
      }
    }
    return rules.sorted()
  }

  private func unprovenRules(of relationship: Relationship) -> Set<UnprovenRule> {
    guard self.entity(named: relationship.destination) != nil else { return [.missingDestination] }
    let isThere = relationship.inverse.map { property($0, of: relationship.destination)?.relationship != nil } ?? true
    return isThere ? [] : [.missingInverse]
  }
}

extension Entity {
  fileprivate var unprovenConstraintRules: Set<UnprovenRule> {
    guard uniquenessConstraints.count > 1 else { return [] }
    let sizes = Set(uniquenessConstraints.map { $0.count > 1 })
    let folded = Set(uniquenessConstraints.map { $0.joined(separator: ".").lowercased() })
    return sizes.count > 1 || folded.count < uniquenessConstraints.count ? [.constraintOrder] : []
  }
}

extension Property {
  fileprivate var unprovenRules: Set<UnprovenRule> {
    var rules: Set<UnprovenRule> = []
    if !name.utf8.allSatisfy({ $0 < 0x80 }) { rules.insert(.nonASCIIName) }
    guard let attribute else { return rules }
    if let derivation = attribute.derivation {
      if !derivation.isProven { rules.insert(.derivationText) }
    } else if let elements = attribute.elements {
      if Attribute.leaves(of: elements).contains(where: \.isTransient) { rules.insert(.transientElement) }
      for element in elements { rules.formUnion(element.unprovenRules) }
    } else {
      if isReadOnly { rules.insert(.readOnlyAttribute) }
      if attribute.allowsExternalStorage && attribute.preservesValueInHistory { rules.insert(.bothMarks) }
    }
    return rules
  }
}

extension Derivation {
  fileprivate var isProven: Bool {
    guard filter == nil else { return false }
    return switch expression {
    case .keyPath: true
    case .function("count:", nil, let arguments): arguments.count == 1 && arguments[0].isKeyPath
    case .function("now", nil, let arguments): arguments.isEmpty
    default: false
    }
  }
}

extension Expression {
  fileprivate var isKeyPath: Bool { if case .keyPath = self { true } else { false } }
}
