import StoreMigration

extension MigrationOutcome.JudgedRule {
  /// The entity whose rows the rule is about, by the store's name.
  var entity: String? { owner ?? change?.place.sourceEntity }

  /// The property by its name in the store, or by the new one if those rows lack it; the properties of a constraint are
  /// separated by commas.
  var property: String? {
    switch change?.kind {
    case .constraintAdded(let names): names.joined(separator: ",")
    default:
      isElsewhere
        ? change?.place.destinationProperty : change?.place.sourceProperty ?? change?.place.destinationProperty
    }
  }

  /// Whether the rows are of another entity than the one that had the property.
  private var isElsewhere: Bool {
    guard let change, let owner, change.place.destinationProperty != nil else { return false }
    return change.place.sourceProperty != nil && owner != change.place.sourceEntity
  }
}
