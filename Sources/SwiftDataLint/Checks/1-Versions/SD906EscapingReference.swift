import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let escapingReference = LintCheck(.escapingReference) { subject, say in
    let claims = Dictionary(grouping: subject.project.models) { subject.names[$0].name }
    for id in subject.project.models {
      guard let home = subject.version(containing: id), let shape = subject.shapes[id] else { continue }
      for member in shape.members {
        guard let target = member.relationship?.target, subject.version(containing: target)?.id != home.id,
          !home.entries.contains(where: { $0.id == target }), let rivals = claims[subject.names[target].name],
          rivals.count > 1
        else { continue }
        let name = subject.names[target].qualifiedName
        let others = rivals.filter { $0 != target }
        say.add(
          at: member.stored.place, schema: home.name, entity: shape.name, property: member.stored.name,
          message:
            "\(shape.name) of \(home.name) refers to \(name), which is not of this version; another class claims the name "
            + subject.names[target].name,
          notes: others.prefix(3).map {
            .init("\(subject.names[$0].qualifiedName) is declared here", at: subject.names.place(of: $0))
          })
      }
    }
    for version in subject.versions { subject.sayPointingBack(in: version, &say) }
  }
}

extension LintSubject {
  /// Reports classes from elsewhere that a version uses, and that refer to a different class with the name of one of
  /// the version's.
  fileprivate func sayPointingBack(in version: LintVersion, _ say: inout LintFindings) {
    let classes = version.schema.entities.compactMap(classID)
    let targets = classes.flatMap { shapes[$0]?.members.compactMap { $0.relationship?.target } ?? [] }
    let claims = Dictionary(grouping: Set(classes + targets)) { names[$0].name }
    for id in classes where self.version(containing: id)?.id != version.id {
      for member in shapes[id]?.members ?? [] {
        guard let target = member.relationship?.target, self.version(containing: target)?.id != version.id,
          let own = claims[names[target].name]?.filter({ $0 != target }).min()
        else { continue }
        let (taken, foreign) = (names[id].qualifiedName, names[target].qualifiedName)
        say.add(
          at: version.entries.first { $0.id == id }?.place ?? listPlace(of: version), schema: version.name,
          entity: names[id].name, property: member.stored.name,
          message: "\(version.name) takes over \(taken), whose \(member.stored.name) refers to \(foreign), and has "
            + "\(names[own].qualifiedName) as well: one of the two gets the other's shape",
          notes: [
            .init("\(taken).\(member.stored.name) stands here", at: member.stored.place),
            .init("\(names[own].qualifiedName) is declared here", at: names.place(of: own)),
          ])
      }
    }
  }
}

extension LintCheck {
  static let strayVersion = LintCheck(.strayVersion) { subject, say in
    guard !subject.plans.isEmpty else { return }
    if let plan = subject.plans.first(where: { $0.plan.schemasProblem != nil }) {
      return say.skip(
        "the versions of \(plan.plan.name) are not known: \(plan.plan.schemasProblem ?? ""); checks of their order and of "
          + "neighbours are left out too", at: plan.plan.place)
    }
    let known = Set(subject.plans.flatMap(\.plan.schemaNames))
    for version in subject.versions where !known.contains(version.name) {
      say.add(at: version.schema.place, schema: version.name, message: "no plan's schemas names \(version.name)")
    }
  }
}
