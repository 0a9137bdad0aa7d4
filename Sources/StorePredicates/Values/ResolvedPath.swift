import StoreDataModel

/// A key path of a predicate with what it means in the model: to-one relationships, and what is read at their end.
package struct ResolvedPath: Sendable, Hashable, CustomStringConvertible {
  /// The to-one relationships that are followed one after the other; NULL on the way is NULL at the end.
  package var toOnes: [Step]
  /// The value read of the object at their end.
  package var end: End

  /// A path that reads `end` after `toOnes`.
  package init(toOnes: [Step], end: End) {
    self.toOnes = toOnes
    self.end = end
  }

  /// A relationship as followed from an entity.
  package struct Step: Sendable, Hashable {
    /// The relationship's name.
    package var relationship: String
    /// The entity from which it is followed: the one it was looked up in, which may inherit it.
    package var entity: String
    /// The entity it leads to; its objects may be of sub-entities.
    package var destination: String

    /// A step from one entity to another.
    package init(relationship: String, entity: String, destination: String) {
      self.relationship = relationship
      self.entity = entity
      self.destination = destination
    }
  }

  /// The value that a path reads of the object at the end of its to-one relationships.
  package indirect enum End: Sendable, Hashable {
    /// An attribute of `entity`, declared there or inherited: one name, or a composite attribute's and those of its
    /// elements down to the leaf.
    case attribute([String], of: String, AttributeType)
    /// The object itself, by its key; for `toOnes` it is the key that the last of them leads to.
    case object(of: String)
    /// The number of objects of a to-many relationship, as ``PredicateValue/integer(_:)``.
    case count(Step)
    /// A value of each object of a to-many relationship, as ``PredicateValue/collection(_:)``: what the rest of the path
    /// reads, starting from that object. The rest has no to-many relationship.
    case values(Step, ResolvedPath)
  }

  /// The names between dots, as in a predicate.
  package var description: String {
    let names = toOnes.map(\.relationship)
    switch end {
    case .attribute(let leaf, _, _): return (names + leaf).joined(separator: ".")
    case .object: return names.isEmpty ? "SELF" : names.joined(separator: ".")
    case .count(let step): return (names + [step.relationship, "@count"]).joined(separator: ".")
    case .values(let step, let rest):
      let end = rest.description
      return (names + [step.relationship] + (end == "SELF" ? [] : [end])).joined(separator: ".")
    }
  }
}
