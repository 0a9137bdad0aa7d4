import StoreSwiftDataSchemas
import SwiftDataSource

/// A relationship, with its class.
struct LintRelationship {
  let owner: TypeID
  let ownerName: String
  let member: ModelMember
  let relationship: RelationshipDraft

  var name: String { member.stored.name }
  var place: SourcePlace { member.stored.place }
  /// "Note.tags"
  var text: String { "\(ownerName).\(name)" }
  var isOptional: Bool { member.stored.isOptional }
}

/// The relationships between two classes, by direction, that no `inverse:` pairs.
struct OpenPair {
  let left: [LintRelationship]
  let right: [LintRelationship]

  /// Whether both classes are the same.
  var isWithinClass = false

  var all: [LintRelationship] { (left + right).sorted { $0.place < $1.place } }
}

extension LintSubject {
  /// The relationships a class declares.
  func relationships(of id: TypeID) -> [LintRelationship] {
    (shapes[id]?.members ?? []).compactMap { member in
      member.relationship.map {
        LintRelationship(owner: id, ownerName: names[id].name, member: member, relationship: $0)
      }
    }
  }

  /// The relationship that `inverse:` names, if it leads back.
  func statedInverse(of end: LintRelationship) -> LintRelationship? {
    guard let stated = end.relationship.statedInverse else { return nil }
    let found = inherited(end.relationship.target).flatMap(relationships).first { $0.name == stated.name }
    guard let found, isRelated(found.relationship.target, end.owner) else { return nil }
    return found
  }

  /// The pairs stated by an `inverse:` on either side, each once.
  var statedPairs: [(LintRelationship, LintRelationship)] {
    project.models.flatMap(relationships).compactMap { end in
      statedInverse(of: end).map { (end, $0) }
    }
  }

  /// Pairs of classes with relationships to each other that no `inverse:` pairs, each once.
  var openPairs: [OpenPair] {
    let byClasses = Dictionary(grouping: unpaired) { [$0.owner, $0.relationship.target] }
    return byClasses.keys.filter { $0[0] < $0[1] }.sorted { $0[0] < $1[0] || ($0[0] == $1[0] && $0[1] < $1[1]) }
      .compactMap { key in
        guard let left = byClasses[key], let right = byClasses[key.reversed()] else { return nil }
        return OpenPair(left: left, right: right)
      }
  }

  /// Relationships of a class with itself that could be two ends of one.
  var ownPairs: [OpenPair] {
    let byClass = Dictionary(grouping: unpaired.filter { $0.owner == $0.relationship.target }, by: \.owner)
    return byClass.sorted { $0.key < $1.key }.compactMap { _, ends in
      let couldPair = ends.indices.contains { left in
        ends.indices.contains { right in left < right && ends[left].couldPair(with: ends[right]) }
      }
      return couldPair ? OpenPair(left: ends, right: [], isWithinClass: true) : nil
    }
  }

  /// Relationships that no `inverse:` pairs with another.
  private var unpaired: [LintRelationship] {
    let paired = Set(statedPairs.flatMap { [$0.0.place, $0.1.place] })
    return project.models.flatMap(relationships).filter {
      $0.relationship.statedInverse == nil && !paired.contains($0.place)
    }
  }

  /// A class and its model superclasses.
  func inherited(_ id: TypeID) -> [TypeID] {
    var chain = [id]
    while let parent = chain.last.flatMap({ shapes[$0]?.superclass }), !chain.contains(parent), chain.count < 16 {
      chain.append(parent)
    }
    return chain
  }

  /// Whether the classes are the same, or one inherits from the other.
  func isRelated(_ left: TypeID, _ right: TypeID) -> Bool {
    inherited(left).contains(right) || inherited(right).contains(left)
  }
}

extension LintRelationship {
  /// Whether an inverse could be inferred: not between two macros, not for many-to-many, and only with an optional
  /// to-one.
  fileprivate func couldPair(with other: LintRelationship) -> Bool {
    let toOne = [self, other].filter { !$0.relationship.isToMany }
    return !(relationship.hasMacro && other.relationship.hasMacro) && toOne.contains(where: \.isOptional)
  }
}
