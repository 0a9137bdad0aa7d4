import StoreDoctor
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
          "\(shape.name) of \(home.name) refers to \(name), which is not of this version; another class claims the name "
            + subject.names[target].name,
          notes: others.prefix(3).map {
            .init("\(subject.names[$0].qualifiedName) is declared here", at: subject.names.place(of: $0))
          })
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
      say.add(at: version.schema.place, schema: version.name, "no plan's schemas names \(version.name)")
    }
  }
}
