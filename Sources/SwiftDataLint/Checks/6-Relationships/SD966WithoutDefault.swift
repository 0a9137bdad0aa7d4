import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let manyToManyWithoutDefault = LintCheck(.manyToManyWithoutDefault) { subject, say in
    var seen: Set<SourcePlace> = []
    let deploymentTargets = DeploymentTargets(subject.project.surroundings)
    for (left, right) in subject.statedPairs where left.relationship.isToMany && right.relationship.isToMany {
      for end in [left, right] where end.lacksDefault && seen.insert(end.place).inserted {
        let targets = deploymentTargets.nearest(to: end.place.file)
        guard !targets.isEmpty else {
          say.skip("neither Package.swift nor a project of Xcode says which systems the app runs on", at: end.place)
          continue
        }
        guard let first = targets.first(where: \.isFirstWithSwiftData) else { continue }
        say.add(
          at: end.place, schema: subject.version(containing: end.owner)?.name, entity: end.ownerName,
          property: end.name,
          message:
            "\(end.text) is many-to-many and has no initial value, and '\(first.path)' allows \(first.system): that fails for "
            + "some names of classes", fix: end.withDefault)
      }
    }
  }
}

extension LintRelationship {
  fileprivate var lacksDefault: Bool { !isOptional && member.stored.variable.initialValue == nil }

  /// The edit that adds `= []`. It is certain: the initialiser sets the value as before, and defaults are not hashed.
  fileprivate var withDefault: SourceFinding.Fix? {
    guard let span = member.stored.variable.typeSpan, member.stored.variable.nameCount == 1,
      member.stored.variable.storage == .stored
    else { return nil }
    return SourceFinding.Fix(
      "write = []", edits: [.init(file: place.file, offset: span.end, length: 0, replacement: " = []")],
      isCertain: true)
  }
}
