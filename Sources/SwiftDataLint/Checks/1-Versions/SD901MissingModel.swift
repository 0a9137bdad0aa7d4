import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let missingModel = LintCheck(.missingModel) { subject, say in
    for version in subject.versions {
      if let problem = version.schema.listProblem {
        say.skip(
          "the models of \(version.name) are not known: \(problem); checks of what it holds are left out too",
          at: version.schema.place)
        continue
      }
      subject.sayUnlisted(in: version, &say)
      subject.sayReached(in: version, &say)
    }
    for plan in subject.plans { subject.sayVanished(in: plan, &say) }
  }
}

extension LintSubject {
  /// Reports classes inside of a version's type that are not in its model.
  fileprivate func sayUnlisted(in version: LintVersion, _ say: inout LintFindings) {
    let known = Set(version.schema.entities.compactMap(classID))
    for id in project.models where !known.contains(id) && self.version(containing: id)?.id == version.id {
      let name = names[id].name
      let rival = version.entity(named: name)
      say.add(
        at: names.place(of: id), schema: version.name, entity: name,
        "\(name) stands in \(version.name), but its models "
          + (rival.map { "takes another class of that name, \($0.className)" } ?? "neither lists nor reaches it"),
        notes: [
          rival.map { .init("the class of the model", at: $0.place) },
          .init("the version's list", at: listPlace(of: version)),
        ].compactMap(\.self))
    }
  }

  fileprivate func sayReached(in version: LintVersion, _ say: inout LintFindings) {
    let reached = version.schema.entities.filter { !$0.isListed }.map(\.name)
    guard !reached.isEmpty else { return }
    say.add(
      .note, at: listPlace(of: version), schema: version.name, entity: reached.count == 1 ? reached[0] : nil,
      "models of \(version.name) does not list \(listed(reached)), which relationships reach: in the model all the same"
    )
  }

  /// Reports entities that a version lacks although its neighbours have them.
  fileprivate func sayVanished(in plan: LintPlan, _ say: inout LintFindings) {
    let versions = plan.versions.compactMap(\.self).filter { $0.schema.listProblem == nil }
    for (position, version) in versions.enumerated().dropFirst() {
      let own = Set(version.schema.entities.map(\.name))
      for entity in versions[position - 1].schema.entities where !own.contains(entity.name) {
        let returns = versions[(position + 1)...].first { $0.entity(named: entity.name) != nil }
        if let returns {
          say.add(
            at: listPlace(of: version), schema: version.name, entity: entity.name,
            "\(version.name) has no \(entity.name), which \(versions[position - 1].name) and \(returns.name) have; its "
              + "rows are dropped between",
            notes: [.init("the class in \(versions[position - 1].name)", at: entity.place)])
        } else if !plan.isLikelyRename(entity.name, from: versions[position - 1]) {
          say.add(
            .note, at: listPlace(of: version), schema: version.name, entity: entity.name,
            "\(version.name) has no \(entity.name) any more; its rows are dropped",
            notes: [.init("the class in \(versions[position - 1].name)", at: entity.place)])
        }
      }
    }
  }

  /// The place of `models`, or else of the version's name.
  func listPlace(of version: LintVersion) -> SourcePlace {
    guard let (file, variable) = names[version.id].staticVariable("models") else { return version.schema.place }
    return place(variable.nameSpan, in: file)
  }
}

extension LintPlan {
  /// Whether an entity seems to be renamed in the next version.
  fileprivate func isLikelyRename(_ entity: String, from version: LintVersion) -> Bool {
    neighbours.first { $0.from.id == version.id }?.renamedClasses.contains { $0.sourceEntity == entity } ?? false
  }
}

/// "A, B and C"; at most six names.
func listed(_ names: [String]) -> String {
  if names.count > 6 { return names.prefix(5).joined(separator: ", ") + " and \(names.count - 5) more" }
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " and " + last
}
