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
          at: version.schema.place, isUndecided: true)
        continue
      }
      subject.sayUnlisted(in: version, &say)
      subject.sayReached(in: version, &say)
    }
    for plan in subject.plans { subject.sayVanished(in: plan, &say) }
    subject.sayDoubts(&say)
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
        message: "\(name) stands in \(version.name), but its models "
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
      message:
        "models of \(version.name) does not list \(listed(reached)), which relationships reach: in the model all the same"
    )
  }

  /// Where two classes fit and nothing tells which is meant, nothing is passed: neither one of a list nor one of a
  /// property. Containers of previews and tests matter to nobody's data.
  fileprivate func sayDoubts(_ say: inout LintFindings) {
    var said: Set<String> = []
    func doubt(_ reason: String, at place: SourcePlace?, say: inout LintFindings) {
      if said.insert("\(reason) \(place?.offset ?? 0)").inserted { say.skip(reason, at: place, isUndecided: true) }
    }
    for schema in reading.schemas where isKept(schema) {
      if schema.isListDoubtful, schema.origin != .versioned, let problem = schema.listProblem {
        doubt(
          "which classes are meant is not known: \(problem); give the files that belong together", at: schema.place,
          say: &say)
      }
      for entity in schema.entities {
        for reason in entity.reasons where reason.isDoubt {
          let name = [entity.name, reason.property].compactMap(\.self).joined(separator: ".")
          doubt(
            "\(name): \(reason.message)" + (reason.remedy.map { "; \($0)" } ?? ""), at: reason.place ?? entity.place,
            say: &say)
        }
        guard entity.openRules.contains(.sameEntityName), !isOfSeveralTargets(entity) else { continue }
        let places = classes(named: entity.name).map(\.description).joined(separator: ", ")
        doubt(
          "which class \(entity.name) is the app's is not known: \(places); give the files that belong together",
          at: entity.place, say: &say)
      }
    }
  }

  private func isKept(_ schema: SourceSchema) -> Bool {
    let uses = reading.containers.filter { $0.schemaName == schema.name }
    return uses.isEmpty || uses.contains { !$0.isTemporary }
  }

  private func classes(named name: String) -> [SourcePlace] {
    project.liveModels.filter { names[$0].name == name }.map(names.place).sorted()
  }

  /// Whether classes of one name are known to be built into different targets: then each app has its own.
  private func isOfSeveralTargets(_ entity: SourceEntity) -> Bool {
    let files = project.liveModels.filter { names[$0].name == entity.name }.map { names[$0].file }
    return files.allSatisfy(names.hasTarget)
      && files.indices.allSatisfy { one in
        files[(one + 1)...].allSatisfy { !names.shareATarget(files[one], $0) }
      }
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
            message:
              "\(version.name) has no \(entity.name), which \(versions[position - 1].name) and \(returns.name) have; its "
              + "rows are dropped between",
            notes: [.init("the class in \(versions[position - 1].name)", at: entity.place)])
        } else if !plan.isLikelyRename(entity.name, from: versions[position - 1]) {
          say.add(
            .note, at: listPlace(of: version), schema: version.name, entity: entity.name,
            message: "\(version.name) has no \(entity.name) any more; its rows are dropped",
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
