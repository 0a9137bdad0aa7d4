import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let wrongInverse = LintCheck(.wrongInverse) { subject, say in
    for id in subject.project.models {
      for end in subject.relationships(of: id) {
        guard let stated = end.relationship.statedInverse, let why = subject.misfit(end, stated: stated) else {
          continue
        }
        say.add(
          at: end.place, schema: subject.version(containing: id)?.name, entity: end.ownerName, property: end.name,
          message: "the inverse of \(end.text) does not fit: \(why)",
          notes: [
            .init(
              "\(subject.names[end.relationship.target].qualifiedName) is declared here",
              at: subject.names.place(of: end.relationship.target))
          ])
      }
    }
  }

  static let inverseTwice = LintCheck(.inverseTwice) { subject, say in
    for (first, second) in subject.statedPairs where first.place < second.place {
      guard subject.statedInverse(of: second)?.place == first.place else { continue }
      say.add(
        at: second.place, schema: subject.version(containing: second.owner)?.name, entity: second.ownerName,
        property: second.name,
        message: "\(second.text) and \(first.text) both name their inverse: that does not compile",
        notes: [.init("the other side", at: first.place)], fix: subject.withoutInverse(second))
    }
  }
}

extension LintSubject {
  fileprivate func misfit(_ end: LintRelationship, stated: (root: TypeName?, name: String)) -> String? {
    let target = end.relationship.target
    if let root = stated.root {
      let scope = Scope(file: names[end.owner].file, type: end.owner)
      // A type that is not in the sources may be any.
      guard let id = names.declaredType(root, in: scope) else { return nil }
      guard isRelated(id, target) else {
        return "it names \(names[id].qualifiedName), and \(end.name) is of \(names[target].qualifiedName)"
      }
    }
    let chain = inherited(target)
    guard let back = chain.compactMap({ member(stated.name, of: shapes[$0]) }).first else {
      return "\(names[target].name) has no property \(stated.name)"
    }
    guard let relationship = back.relationship else {
      // Nothing is reported about unknown types.
      guard back.stored.type != nil, back.stored.reasons.isEmpty else { return nil }
      return "\(names[target].name).\(stated.name) is no relationship"
    }
    guard isRelated(relationship.target, end.owner) else {
      return "\(names[target].name).\(stated.name) is of \(names[relationship.target].qualifiedName), not of "
        + names[end.owner].qualifiedName
    }
    return nil
  }

  /// The edit that removes `inverse:` from a macro; the pair stays the same.
  fileprivate func withoutInverse(_ end: LintRelationship) -> SourceFinding.Fix? {
    // The macro stays, even without arguments, because it decides which inverses are inferred.
    guard let edit = end.member.stored.edit(taking: "inverse", from: "Relationship") else { return nil }
    return SourceFinding.Fix("name the inverse on the other side only", edits: [edit], isCertain: true)
  }
}
