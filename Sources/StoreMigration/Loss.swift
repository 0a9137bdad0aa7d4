import StoreDataModel

/// Something a store may hold that is gone after a migration that succeeds.
public struct Loss: Sendable, Hashable {
  /// What is gone.
  public var kind: Kind
  /// The entity by the store's name: the one that is gone, or the one that declares the property.
  public var entity: String
  /// The property by the store's name, an element of a composite with its path ("address.city"); nil when whole rows are
  /// gone.
  public var property: String?
  /// What the rows would have to be like for nothing to be lost.
  public var condition: RowCondition
  /// How sure it is that what they hold is gone.
  public var grade: Grade

  /// What is gone, the gravest first.
  public enum Kind: String, Sendable, CaseIterable {
    /// All rows of an entity that is removed.
    case rows
    /// All values of a property that is removed or no longer stored.
    case values
    /// All links of a relationship that is removed, or leads elsewhere.
    case links
    /// The values of a property in rows of those entities that it was moved away from.
    case someValues
    /// The links of a relationship beyond the first of an object.
    case someLinks
    /// The order of the links of a relationship.
    case order
  }
}

extension MigrationInference {
  /// What is gone after the migration, if there was anything; in the order of the changes, each once.
  public var losses: [Loss] {
    var seen: Set<Loss> = []
    return judged.flatMap { losses(of: $0.change, $0.effect) }.filter { seen.insert($0).inserted }
  }

  private func losses(of change: ModelChange, _ effect: Effect) -> [Loss] {
    guard change.entersHash else { return [] }
    return effect.rules.compactMap { loss(of: change, $0, effect.grade) }
  }

  /// What a rule of a change takes away; nil where it takes nothing.
  func loss(of change: ModelChange, _ rule: RowRule, _ grade: Grade) -> Loss? {
    guard rule.consequence == .loses else { return nil }
    return Loss(change.kind, rule.condition, in: difference.source, max(grade, rule.gradeWhenViolated))
  }
}

extension MigrationInference {
  /// What a later migration drops, under the names of the source; nil for what the source's rows do not hold yet.
  func inSource(_ judged: MigrationOutcome.JudgedLoss) -> MigrationOutcome.JudgedLoss? {
    guard let condition = inSource(judged.loss.condition),
      let place = Loss.place(condition, in: difference.source)
    else { return nil }
    var own = judged
    (own.loss.condition, own.loss.entity, own.loss.property) = (condition, place.entity, place.property)
    return own
  }
}

extension Loss {
  /// Nil for what is not stored.
  fileprivate init?(_ change: ModelChange.Kind, _ condition: RowCondition, in model: Model, _ grade: Grade) {
    guard let place = Self.place(condition, in: model) else { return nil }
    let kind: Kind =
      switch (condition, change) {
      case (.atMostOneLink, .ordered): .order
      case (.atMostOneLink, _): .someLinks
      case (_, .moved), (_, .parent): .someValues
      default: place.property == nil ? .rows : place.isRelationship ? .links : .values
      }
    self.init(kind: kind, entity: place.entity, property: place.property, condition: condition, grade: grade)
  }

  /// What a condition of a loss is about; nil for what is not stored.
  fileprivate static func place(
    _ condition: RowCondition, in model: Model
  ) -> (entity: String, property: String?, isRelationship: Bool)? {
    switch condition {
    case .noRows(let entities): return entities.first.map { ($0, nil, false) }
    case .noValues(let entities, let property), .atMostOneLink(let entities, let property):
      // Of an element of a composite the part before the point is the attribute.
      let names = [property, String(property.prefix { $0 != "." })]
      guard let entity = entities.first, let name = names.first(where: { model.property($0, of: entity) != nil }),
        let held = model.property(name, of: entity), EffectRules.isStored(held)
      else { return nil }
      return (model.topmostDeclarer(of: name, in: entity) ?? entity, property, held.relationship != nil)
    case .atMostOneRow, .noNulls, .noDuplicates, .numericFits, .linksWithin, .linkCount, .valid, .noDanglingKeys,
      .noOrphanedLinks:
      return nil
    }
  }
}
