import StoreSwiftDataSchemas
import SwiftDataSource

/// A relationship at its class.
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

/// The relationships between two classes, one list for each direction, that no `inverse:` has paired.
struct OpenPair {
  let left: [LintRelationship]
  let right: [LintRelationship]

  /// Whether they lead from a class to itself.
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

  /// What `inverse:` names, if it leads back.
  func statedInverse(of end: LintRelationship) -> LintRelationship? {
    guard let stated = end.relationship.statedInverse else { return nil }
    let found = inherited(end.relationship.target).flatMap(relationships).first { $0.name == stated.name }
    guard let found, isRelated(found.relationship.target, end.owner) else { return nil }
    return found
  }

  /// Pairs that an `inverse:` on either side makes, each once.
  var statedPairs: [(LintRelationship, LintRelationship)] {
    project.models.flatMap(relationships).compactMap { end in
      statedInverse(of: end).map { (end, $0) }
    }
  }

  /// Classes that point at each other by relationships no `inverse:` names, each pair once.
  var openPairs: [OpenPair] {
    let byClasses = Dictionary(grouping: unpaired) { [$0.owner, $0.relationship.target] }
    return byClasses.keys.filter { $0[0] < $0[1] }.sorted { $0[0] < $1[0] || ($0[0] == $1[0] && $0[1] < $1[1]) }
      .compactMap { key in
        guard let left = byClasses[key], let right = byClasses[key.reversed()] else { return nil }
        return OpenPair(left: left, right: right)
      }
  }

  /// Relationships of a class to itself that could be two ends of one.
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

  /// A class and the models it inherits from.
  func inherited(_ id: TypeID) -> [TypeID] {
    var chain = [id]
    while let parent = chain.last.flatMap({ shapes[$0]?.superclass }), !chain.contains(parent), chain.count < 16 {
      chain.append(parent)
    }
    return chain
  }

  /// Whether one of two classes is the other or inherits from it.
  func isRelated(_ left: TypeID, _ right: TypeID) -> Bool {
    inherited(left).contains(right) || inherited(right).contains(left)
  }
}

extension LintRelationship {
  /// Whether an inverse might be inferred: not between two macros, not for many-to-many, not where no to-one is optional.
  fileprivate func couldPair(with other: LintRelationship) -> Bool {
    let toOne = [self, other].filter { !$0.relationship.isToMany }
    return !(relationship.hasMacro && other.relationship.hasMacro) && toOne.contains(where: \.isOptional)
  }
}
