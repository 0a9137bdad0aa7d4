import StoreDataModel
import StoreWords

/// Data a store may hold that a successful migration drops.
public struct Loss: Sendable, Hashable {
  /// The kind of loss.
  package var kind: Kind
  /// The entity by its name in the store: the removed one, or the one that declares the property.
  package var entity: String
  /// The property by its name in the store; an element of a composite with its path ("address.city"); nil if whole
  /// rows are lost.
  package var property: String?
  /// The condition on the rows under which nothing is lost.
  package var condition: RowCondition
  /// How certain it is that the data is lost.
  package var grade: Grade
  /// Why it may be kept after all; lower case, no full stop. Nil where it is lost.
  package var doubt: String?

  /// The kinds of losses, most severe first.
  public enum Kind: String, Sendable, CaseIterable {
    /// All rows of an entity that is removed.
    case rows
    /// All values of a property that is removed or no longer stored.
    case values
    /// All links of a relationship that is removed or gets another destination.
    case links
    /// The values of a property in rows of entities that no longer have it, because it or the entity moved.
    case someValues
    /// All but one link per object of a relationship.
    case someLinks
    /// The order of the links of a relationship.
    case order
  }
}

extension MigrationInference {
  /// The data that the migration drops if the store holds it; in the order of the changes, each once.
  package var losses: [Loss] {
    var seen: Set<Loss> = []
    return judged.flatMap { losses(of: $0.change, $0.effect) }.filter { seen.insert($0).inserted }
  }

  private func losses(of change: ModelChange, _ effect: Effect) -> [Loss] {
    guard change.takesEffect else { return [] }
    return effect.rules.compactMap { loss(of: change, rule: $0, grade: effect.grade) }
  }

  /// The loss that a rule of a change describes; nil if it is no loss.
  func loss(of change: ModelChange, rule: RowRule, grade: Grade) -> Loss? {
    guard rule.consequence == .loses else { return nil }
    return Loss(
      of: change, where: rule.condition, in: difference.source, grade: max(grade, rule.gradeWhenViolated),
      sharesPlaces: otherSide(of: change)?.isToMany == true)
  }
}

extension MigrationInference {
  /// The relationship on the other side of a changed one, in the model that the migration leads to.
  private func otherSide(of change: ModelChange) -> Relationship? {
    guard let entity = change.place.destinationEntity, let property = change.place.destinationProperty,
      let new = difference.destination.property(property, of: entity)?.relationship
    else { return nil }
    return new.inverse.flatMap { difference.destination.property($0, of: new.destination)?.relationship }
  }
}

extension MigrationInference {
  /// The loss of a later migration under the names of the source; nil for what the source's rows do not hold yet.
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
  /// Nil if the property is not stored.
  ///
  /// - Parameter sharesPlaces: whether the other side of a changed relationship leads to many objects, so that all links have
  ///   a place.
  fileprivate init?(
    of change: ModelChange, where condition: RowCondition, in model: Model, grade: Grade, sharesPlaces: Bool
  ) {
    guard let place = Self.place(condition, in: model) else { return nil }
    let kind: Kind =
      switch (condition, change.kind) {
      case (.atMostOneLink, .ordered): .order
      // Of the other side's links, which all stay.
      case (.atMostOneLink(_, let property), .maximumCount)
      where property != change.place.sourceProperty && sharesPlaces:
        .order
      case (.atMostOneLink, _): .someLinks
      case (_, .moved), (_, .parent): .someValues
      default:
        if place.property == nil {
          .rows
        } else if place.isRelationship {
          .links
        } else {
          .values
        }
      }
    self.init(
      kind: kind, entity: place.entity, property: place.property, condition: condition, grade: grade,
      doubt: Self.doubt(change))
  }

  private static func doubt(_ change: ModelChange) -> String? {
    guard change.unpairs, case .renamingIdentifier(let old, let new) = change.kind else { return nil }
    return
      "its renaming identifier was \(old.map(quoted) ?? "none") and is \(new.map(quoted) ?? "none"), and whether an equal "
      + "name is enough then is not known"
  }

  /// The entity and property that the condition of a loss is about; nil if not stored.
  fileprivate static func place(
    _ condition: RowCondition, in model: Model
  ) -> (entity: String, property: String?, isRelationship: Bool)? {
    switch condition {
    case .noRows(let entities): return entities.first.map { ($0, nil, false) }
    case .noValues(let entities, let property), .atMostOneLink(let entities, let property):
      // For an element of a composite, the part before the point is the attribute.
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
