import StoreDataModel

/// Properties added, removed, renamed, made optional or required.
extension EffectRules {
  func propertyEffect(of change: ModelChange) -> Effect {
    switch change.kind {
    case .added: return addition(change)
    case .removed(let kind): return removal(change, kind: kind)
    case .renamed: return rename(change)
    case .moved(_, let movement): return move(change, movement: movement)
    case .propertyKind(let old, let new):
      if old == .fetchedProperty || new == .fetchedProperty { return .unknown("not known") }
      return .no(
        .d, failure: .notInferable, afterwards: "an attribute cannot become a relationship, nor the other way round")
    case .optional(true): return .yes(.a, afterwards: "unchanged")
    case .optional: return newlyRequired(change)
    case .transient(true):
      guard let place = stored(change) else { return .yes(.d, afterwards: "its values are lost") }
      return .yes(
        .d, afterwards: "its values are lost", rules: .loss(.noValues(place.entities, property: place.property)))
    case .transient: return newlyStored(change)
    case .readOnly: return .yes(.d, afterwards: "not known")
    case .propertyModifier: return .yes(.b, afterwards: "unchanged")
    default: return .unknown("not known")
    }
  }

  private func removal(_ change: ModelChange, kind: ModelChange.PropertyKind) -> Effect {
    let what = kind == .relationship ? "its links are lost" : "its values are lost"
    guard let past = change.place.sourceProperty, let entity = change.place.sourceEntity else {
      return .yes(.a, afterwards: what)
    }
    guard let property = difference.source.property(past, of: entity), Self.isStored(property) else {
      return .yes(.a, afterwards: "nothing of it is stored")
    }
    return keptLinks(past, of: entity) ?? loss(of: past, in: rowsLosing(past, of: entity), afterwards: what)
  }

  /// An abstract entity without subentities has no rows, so nothing can be lost.
  private func loss(of property: String, in entities: [String], afterwards: String) -> Effect {
    var effect = Effect.yes(.a, afterwards: afterwards)
    effect.rules = entities.isEmpty ? [] : [.loss(.noValues(entities, property: property))]
    return effect
  }

  // MARK: Adding

  private func addition(_ change: ModelChange) -> Effect {
    guard let property = destinationProperty(of: change), let entity = change.place.destinationEntity else {
      return .unknown("not known")
    }
    let rows = rowsWithout(property.name, of: entity)
    switch property.kind {
    case .attribute(let attribute): return addition(of: attribute, property: property, rows: rows)
    case .relationship(let relationship): return addition(of: relationship, property: property, rows: rows)
    case .fetched: return .unhashed(.a, afterwards: "unchanged")
    }
  }

  private func addition(of attribute: Attribute, property: Property, rows: [String]) -> Effect {
    if attribute.derivation != nil {
      return .yes(
        .b, afterwards: "the column is made; whether old rows are computed is not known",
        rules: .risk(.noRows(rows), met: .b, violated: .d, words: "the value in old rows is not known"))
    }
    if attribute.elements != nil { return .yes(.d, afterwards: "its elements hold NULL or their defaults") }
    if attribute.defaultValue?.isUnreadable == true {
      let afterwards = "the default in every row: it is there, and which it is cannot be read"
      // A required property needs a default; whether this one counts as a default is not known.
      if property.isOptional { return .yes(.b, afterwards: afterwards) }
      return .yes(
        .a, afterwards: afterwards,
        rules: .risk(
          .noRows(rows), met: .c, violated: .d,
          words: "filled with a default that cannot be read, or 134110 if it is none"))
    }
    if let value = attribute.defaultValue {
      // That a negative default arrives unchanged was observed: Photos' `gpsHorizontalAccuracy`, -1 in 16 rows.
      return .yes(property.isOptional || value.isNegative ? .b : .a, afterwards: "the default in every row")
    }
    if property.isOptional { return .yes(.a, afterwards: "NULL in every row") }
    return .yes(
      .a, afterwards: "there is no value to give them",
      rules: missing(rows, failure: .missingAttribute, met: .c, violated: .b))
  }

  private func addition(of relationship: Relationship, property: Property, rows: [String]) -> Effect {
    if property.isOptional { return .yes(.a, afterwards: "no links") }
    if relationship.isToMany {
      return .yes(
        .b, afterwards: "no links; a touched object fails at its next save",
        rules: .risk(
          .noRows(rows), met: .b, violated: .b, codeAtSave: 1580, words: "no links in a required relationship"))
    }
    return .yes(
      .a, afterwards: "there is no value to give them",
      rules: missing(rows, failure: .missingRelationship, met: .c, violated: .b))
  }

  private func missing(_ rows: [String], failure: Failure, met: Grade, violated: Grade) -> RowRule {
    .blocking(.noRows(rows), failure: failure, met: met, violated: violated, words: "no value for a required property")
  }

  // MARK: Renaming and moving

  private func rename(_ change: ModelChange) -> Effect {
    guard let property = destinationProperty(of: change) else { return .unknown("not known") }
    if property.attribute?.elements != nil { return .yes(.d, afterwards: "the elements are read under the new name") }
    if let kept = keptByPlace(change, property) { return kept }
    // If a new property has the old name, it is not known which of the two gets the values.
    let entity = change.place.destinationEntity ?? ""
    let canonical = property.renamingIdentifier ?? property.name
    let isAmbiguous = difference.destination.properties(of: entity).values.contains { other in
      let other = other.property
      return other.name != property.name && (other.renamingIdentifier ?? other.name) == canonical
        && past(of: entity)[other.name] == nil
    }
    return isAmbiguous
      ? .yes(.d, afterwards: "kept, or taken by the new property of the old name")
      : .yes(.a, afterwards: "kept")
  }

  /// The effect on a to-many relationship that has another name, no identifier, and its links in the same place as
  /// before; nil for any other.
  private func keptByPlace(_ change: ModelChange, _ property: Property) -> Effect? {
    guard let old = sourceProperty(of: change), let relationship = property.relationship, relationship.isToMany,
      (old.renamingIdentifier ?? old.name) != (property.renamingIdentifier ?? property.name),
      let inverse = relationship.inverse
    else { return nil }
    let isShared =
      difference.destination.property(inverse, of: relationship.destination)?.relationship?.isToMany == true
    return .yes(
      isShared ? .c : .b,
      afterwards: "links are kept: they stand in \(isShared ? "the join table of " : "")"
        + "'\(relationship.destination).\(inverse)'")
  }

  private func move(_ change: ModelChange, movement: ModelChange.Movement) -> Effect {
    guard let property = destinationProperty(of: change), let entity = change.place.destinationEntity else {
      return .unknown("not known")
    }
    switch movement {
    case .up:
      let others = rowsWithout(property.name, of: entity)
      if others.isEmpty { return .yes(.a, afterwards: "kept") }
      if property.isFilledByUnreadableDefault {
        return .yes(
          .b, afterwards: "kept where it was; a default that cannot be read in the other rows of the hierarchy",
          rules: .risk(
            .noRows(others), met: .c, violated: .d,
            words: "filled with a default that cannot be read, or 134110 if it is none"
          ))
      }
      if property.isFilled {
        return .yes(.b, afterwards: "kept where it was; the default or NULL in the other rows of the hierarchy")
      }
      let failure = property.relationship == nil ? Failure.missingAttribute : .missingRelationship
      return .yes(
        .b, afterwards: "kept where it was; the other rows of the hierarchy have no value",
        rules: missing(others, failure: failure, met: .c, violated: .b))
    case .down:
      guard let past = change.place.sourceProperty, let old = change.place.sourceEntity else {
        return .yes(.a, afterwards: "kept in the rows of this entity, lost elsewhere")
      }
      let others = rowsLosing(past, of: old)
      return loss(
        of: past, in: others, afterwards: others.isEmpty ? "kept" : "kept in the rows of this entity, lost elsewhere")
    case .redeclared, .redeclarationRemoved: return .yes(.d, afterwards: "kept")
    }
  }

  // MARK: Optional and transient

  private func newlyRequired(_ change: ModelChange) -> Effect {
    guard let property = destinationProperty(of: change), let place = stored(change) else {
      return .unknown("not known")
    }
    // If it also becomes stored, the rule for newly stored properties decides.
    guard sourceProperty(of: change)?.isTransient == false else { return .yes(.a, afterwards: "unchanged") }
    let condition = RowCondition.noNulls(place.entities, property: place.property)
    switch property.kind {
    case .attribute(let attribute) where attribute.derivation != nil || attribute.elements != nil:
      return .yes(.d, afterwards: "unchanged")
    case .attribute(let attribute) where attribute.defaultValue != nil:
      return .yes(
        .a,
        afterwards: attribute.defaultValue?.isUnreadable == true
          ? "unchanged; NULLs are filled with a default that cannot be read, or stop the migration: not known which"
          : "unchanged; NULLs are filled with the default, or stop the migration: not known which",
        rules: .risk(condition, met: .a, violated: .d, words: "filled with the default, or 134110"))
    case .attribute:
      return .yes(
        .a, afterwards: "unchanged",
        rules: .blocking(
          condition, failure: .missingAttribute, met: .b, violated: .b, words: "NULL in a newly required attribute"))
    case .relationship(let relationship) where relationship.isToMany:
      return .yes(
        .c, afterwards: "unchanged; an object without links fails at its next save",
        rules: .risk(
          .linkCount(place.entities, property: place.property, minimum: 1, maximum: 0), met: .c, violated: .c,
          codeAtSave: 1580, words: "no links in a required relationship"))
    case .relationship:
      return .yes(
        .a, afterwards: "unchanged",
        rules: .blocking(
          condition, failure: .missingRelationship, met: .c, violated: .c,
          words: "no link in a newly required relationship"))
    case .fetched: return .unhashed(.a, afterwards: "unchanged")
    }
  }

  private func newlyStored(_ change: ModelChange) -> Effect {
    guard let property = destinationProperty(of: change), let entity = change.place.destinationEntity else {
      return .unknown("not known")
    }
    let condition = RowCondition.noRows(rows(of: entity))
    if property.isFilledByUnreadableDefault {
      return .yes(
        .b, afterwards: "a default that cannot be read in every row",
        rules: .risk(
          condition, met: .b, violated: .d, words: "filled with a default that cannot be read, or 134110 if it is none")
      )
    }
    if property.isFilled {
      return .yes(
        .b, afterwards: "the default or NULL in every row",
        rules: .risk(condition, met: .b, violated: .c, words: "a new column starts with its default or NULL"))
    }
    let failure = property.relationship == nil ? Failure.missingAttribute : .missingRelationship
    return .yes(
      .b, afterwards: "there is no value to give them",
      rules: .blocking(condition, failure: failure, met: .b, violated: .c, words: "no value for a required property"))
  }
}

extension Property {
  /// Whether rows without a value need none, or get a default.
  var isFilled: Bool {
    isOptional || attribute?.defaultValue != nil || relationship?.isToMany == true
  }

  /// Whether they need a value and get a default that is not known.
  fileprivate var isFilledByUnreadableDefault: Bool {
    !isOptional && attribute?.defaultValue?.isUnreadable == true
  }
}

extension DefaultValue {
  fileprivate var isNegative: Bool {
    switch self {
    case .integer(let value): value < 0
    case .real(let value): value < 0
    case .decimal(let digits): digits.hasPrefix("-")
    case .boolean, .string, .date, .data, .uuid, .uri, .object, .unreadable: false
    }
  }
}
