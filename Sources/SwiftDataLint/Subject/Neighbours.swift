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
    guard let old = from.model, let new = to.model else { return nil }
    self.from = from
    self.to = to
    difference = ModelDifference(from: old, to: new)
    inference = MigrationInference(difference)
    renamedClasses = RenamedClasses(difference).all
  }

  /// The property of the newer version that is meant to hold what one of the older version does: the one whose
  /// `originalName:` names it, or else the one of its name. Whether its values get there is for the inference to say.
  func heir(of property: String, in entity: String) -> (entity: String, property: String)? {
    guard let old = difference.source.property(property, of: entity),
      let next = difference.destinationEntity(of: entity)
    else { return nil }
    let all = difference.destination.properties(of: next).values.map(\.property).filter { $0.kindName == old.kindName }
    let before = difference.source.properties(of: entity)
    let names: Set = [property, old.renamingIdentifier ?? property]
    let named = all.first { $0.renamingIdentifier.map(names.contains) ?? false }
    let same = all.first { candidate in
      // One that took the name over from another property holds that one's values.
      candidate.name == property
        && candidate.renamingIdentifier.map { $0 == property || before[$0] == nil } ?? true
    }
    return (named ?? same).map { (next, $0.name) }
  }

  /// Whether everything that a change depends on is known: the property, or its whole class.
  func isKnown(_ change: ModelChange) -> Bool {
    isKnown(change.place.sourceEntity, property: change.place.sourceProperty, in: from)
      && isKnown(change.place.destinationEntity, property: change.place.destinationProperty, in: to)
  }

  func isKnown(_ entity: String?, property: String?, in version: LintVersion) -> Bool {
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
