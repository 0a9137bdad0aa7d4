import StoreDoctor
import SwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let containerVersion = LintCheck(.containerVersion) { subject, say in
    for container in subject.containers {
      guard let plan = subject.plan(of: container), let schema = subject.schema(of: container),
        plan.plan.schemasProblem == nil, let last = plan.versions.last ?? nil, schema.name != last.name
      else { continue }
      if schema.origin == .versioned {
        say.add(
          at: container.place, schema: schema.name,
          "the container is made for \(schema.name), and \(plan.plan.name) ends with \(last.name)",
          notes: [.init("the plan's list", at: subject.place(ofStatic: "schemas", in: plan.id))])
        continue
      }
      let known = Set(last.schema.entities.map(\.place))
      let foreign = schema.entities.filter { entity in
        !known.contains(entity.place) && last.entity(named: entity.name) != nil
      }
      guard let first = foreign.first else { continue }
      say.add(
        at: container.place, schema: last.name, entity: first.name,
        "the container is made for \(listed(foreign.map(\.className))), and \(plan.plan.name) ends with \(last.name), "
          + "which has \(foreign.count == 1 ? "another class" : "other classes") of that name",
        notes: [.init("the class in \(last.name)", at: last.entity(named: first.name)?.place)])
    }
  }

  static let planNotUsed = LintCheck(.planNotUsed) { subject, say in
    for container in subject.containers
    where container.container.planName == nil && container.container.problem == nil && !container.isInMemory {
      guard let schema = subject.schema(of: container) else { continue }
      let own = Set(schema.entities.map(\.place))
      let plan = subject.plans.first { plan in
        (plan.versions.last ?? nil)?.schema.entities.contains { own.contains($0.place) } ?? false
      }
      guard let plan else { continue }
      say.add(
        at: container.place,
        "the container is made without \(plan.plan.name), the plan of its classes: it is not migrated as elsewhere",
        notes: [.init("the plan", at: plan.plan.place)])
    }
  }

  static let customStageMirrored = LintCheck(.customStageMirrored) { subject, say in
    for container in subject.containers {
      guard let plan = subject.plan(of: container),
        let stage = plan.stages.first(where: { stage in
          stage.stage.isListed && stage.stage.kind == .custom && (stage.stage.willMigrate || stage.stage.didMigrate)
        })
      else { continue }
      let notes = [SourceFinding.Note("the custom stage", at: stage.stage.place)]
      switch container.mirroring {
      case .no, .unknown: continue
      case .entitled(let path):
        say.add(
          at: container.place,
          "the container mirrors to CloudKit by '\(path)', since no cloudKitDatabase: says otherwise, and "
            + "\(plan.plan.name) has a custom stage, which other devices do not run", notes: notes)
      case .stated:
        say.add(
          at: container.place,
          "the container mirrors to CloudKit, and \(plan.plan.name) has a custom stage, which other devices do not run",
          notes: notes)
      case .byDefault:
        say.add(
          .note, at: container.place,
          "with an iCloud entitlement the container mirrors to CloudKit, since no cloudKitDatabase: says otherwise, and "
            + "\(plan.plan.name) has a custom stage", notes: notes)
      }
    }
  }
}
