import StoreDataModel

/// The rows as known at a later step of a staged migration: the rows that are in the store now, under the
/// names of that step.
///
/// A condition on a property that the store does not have yet cannot be answered.
package struct LaterRows: RowFacts {
  package let rows: any RowFacts
  /// The migration from the store's model to the one the step starts at.
  package let past: MigrationInference

  package init(rows: any RowFacts, past: MigrationInference) {
    self.rows = rows
    self.past = past
  }

  package func violations(of condition: RowCondition) -> [RowViolation]? {
    past.inSource(condition).flatMap(rows.violations)
  }
}

extension MigrationInference {
  /// A condition on the destination's rows, translated to the source's names; nil if the source has no such property.
  func inSource(_ condition: RowCondition) -> RowCondition? {
    switch condition {
    case .noRows(let names): .noRows(entities(names))
    case .atMostOneRow(let names): .atMostOneRow(entities(names))
    case .noNulls(let names, let property):
      old(property, in: names).map { .noNulls(entities(names), property: $0) }
    case .noValues(let names, let property):
      old(property, in: names).map { .noValues(entities(names), property: $0) }
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      duplicates(of: entity, among: among, by: properties, nullsAreEqual: nullsAreEqual)
    case .numericFits(let names, let property, let type):
      old(property, in: names).map { .numericFits(entities(names), property: $0, to: type) }
    case .atMostOneLink(let names, let property):
      old(property, in: names).map { .atMostOneLink(entities(names), property: $0) }
    case .linksWithin(let names, let property, let destinations):
      old(property, in: names).map {
        .linksWithin(entities(names), property: $0, destinations: entities(destinations))
      }
    case .linkCount(let names, let property, let minimum, let maximum):
      old(property, in: names).map { .linkCount(entities(names), property: $0, minimum: minimum, maximum: maximum) }
    case .valid(let names, let property, let validation):
      old(property, in: names).map { .valid(entities(names), property: $0, validation) }
    case .noDanglingKeys(let names, let property):
      old(property, in: names).map { .noDanglingKeys(entities(names), property: $0) }
    case .noOrphanedLinks(let names, let property):
      old(property, in: names).map { .noOrphanedLinks(entities(names), property: $0) }
    }
  }

  private func duplicates(
    of entity: String, among: [String], by properties: [String], nullsAreEqual: Bool
  ) -> RowCondition? {
    guard let past = difference.sourceEntity(of: entity) else { return nil }
    let names = properties.compactMap { old($0, in: [entity]) }
    guard names.count == properties.count else { return nil }
    return .noDuplicates(entity: past, among: entities(among), properties: names, nullsAreEqual: nullsAreEqual)
  }

  private func entities(_ names: [String]) -> [String] { names.compactMap(difference.sourceEntity) }

  private func old(_ property: String, in entities: [String]) -> String? {
    if let name = entities.lazy.compactMap({ pasts[$0]?[property] }).first { return name }
    // An element of a composite is found by its attribute.
    let name = property.prefix { $0 != "." }
    guard name.count < property.count else { return nil }
    return entities.lazy.compactMap { pasts[$0]?[String(name)] }.first.map { $0 + property.dropFirst(name.count) }
  }
}
