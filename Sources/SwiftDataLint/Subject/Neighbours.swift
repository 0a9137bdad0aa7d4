import StoreMigration
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

/// Two consecutive versions with their differences, judged by the same rules as in `diagnose`.
struct Neighbours {
  let from: LintVersion
  let to: LintVersion
  let difference: ModelDifference
  let inference: MigrationInference
  /// Classes that seem to be renamed.
  let renamedClasses: [ModelChange.Place]

  /// Nil where the classes of one version contradict one another, and make no model.
  init?(from: LintVersion, to: LintVersion) {
    guard let old = try? from.schema.model(), let new = try? to.schema.model() else { return nil }
    self.from = from
    self.to = to
    difference = ModelDifference(from: old, to: new)
    inference = MigrationInference(difference)
    renamedClasses = RenamedClasses(difference).all
  }

  /// Whether everything that a change depends on is known: the property, or its whole class.
  func isKnown(_ change: ModelChange) -> Bool {
    isKnown(change.place.sourceEntity, property: change.place.sourceProperty, in: from)
      && isKnown(change.place.destinationEntity, property: change.place.destinationProperty, in: to)
  }

  private func isKnown(_ entity: String?, property: String?, in version: LintVersion) -> Bool {
    guard let entity = entity.flatMap(version.entity(named:)) else { return true }
    return !entity.reasons.contains { $0.property == nil || $0.property == property }
  }
}

extension LintSubject {
  /// The property of a version's entity, if the class itself declares it.
  func member(_ property: String?, of entity: String?, in version: LintVersion) -> ModelMember? {
    guard let property, let entity = entity.flatMap(version.entity(named:)) else { return nil }
    return member(property, of: shape(of: entity))
  }
}
