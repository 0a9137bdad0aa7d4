import StoreDoctor
import SwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let manyToManyWithoutInverse = LintCheck(.manyToManyWithoutInverse) { subject, say in
    for pair in subject.openPairs {
      let ends = [pair.left, pair.right].map { $0.filter(\.relationship.isToMany) }
      guard let left = ends[0].first, let right = ends[1].first else { continue }
      let (first, second) = left.place < right.place ? (left, right) : (right, left)
      say.add(
        at: first.place, schema: subject.version(containing: first.owner)?.name, entity: first.ownerName,
        property: first.name,
        "\(first.text) and \(second.text) are many-to-many without inverse: they become two one-way relationships",
        notes: [.init("the other side", at: second.place)])
    }
  }

  static let oneWayByAccident = LintCheck(.oneWayByAccident) { subject, say in
    for pair in subject.openPairs {
      guard let why = pair.whyNotInferred, let first = pair.all.first else { continue }
      say.add(
        at: first.place, schema: subject.version(containing: first.owner)?.name, entity: first.ownerName,
        property: first.name,
        "\(first.text) has no inverse, though \(first.ownerName) and \(subject.names[first.relationship.target].name) point "
          + "at each other: \(why)",
        notes: pair.all.dropFirst().prefix(4).map { .init("\($0.text) stands here", at: $0.place) })
    }
  }
}

extension OpenPair {
  /// Why no inverse is inferred (`swiftdata-source.md`, "Relationships"); nil where one is, or where that is open.
  fileprivate var whyNotInferred: String? {
    if !left.contains(where: { !$0.relationship.isToMany }), !right.contains(where: { !$0.relationship.isToMany }) {
      // Many-to-many is SD961.
      return nil
    }
    guard left.count == 1, right.count == 1 else {
      return "\(listed(all.map(\.text))) could be pairs in more than one way"
    }
    let ends = left + right
    if ends.allSatisfy(\.relationship.hasMacro) { return "both have @Relationship, and neither names its inverse" }
    guard !ends.contains(where: \.relationship.hasMacro) else { return nil }
    let required = ends.filter { !$0.relationship.isToMany && !$0.isOptional }
    let toOne = ends.count { !$0.relationship.isToMany }
    guard let first = required.first, required.count == toOne else { return nil }
    return "\(first.text) is required, so none is inferred"
  }
}
