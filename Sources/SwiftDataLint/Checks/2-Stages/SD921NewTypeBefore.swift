import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let newTypeBefore = LintCheck(.newTypeBefore) { subject, say in
    subject.sayForeignTypes(in: .willMigrate, &say)
  }

  static let oldTypeAfter = LintCheck(.oldTypeAfter) { subject, say in
    subject.sayForeignTypes(in: .didMigrate, &say)
  }

  static let liveTypeInStage = LintCheck(.liveTypeInStage) { subject, say in
    for moment in [StageBody.Moment.willMigrate, .didMigrate] {
      subject.forEachBody(moment, say: &say) { stage, body, say in
        for (reference, home) in subject.homes(of: body, in: stage) {
          subject.sayUnstable(reference, home: home, stage: stage, moment: moment, say: &say)
        }
      }
    }
  }
}

/// The version that a class belongs to, relative to a stage.
private enum Home {
  case old, new, both
  /// Another version; nil for a live class.
  case other(LintVersion?)
}

extension LintSubject {
  /// The classes a body mentions, each once, with their version.
  fileprivate func homes(of body: StageBody, in stage: StageDeclaration) -> [(StageBody.Reference, Home)] {
    let old = classes(of: stage.fromVersion)
    let new = classes(of: stage.toVersion)
    var seen: Set<String> = []
    return body.references.filter { seen.insert("\($0.id.number) \($0.text)").inserted }.map { reference in
      switch (old.contains(reference.id), new.contains(reference.id)) {
      case (true, true): (reference, .both)
      case (true, false): (reference, .old)
      case (false, true): (reference, .new)
      case (false, false): (reference, .other(version(containing: reference.id)))
      }
    }
  }

  /// The classes of a version: those of its model, and those inside of its type.
  private func classes(of version: TypeID?) -> Set<TypeID> {
    guard let version = versions.first(where: { $0.id == version }) else { return [] }
    return Set(version.schema.entities.compactMap(classID))
      .union(project.models.filter { self.version(containing: $0)?.id == version.id })
  }

  fileprivate func sayForeignTypes(in moment: StageBody.Moment, _ say: inout LintFindings) {
    forEachBody(moment, say: &say) { stage, body, say in
      for (reference, home) in homes(of: body, in: stage) {
        switch (home, moment) {
        case (.new, .willMigrate):
          say.add(
            at: place(reference.span, in: reference.file), schema: stage.stage.toVersion,
            entity: names[reference.id].name,
            message: "willMigrate knows the classes of \(stage.stage.fromVersion) only, and \(reference.text)"
              + "\(alias(of: reference)) is of \(stage.stage.toVersion)", notes: notes(reference, in: stage))
        case (.old, .didMigrate):
          say.add(
            at: place(reference.span, in: reference.file), schema: stage.stage.fromVersion,
            entity: names[reference.id].name,
            message: "didMigrate knows the classes of \(stage.stage.toVersion) only, and \(reference.text)"
              + "\(alias(of: reference)) is of \(stage.stage.fromVersion)", notes: notes(reference, in: stage))
        case (.old, .willMigrate), (.new, .didMigrate), (.both, _), (.other, _): continue
        }
      }
    }
  }

  fileprivate func sayUnstable(
    _ reference: StageBody.Reference, home: Home, stage: StageDeclaration, moment: StageBody.Moment,
    say: inout LintFindings
  ) {
    let place = place(reference.span, in: reference.file)
    let (from, to) = (stage.stage.fromVersion, stage.stage.toVersion)
    let entity = names[reference.id].name
    switch home {
    case .other(let version?):
      say.add(
        .error, at: place, schema: version.name, entity: entity,
        message:
          "the stage from \(from) to \(to) names \(reference.text)\(alias(of: reference)), which is of \(version.name)",
        notes: notes(reference, in: stage))
    case .other(nil):
      say.add(
        .warning, at: place, entity: entity,
        message: "the stage from \(from) to \(to) names \(reference.text), a live class: neither version has it",
        notes: notes(reference, in: stage))
    case .old, .new, .both:
      let isWrongSide = if case .old = home { moment == .didMigrate } else { false }
      let isEarly = if case .new = home { moment == .willMigrate } else { false }
      guard reference.isBare, !isWrongSide, !isEarly else { return }
      // Inside of a version, a bare name is that version's class.
      if let type = stage.scope.type, version(containing: reference.id).map({ isInside(type, $0.id) }) ?? false {
        return
      }
      say.add(
        .warning, at: place, schema: moment == .willMigrate ? from : to, entity: entity,
        message:
          "\(reference.text)\(alias(of: reference)) is named without its version: the stage changes when the name moves on",
        notes: notes(reference, in: stage))
    }
  }

  private func isInside(_ type: TypeID, _ outer: TypeID) -> Bool {
    var current: TypeID? = type
    while let id = current {
      if id == outer { return true }
      current = names[id].parent
    }
    return false
  }

  /// " (V2.Note)" for a name that does not show the version.
  private func alias(of reference: StageBody.Reference) -> String {
    let name = names[reference.id].qualifiedName
    return name == reference.text ? "" : " (\(name))"
  }

  private func notes(_ reference: StageBody.Reference, in stage: StageDeclaration) -> [SourceFinding.Note] {
    reference.helper.map { [.init("the stage calls \($0)", at: stage.stage.place)] } ?? []
  }
}
