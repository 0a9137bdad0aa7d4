import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let notAnArray = LintCheck(.notAnArray) { subject, say in
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] {
        guard let model = subject.collected(member, of: id) else { continue }
        say.add(
          at: member.stored.place, schema: subject.version(containing: id)?.name, entity: subject.names[id].name,
          property: member.stored.name,
          message: "\(subject.names[id].name).\(member.stored.name) is \(member.stored.typeText): only arrays of "
            + "\(subject.names[model].name) are relationships")
      }
    }
  }

  static let childLeftBehind = LintCheck(.childLeftBehind) { subject, say in
    for (parent, child) in subject.pairsFromBothSides {
      guard parent.relationship.isToMany, parent.relationship.deleteRule == .nullify, !child.relationship.isToMany,
        !child.isOptional
      else { continue }
      say.add(
        at: parent.place, schema: subject.version(containing: parent.owner)?.name, entity: parent.ownerName,
        property: parent.name,
        message:
          "deleting a \(parent.ownerName) leaves \(child.text) null, which is required: the save fails with 1570",
        notes: [.init("the required side", at: child.place)])
    }
  }

  static let cascadeBothWays = LintCheck(.cascadeBothWays) { subject, say in
    for (left, right) in subject.pairsFromBothSides where left.place < right.place {
      guard left.relationship.deleteRule == .cascade, right.relationship.deleteRule == .cascade else { continue }
      say.add(
        at: left.place, schema: subject.version(containing: left.owner)?.name, entity: left.ownerName,
        property: left.name,
        message: "\(left.text) and \(right.text) delete each other: one deletion may take the whole graph",
        notes: [.init("the other side", at: right.place)])
    }
  }
}

extension LintSubject {
  /// All stated pairs in both directions.
  fileprivate var pairsFromBothSides: [(LintRelationship, LintRelationship)] {
    var seen: Set<[SourcePlace]> = []
    return statedPairs.flatMap { [($0.0, $0.1), ($0.1, $0.0)] }
      .filter { seen.insert([$0.0.place, $0.1.place]).inserted }
  }

  private static let otherCollections: Set<String> = ["ContiguousArray", "ArraySlice", "OrderedSet", "Deque"]

  /// The model class in a collection that is not an array.
  fileprivate func collected(_ member: ModelMember, of id: TypeID) -> TypeID? {
    switch member.stored.type {
    case .set(.declared(let model))? where names[model].isModel: return model
    case .dictionary(_, .declared(let model))? where names[model].isModel: return model
    case .foreign?:
      var type = member.stored.variable.type
      if case .optional(let wrapped)? = type { type = wrapped }
      guard case .named(let parts)? = type, let last = parts.last, Self.otherCollections.contains(last.name),
        let element = last.arguments.first,
        let model = names.declaredType(element, in: Scope(file: names[id].file, type: id)), names[model].isModel
      else { return nil }
      return model
    case .declared?, .array?, .set?, .dictionary?, .optional?, .failed?, nil: return nil
    }
  }
}
