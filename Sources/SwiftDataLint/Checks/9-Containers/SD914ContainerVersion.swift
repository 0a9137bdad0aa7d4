import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let containerVersion = LintCheck(.containerVersion) { subject, say in
    for container in subject.containers { subject.sayUnknown(container, &say) }
    for container in subject.containers {
      guard let plan = subject.plan(of: container), let schema = subject.schema(of: container),
        plan.plan.schemasProblem == nil, let last = plan.versions.last ?? nil, schema.name != last.name
      else { continue }
      if schema.origin == .versioned {
        say.add(
          at: container.place, schema: schema.name,
          message: "the container is made for \(schema.name), and \(plan.plan.name) ends with \(last.name)",
          notes: [.init("the plan's list", at: subject.place(ofStatic: "schemas", in: plan.id))])
        continue
      }
      guard schema.listProblem == nil, last.schema.listProblem == nil else { continue }
      subject.compare(schema, with: last, of: plan, at: container.place, say: &say)
    }
  }

  static let planNotUsed = LintCheck(.planNotUsed) { subject, say in
    for container in subject.containers
    where container.container.planName == nil && container.container.problem == nil && !container.isDisposable {
      guard let schema = subject.schema(of: container) else { continue }
      subject.sayWithoutAnyPlan(container, for: schema, &say)
      let own = Set(schema.entities.map(\.place))
      let plan = subject.plans.first { plan in
        (plan.versions.last ?? nil)?.schema.entities.contains { own.contains($0.place) } ?? false
      }
      guard let plan else { continue }
      let isInPreview = container.call.isInPreview
      say.add(
        isInPreview || plan.isSole ? .note : nil, at: container.place,
        message:
          "the container \(isInPreview ? "of this #Preview " : "")is made without \(plan.plan.name), the plan of its classes: it is not migrated as elsewhere",
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
      case .no, .undecided, .unknown: continue
      case .entitled(let path):
        say.add(
          at: container.place,
          message: "the container mirrors to CloudKit by '\(path)', since no cloudKitDatabase: says otherwise, and "
            + "\(plan.plan.name) has a custom stage, which other devices do not run", notes: notes)
      case .possible(let reason):
        say.add(
          at: container.place,
          message:
            "the container may mirror to CloudKit, and \(plan.plan.name) has a custom stage, which other devices do not run",
          notes: [.init("it may mirror: \(reason)", at: container.place)] + notes)
      case .stated:
        say.add(
          at: container.place,
          message:
            "the container mirrors to CloudKit, and \(plan.plan.name) has a custom stage, which other devices do not run",
          notes: notes)
      case .byDefault:
        say.add(
          .note, at: container.place,
          message:
            "with an iCloud entitlement the container mirrors to CloudKit, since no cloudKitDatabase: says otherwise, and "
            + "\(plan.plan.name) has a custom stage", notes: notes)
      }
    }
  }
}

extension LintSubject {
  /// Notes a container whose classes or plan are not known.
  fileprivate func sayUnknown(_ container: LintContainer, _ say: inout LintFindings) {
    guard !container.container.isTemporary else { return }
    if let problem = container.container.problem {
      return say.skip("what this container is made for is not known: \(problem)", at: container.place)
    }
    guard let schema = schema(of: container), schema.origin != .versioned, !schema.isListDoubtful,
      let problem = schema.listProblem
    else { return }
    say.skip("the classes of this container are not all known: \(problem)", at: container.place)
  }

  /// Reports a container beside versions of its classes where there is no plan at all.
  fileprivate func sayWithoutAnyPlan(
    _ container: LintContainer, for schema: SourceSchema, _ say: inout LintFindings
  ) {
    guard plans.isEmpty, !container.call.isInPreview else { return }
    let own = Set(schema.entities.map(\.name))
    let among = versions.filter { version in version.schema.entities.contains { $0.isListed && own.contains($0.name) } }
    let shared = own.filter { name in Set(among.compactMap { $0.entity(named: name)?.place }).count > 1 }
    guard !shared.isEmpty else { return }
    say.add(
      .note, at: container.place,
      message:
        "the container is made without a plan, and no plan names \(listed(among.map(\.name))): stores of older versions "
        + "are migrated as SwiftData infers it")
  }

  /// Compares the classes reached from a container with those of the plan's last version.
  fileprivate func compare(
    _ schema: SourceSchema, with last: LintVersion, of plan: LintPlan, at place: SourcePlace, say: inout LintFindings
  ) {
    var foreign: [SourceEntity] = []
    for entity in schema.entities {
      let own = last.entity(named: entity.name)
      guard own?.place != entity.place else { continue }
      switch isOfOtherVersion(entity, than: last) ? false : isEqual(entity, own) {
      case false?: foreign.append(entity)
      case nil: say.skip("whether \(entity.className) is like \(entity.name) of \(last.name) is not known", at: place)
      case true?: break
      }
    }
    let end = "\(plan.plan.name) ends with \(last.name)"
    // Apps grow beside a plan of one version.
    let isSole = plan.isSole
    if let first = foreign.first {
      let own = last.entity(named: first.name)
      let what =
        if own == nil { "no class" } else if foreign.count == 1 { "another class" } else { "other classes" }
      say.add(
        isSole && own == nil ? .note : nil, at: place, schema: last.name, entity: first.name,
        message:
          "the container is made for \(listed(foreign.map(\.className))), and \(end), which has \(what) of that name",
        notes: own.map { [.init("the class in \(last.name)", at: $0.place)] } ?? [])
      return
    }
    let reached = Set(schema.entities.map(\.name))
    let missing = last.schema.entities.filter { !reached.contains($0.name) }
    guard let first = missing.first else { return }
    say.add(
      at: place, schema: last.name, entity: first.name,
      message: "the container's classes do not reach \(listed(missing.map(\.name))), and \(end), which has "
        + (missing.count == 1 ? "it" : "them"), notes: [.init("the class in \(last.name)", at: first.place)])
  }

  /// Whether a class belongs to a version other than this one.
  private func isOfOtherVersion(_ entity: SourceEntity, than last: LintVersion) -> Bool {
    guard let home = classID(of: entity).flatMap(version(containing:)) else { return false }
    return home.id != last.id
  }

  /// Whether two classes make equal entities; nil where that is not known.
  private func isEqual(_ entity: SourceEntity, _ other: SourceEntity?) -> Bool? {
    guard let other else { return false }
    guard entity.certainty != .incomplete, other.certainty != .incomplete else { return nil }
    let (own, others) = (Set(entity.variants.map(\.hash)), Set(other.variants.map(\.hash)))
    if own == others { return true }
    return own.isDisjoint(with: others) ? false : nil
  }
}
