import StoreSourceChecks
import StoreSwiftDataSchemas
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
        message:
          "\(first.text) and \(second.text) are many-to-many without inverse: they become two one-way relationships",
        notes: [.init("the other side", at: second.place)])
    }
  }

  static let oneWayByAccident = LintCheck(.oneWayByAccident) { subject, say in
    // If every version has a copy of a class, a pair that systems read differently, or that is undecided, is reported once.
    var said: Set<String> = []
    for pair in subject.openPairs + subject.ownPairs {
      guard let first = pair.all.first else { continue }
      switch pair.inference {
      case .certain, .manyToMany: continue
      case .bySystem(let one, let other, let why):
        guard said.insert("\(one.text) \(other.text) \(why)").inserted else { continue }
        say.add(
          at: first.place, schema: subject.version(containing: first.owner)?.name, entity: first.ownerName,
          property: first.name,
          message: "\(one.text) and \(other.text) are \(why)",
          notes: [.init("inverse: \\\(other.ownerName).\(other.name) in \(one.text) makes it one", at: other.place)])
      case .none(let why):
        say.add(
          at: first.place, schema: subject.version(containing: first.owner)?.name, entity: first.ownerName,
          property: first.name,
          message:
            "\(first.text) has no inverse, though \(first.ownerName) and \(subject.names[first.relationship.target].name) "
            + "point at each other: \(why)",
          notes: pair.all.dropFirst().prefix(4).map { .init("\($0.text) stands here", at: $0.place) })
      case .open(let why):
        let words =
          "whether \(listed(pair.all.map(\.text))) are inverses is not known: \(why); inverse: on one decides it"
        if said.insert(words).inserted { say.skip(words, at: first.place) }
      }
    }
  }
}

/// Whether SwiftData infers an inverse.
private enum Inference {
  case certain
  /// It does not, because the pair is many-to-many (SD961).
  case manyToMany
  /// Systems from 26 on do not, and older ones do or may, in these words. The first is the side to state it at.
  case bySystem(LintRelationship, LintRelationship, String)
  /// It does not, for this reason.
  case none(String)
  /// Undecided, because of a rule that nobody has measured.
  case open(String)
}

extension OpenPair {
  fileprivate var inference: Inference {
    let ends = left + right
    let toOne = ends.filter { !$0.relationship.isToMany }
    if toOne.isEmpty { return .manyToMany }
    if isWithinClass { return .open("they point at their own class") }
    guard left.count == 1, right.count == 1 else {
      return .none("\(listed(all.map(\.text))) could be pairs in more than one way")
    }
    let withMacro = ends.filter(\.relationship.hasMacro)
    if withMacro.count == 2, toOne.allSatisfy(\.isOptional) {
      return .bySystem(
        all[0], all[1],
        "inverses up to iOS 18 and not on 26, since both have @Relationship and neither names its inverse: one source is "
          + "two models, and after the system's update a plan fails with 134504")
    }
    if withMacro.count == 2 { return .none("both have @Relationship, and neither names its inverse") }
    if let macro = withMacro.first, let plain = ends.first(where: { !$0.relationship.hasMacro }),
      toOne.allSatisfy(\.isOptional)
    {
      return .bySystem(
        macro, plain,
        "no inverses on iOS 26, since \(macro.text) has @Relationship and names no inverse; no store shows whether systems "
          + "up to iOS 18 make them inverses: where they do, one source is two models, and after the system's update a "
          + "plan fails with 134504")
    }
    guard let required = toOne.first(where: { !$0.isOptional }) else { return .certain }
    if toOne.contains(where: \.isOptional) { return .open("one of two to-one sides is required") }
    return .none("\(required.text) is required, so none is inferred")
  }
}
