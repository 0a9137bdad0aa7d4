import StoreMigration
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

/// Two versions that follow each other, with what is different, judged as `diagnose` judges it.
struct Neighbours {
  let from: LintVersion
  let to: LintVersion
  let difference: ModelDifference
  let inference: MigrationInference
  /// Classes that look renamed.
  let renamedClasses: [ModelChange.Place]

  /// Nil where the classes of one contradict one another so that they make no model.
  init?(from: LintVersion, to: LintVersion) {
    guard let old = try? from.schema.model(), let new = try? to.schema.model() else { return nil }
    self.from = from
    self.to = to
    difference = ModelDifference(from: old, to: new)
    inference = MigrationInference(difference)
    renamedClasses = RenamedClasses(difference).all
  }

  /// Whether what a change says rests on what is known: nothing of the property, or of its whole class, is missing.
  func isKnown(_ change: ModelChange) -> Bool {
    isKnown(change.place.sourceEntity, change.place.sourceProperty, in: from)
      && isKnown(change.place.destinationEntity, change.place.destinationProperty, in: to)
  }

  private func isKnown(_ entity: String?, _ property: String?, in version: LintVersion) -> Bool {
    guard let entity = entity.flatMap(version.entity(named:)) else { return true }
    return !entity.reasons.contains { $0.property == nil || $0.property == property }
  }
}

extension LintSubject {
  /// The property of a version's entity, where the class declares it.
  func member(_ property: String?, of entity: String?, in version: LintVersion) -> ModelMember? {
    guard let property, let entity = entity.flatMap(version.entity(named:)) else { return nil }
    return member(property, of: shape(of: entity))
  }
}
