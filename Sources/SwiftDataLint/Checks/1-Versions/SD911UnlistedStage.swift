import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let unlistedStage = LintCheck(.unlistedStage) { subject, say in
    for plan in subject.plans {
      if let problem = plan.plan.stagesProblem, subject.names[plan.id].staticVariable("stages") != nil {
        say.skip(
          "the stages of \(plan.plan.name) are not known: \(problem); the other checks of stages are left out too",
          at: plan.plan.place)
        continue
      }
      for stage in plan.stages where !stage.stage.isListed {
        let name = stage.stage.name ?? "a stage"
        say.add(
          at: stage.stage.place, schema: stage.stage.toVersion,
          message:
            "\(name), from \(stage.stage.fromVersion) to \(stage.stage.toVersion), is declared, but stages does not list it",
          notes: [.init("the plan's list", at: subject.place(ofStatic: "stages", in: plan.id))])
      }
      if plan.stages.isEmpty, plan.versions.count > 1, subject.names[plan.id].staticVariable("stages") != nil {
        say.add(
          .note, at: subject.place(ofStatic: "stages", in: plan.id),
          message:
            "\(plan.plan.name) has \(plan.versions.count) versions and no stage: lightweight changes are inferred, but the "
            + "first stage that is added later has to lead on from every version")
      }
    }
  }
}

extension LintCheck {
  static let stageGap = LintCheck(.stageGap) { subject, say in
    for plan in subject.plans where plan.plan.stagesProblem == nil {
      let listed = plan.stages.filter(\.stage.isListed)
      guard !listed.isEmpty, let last = plan.versions.last ?? nil else { continue }
      for (from, to) in zip(plan.versions, plan.versions.dropFirst()) {
        guard let from, let to, plan.stage(from: from, to: to) == nil, !reaches(last.id, from: from.id, by: listed),
          // A plan with a doubtful order is reported as that.
          !plan.isInDoubtfulOrder
        else { continue }
        say.add(
          at: subject.place(ofStatic: "stages", in: plan.id), schema: from.name,
          message:
            "no stage leads from \(from.name) to \(to.name), nor on to \(last.name): a store of \(from.name) is stuck",
          notes: [.init("\(from.name) is declared here", at: from.schema.place)])
      }
    }
  }
}

private func reaches(_ last: TypeID, from start: TypeID, by stages: [StageDeclaration]) -> Bool {
  var reached: Set<TypeID> = [start]
  var queue = [start]
  while let id = queue.popLast() {
    for stage in stages where stage.fromVersion == id {
      if let next = stage.toVersion, reached.insert(next).inserted { queue.append(next) }
    }
  }
  return reached.contains(last)
}

extension LintCheck {
  static let stageDirection = LintCheck(.stageDirection) { subject, say in
    for plan in subject.plans where plan.plan.schemasProblem == nil {
      var seen: [String: SourcePlace] = [:]
      for stage in plan.stages where stage.stage.isListed {
        let (from, to) = (stage.stage.fromVersion, stage.stage.toVersion)
        if from == to {
          say.add(at: stage.stage.place, schema: to, message: "the stage leads from \(from) to itself")
          continue
        }
        for name in [from, to] where !plan.plan.schemaNames.contains(name) {
          say.add(
            at: stage.stage.place, schema: name, message: "the stage names \(name), which schemas does not list",
            notes: [.init("the plan's list", at: subject.place(ofStatic: "schemas", in: plan.id))])
        }
        if let first = seen["\(from) \(to)"] {
          say.add(
            at: stage.stage.place, schema: to, message: "a second stage leads from \(from) to \(to)",
            notes: [.init("the first one", at: first)])
        }
        seen["\(from) \(to)"] = seen["\(from) \(to)"] ?? stage.stage.place
        guard let start = plan.index(of: stage.fromVersion), let end = plan.index(of: stage.toVersion), end < start,
          !plan.isInDoubtfulOrder
        else { continue }
        say.add(
          at: stage.stage.place, schema: to, message: "the stage leads backwards: schemas lists \(to) before \(from)",
          notes: [.init("the plan's list", at: subject.place(ofStatic: "schemas", in: plan.id))])
      }
    }
  }
}
