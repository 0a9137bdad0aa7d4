import StoreDataModel

/// Changes of entities.
extension EffectRules {
  func entityEffect(of change: ModelChange) -> Effect {
    let entity = change.place.destinationEntity ?? ""
    switch change.kind {
    case .entityAdded:
      var effect = Effect.yes(.a, afterwards: "a new, empty table")
      let constraints = difference.destination.entity(named: entity)?.uniquenessConstraints ?? []
      effect.rules = constraints.flatMap { uniquenessRules($0, of: entity) }
      return effect
    case .entityRemoved: return removal(of: change.place.sourceEntity ?? "")
    case .entityRenamed: return .yes(.a, afterwards: "all rows are kept")
    case .parent(let old, let new): return parentEffect(entity, from: old, to: new)
    case .abstract(true):
      return .yes(
        .c, afterwards: "rows of this very entity would be rows of an abstract entity",
        rules: .risk(
          .noRows([change.place.sourceEntity].compactMap { $0 }), met: .c, violated: .d,
          words: "a row of an abstract entity"))
    // Photos 10.15.7 to 10.16.0 made `Asset` concrete, apparently in a single lightweight migration.
    case .abstract: return .yes(.b, afterwards: "unchanged")
    case .entityModifier: return .yes(.b, afterwards: "unchanged")
    case .constraintAdded(let names):
      var effect = Effect.yes(.b, afterwards: "unchanged; a unique index is made")
      effect.rules = uniquenessRules(names, of: entity)
      return effect
    case .constraintRemoved: return .yes(.b, afterwards: "unchanged; the unique index goes")
    case .constraintChanged: return .yes(.b, afterwards: "unchanged; the unique index is made anew")
    default: return .unknown("not known")
    }
  }

  private func removal(of entity: String) -> Effect {
    guard difference.source.entity(named: entity)?.isAbstract == false else {
      return .yes(.a, afterwards: "it has no rows")
    }
    let isLikelyRename = difference.likelyRenames.contains {
      $0.place.sourceEntity == entity && $0.place.sourceProperty == nil
    }
    var effect = Effect.yes(isLikelyRename ? .b : .a, afterwards: "its rows are lost", rules: .loss(.noRows([entity])))
    effect.rules += rulesForLinks(at: entity)
    return effect
  }

  // MARK: Hierarchies

  private func parentEffect(_ entity: String, from old: String?, to new: String?) -> Effect {
    if let old, let new, difference.destinationEntity(of: old) == new { return .yes(.a, afterwards: "unchanged") }
    var effect: Effect
    if new == nil {
      effect = .yes(.b, afterwards: "rows move to a table of their own with their keys and values")
    } else if mergesHierarchies(entity) {
      return .no(.a, failure: .notInferable, afterwards: "hierarchies that had no common parent cannot be merged")
    } else {
      effect = .yes(
        .a, afterwards: "rows move to the table of the new root",
        rules: .risk(
          .noRows(rows(of: entity)), met: .a, violated: .d, words: "whether rows keep their values is not known"))
    }
    if let past = difference.sourceEntity(of: entity) {
      effect.rules += lossesByNewParent(of: past, rows(of: entity)).map { property, entities in
        .loss(.noValues(entities, property: property), words: "no place for it under the new parent")
      }
      effect.rules += concreteFamily(past).flatMap(rulesForLinks)
    }
    return effect
  }

  // MARK: Constraints

  /// The unique index is on the root's table, so rows of sibling entities count too.
  private func uniquenessRules(_ names: [String], of entity: String) -> [RowRule] {
    let own = rows(of: entity)
    let table = rows(of: difference.destination.root(of: entity)?.name ?? entity)
    let past = self.past(of: entity)
    guard let declarer = difference.sourceEntity(of: entity) ?? own.first ?? table.first else { return [] }
    let new = names.filter { past[$0] == nil }
    let old = names.compactMap { past[$0] }
    guard new.isEmpty else { return newKeyRules(new, beside: old, of: entity, rows: own) }
    var rules: [RowRule] = []
    for (entities, grade) in own.count < table.count ? [(own, Grade.b), (table, .c)] : [(own, .b)] {
      rules.append(
        .blocking(
          .noDuplicates(entity: declarer, among: entities, properties: old, nullsAreEqual: false),
          failure: .constraintViolation, met: .b, violated: grade, words: "duplicates under the new constraint"))
    }
    if names.count > 1 {
      rules.append(
        .risk(
          .noDuplicates(entity: declarer, among: own, properties: old, nullsAreEqual: true), met: .b, violated: .b,
          words: "duplicates to people, not to the index: a part is NULL"))
    }
    return rules
  }

  /// A new property is NULL in all rows, so nothing collides, or it has the same default in all of them.
  private func newKeyRules(
    _ new: [String], beside old: [String], of entity: String, rows: [String]
  ) -> [RowRule] {
    let haveDefaults = new.allSatisfy {
      difference.destination.property($0, of: entity)?.attribute?.defaultValue != nil
    }
    guard haveDefaults, let declarer = difference.sourceEntity(of: entity) else { return [] }
    let condition: RowCondition =
      old.isEmpty
      ? .atMostOneRow(rows)
      : .noDuplicates(entity: declarer, among: rows, properties: old, nullsAreEqual: false)
    return [
      .blocking(
        condition, failure: .constraintViolation, met: .b, violated: .d,
        words: "the same default in every row under a new constraint")
    ]
  }
}
