import StoreDataModel
import StoreWriting

/// The values that uniqueness constraints have seen, so that no two objects have the same.
struct UniqueTuples {
  /// A constraint, as far as it has an index: of stored attributes and to-one relationships.
  struct Rule {
    /// The entity that declares it; its subentities have it, too.
    var entity: String
    /// Attributes, by name.
    var attributes: [String]
    /// To-one relationships, by name.
    var links: [String]
  }

  /// All constraints of the model.
  let rules: [Rule]
  /// The positions of the rules that each entity declares.
  private let positions: [String: [Int]]
  private var taken: [Set<[Part]>]
  /// Per rule with relationships: the values of each object's attributes, and its links so far.
  private var partial: [[SampleObject: (attributes: [Part], links: [String: Int64])]]

  /// A value as SQLite compares it.
  private enum Part: Hashable {
    case integer(Int64)
    case real(UInt64)
    case text(String)
    case blob([UInt8])
  }

  init(_ model: Model) {
    rules = model.entities.flatMap { entity in
      entity.uniquenessConstraints.compactMap { names in
        var rule = Rule(entity: entity.name, attributes: [], links: [])
        for name in names {
          guard let property = model.property(name, of: entity.name), !property.isTransient else { return nil }
          switch property.kind {
          case .attribute(let attribute) where attribute.elements == nil: rule.attributes.append(name)
          case .relationship(let relationship) where !relationship.isToMany: rule.links.append(name)
          default: return nil
          }
        }
        return names.isEmpty ? nil : rule
      }
    }
    positions = Dictionary(grouping: rules.indices) { [rules] in rules[$0].entity }
    taken = rules.map { _ in [] }
    partial = rules.map { _ in [:] }
  }

  /// The positions of the rules that hold for an entity: its own, and those of its ancestors.
  func rules(of entity: Entity, in model: Model) -> [Int] {
    ([entity] + model.ancestors(of: entity.name)).flatMap { positions[$0.name] ?? [] }.sorted()
  }

  /// The attributes of the first of these rules that an object with these values would break; nil where it breaks none.
  ///
  /// - Parameter withLinks: whether to look at the attributes of constraints with relationships, too; where they differ,
  ///   the links are free.
  func broken(_ positions: [Int], by values: [String: StoredValue], withLinks: Bool) -> [String]? {
    for position in positions where !rules[position].attributes.isEmpty {
      guard withLinks || rules[position].links.isEmpty else { continue }
      guard let parts = parts(of: rules[position], values) else { continue }
      if taken[position].contains(parts) { return rules[position].attributes }
    }
    return nil
  }

  /// Records an object with its values.
  mutating func insert(_ object: SampleObject, positions: [Int], values: [String: StoredValue]) {
    for position in positions {
      let rule = rules[position]
      guard let parts = rule.attributes.isEmpty ? [] : parts(of: rule, values) else { continue }
      if !rule.attributes.isEmpty { taken[position].insert(parts) }
      if !rule.links.isEmpty { partial[position][object] = (parts, [:]) }
    }
  }

  /// Whether a link of an object keeps all constraints.
  func allow(_ object: SampleObject, positions: [Int], link name: String, to key: Int64) -> Bool {
    positions.allSatisfy { position in
      guard let tuple = tuple(position, of: object, name: name, key: key) else { return true }
      return !taken[position].contains(tuple)
    }
  }

  /// Records a link; nil for one that is taken away.
  mutating func set(_ object: SampleObject, positions: [Int], link name: String, to key: Int64?) {
    for position in positions where rules[position].links.contains(name) {
      if let old = partial[position][object]?.links[name], let tuple = tuple(position, of: object, name: name, key: old)
      {
        taken[position].remove(tuple)
      }
      partial[position][object]?.links[name] = key
      if let key, let tuple = tuple(position, of: object, name: name, key: key) { taken[position].insert(tuple) }
    }
  }

  /// The whole tuple once all its links are there; the number of parts tells it from one of attributes alone.
  private func tuple(_ position: Int, of object: SampleObject, name: String, key: Int64) -> [Part]? {
    let rule = rules[position]
    guard rule.links.contains(name), let known = partial[position][object] else { return nil }
    var parts = known.attributes
    for link in rule.links {
      guard let other = link == name ? key : known.links[link] else { return nil }
      parts.append(.integer(other))
    }
    return parts
  }

  /// Nil where a value is missing: NULL equals nothing.
  private func parts(of rule: Rule, _ values: [String: StoredValue]) -> [Part]? {
    var parts: [Part] = []
    for name in rule.attributes {
      switch values[name] ?? .null {
      case .null: return nil
      case .integer(let value): parts.append(.integer(value))
      case .real(let value), .date(let value):
        parts.append(Int64(exactly: value).map(Part.integer) ?? .real(value.bitPattern))
      case .text(let text): parts.append(.text(text))
      case .blob(let bytes): parts.append(.blob(bytes))
      }
    }
    return parts
  }
}
