import StoreMigration

extension MigrationOutcome.JudgedRule {
  /// The entity the rule is about, by the store's name.
  var entity: String? { change?.place.sourceEntity ?? violations.first?.entity }

  /// The property by its name in the store, or by the new one if the store lacks it; the properties of a constraint
  /// are separated by commas.
  var property: String? {
    switch change?.kind {
    case .constraintAdded(let names): names.joined(separator: ",")
    default: change?.place.sourceProperty ?? change?.place.destinationProperty
    }
  }
}
