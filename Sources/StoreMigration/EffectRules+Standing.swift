import StoreDataModel

/// Existing defects of the rows that a migration does not check and carries along.
extension EffectRules {
  var standingRules: [RowRule] {
    difference.destination.entities.flatMap { entity in
      difference.sourceEntity(of: entity.name) == nil ? [] : entity.properties.compactMap { rule($0, of: entity.name) }
    }
  }

  private func rule(_ property: Property, of entity: String) -> RowRule? {
    guard !property.isTransient, !(property.isOptional && property.attribute != nil),
      let past = self.past(of: entity)[property.name],
      let source = difference.sourceEntity(of: entity), let old = difference.source.property(past, of: source),
      !old.isTransient, old.kindName == property.kindName
    else { return nil }
    let rows = rows(of: entity)
    switch (property.kind, old.kind) {
    case (.attribute(let attribute), .attribute):
      let isOldRequirement = !property.isOptional && !old.isOptional
      guard isOldRequirement, attribute.derivation == nil, attribute.elements == nil else { return nil }
      return .risk(
        .noNulls(rows, property: past), met: .a, violated: .b, codeAtSave: 1570,
        words: "an old NULL in a required attribute")
    case (.relationship, .relationship(let relationship)):
      if !relationship.isToMany {
        return .risk(.noDanglingKeys(rows, property: past), met: .a, violated: .c, words: "a key that leads nowhere")
      }
      let inverse = relationship.inverse.flatMap { difference.source.property($0, of: relationship.destination) }
      guard inverse?.relationship?.isToMany != false, inverse != nil else { return nil }
      return .risk(
        .noOrphanedLinks(rows, property: past), met: .a, violated: .b,
        words: "a link of a join table that leads nowhere")
    case (_, .attribute), (_, .relationship), (_, .fetched): return nil
    }
  }
}
