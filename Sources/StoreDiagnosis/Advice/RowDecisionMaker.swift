import StoreDataModel
import StoreMigration
import StoreWords

/// Works out what can be done about the rows in the way of a migration.
struct RowDecisionMaker {
  /// The migration from the store's model.
  let inference: MigrationInference
  /// Proposes values.
  let advice: RecipeAdvice
  /// Maps an entity of the store's model to its name in the store.
  let name: (String) -> String

  private var old: Model { inference.difference.source }

  /// The rules that stop it, then those that leave its outcome uncertain or make objects fail at their next save, where
  /// a repair helps.
  func decisions(blocking: [MigrationOutcome.JudgedRule], atRisk: [MigrationOutcome.JudgedRule]) -> [RowDecision] {
    blocking.map { decision($0, stops: true) }
      + atRisk.filter(\.needsDecision).map { decision($0, stops: false) }.filter { !$0.choices.isEmpty }
  }

  /// The defaults that fill NULLs of newly required attributes.
  ///
  /// Attributes that have to be unique are left out: all rows would get one value.
  func defaults(_ rules: [MigrationOutcome.JudgedRule]) -> [ModelDefault] {
    rules.flatMap { judged -> [ModelDefault] in
      guard case .noNulls(let entities, let property) = judged.rule.condition else { return [] }
      return advice.topmost(entities).compactMap { modelDefault(property, of: $0) }
    }
  }

  private func modelDefault(_ property: String, of entity: String) -> ModelDefault? {
    guard let value = newlyRequired(property, of: entity)?.attribute?.defaultValue, !value.isUnreadable,
      old.property(property, of: entity)?.attribute != nil, !advice.isUnique(property, of: entity)
    else { return nil }
    return ModelDefault(entity: name(entity), attribute: property, value: value)
  }

  /// The property of the new model that a property of the store becomes, if it is required there and was not.
  private func newlyRequired(_ property: String, of entity: String) -> Property? {
    for (change, _) in inference.judged where change.kind == .optional(false) {
      let place = change.place
      guard place.sourceProperty == property, let declarer = place.sourceEntity,
        old.entity(entity, isKindOf: declarer) || old.entity(declarer, isKindOf: entity),
        let newEntity = place.destinationEntity, let newName = place.destinationProperty
      else { continue }
      return inference.difference.destination.property(newName, of: newEntity)
    }
    return nil
  }

  // MARK: Decisions

  private func decision(_ judged: MigrationOutcome.JudgedRule, stops: Bool) -> RowDecision {
    let count = judged.violations.reduce(0) { $0 + $1.count }
    let groups = judged.violations.compactMap(\.groups).reduce(0, +)
    let rows = counted(count, "row") + (groups > 0 ? " in \(counted(groups, "group"))" : "")
    let (choices, elsewhere) = answers(judged.rule.condition)
    let (entities, properties) = judged.rule.condition.subject
    return RowDecision(
      entity: (judged.entity ?? advice.topmost(entities).first).map(name),
      property: judged.property ?? (properties.isEmpty ? nil : properties.joined(separator: ",")), stops: stops,
      count: count, keys: judged.violations.flatMap(\.keys).sorted(), message: "\(rows): \(judged.rule.words)",
      code: judged.code, choices: choices, elsewhere: elsewhere)
  }

  private func answers(_ condition: RowCondition) -> (choices: [RowDecision.Choice], elsewhere: String?) {
    switch condition {
    case .noNulls(let entities, let property): return fills(property, of: advice.topmost(entities))
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      guard among.allSatisfy({ advice.isKind($0, of: entity) }) else {
        return ([], "rows of other entities of the table are among them, which no repair merges")
      }
      return (merges(entity, properties: properties, nullsAreEqual: nullsAreEqual), nil)
    case .noDanglingKeys(let entities, let property): return (dangling(entities, property: property), nil)
    case .noOrphanedLinks: return ([.init(options: ["--structure", "join-orphans"])], nil)
    case .linkCount(let entities, let property, _, _):
      let declarer = entities.first.flatMap { old.topmostDeclarer(of: property, in: $0) }
      return (declarer.map { links(property, of: $0) } ?? [], "or change the number in the model")
    case .noRows:
      return (
        [],
        "the store has no place for it yet: give it a default in the model, or make it optional in a version between and "
          + "fill it there, as 'storedoctor diagnose --stage-skeleton' writes it"
      )
    case .atMostOneRow:
      return (
        [],
        "every row gets the same default: add the attribute in a version between, fill it there, and make it unique "
          + "in the next"
      )
    case .noValues, .numericFits, .atMostOneLink, .linksWithin, .valid: return ([], nil)
    }
  }

  /// One choice fills all entities, each by an option of its own.
  private func fills(
    _ property: String, of entities: [String]
  ) -> (choices: [RowDecision.Choice], elsewhere: String?) {
    let elsewhere = "or make it optional in the model"
    if let entity = entities.first, old.property(property, of: entity)?.relationship != nil {
      return (links(property, of: old.topmostDeclarer(of: property, in: entity) ?? entity), elsewhere)
    }
    let fills = entities.map { entity in attributeFill(property, of: entity).map { (name(entity), $0) } }
    guard !fills.isEmpty, !fills.contains(where: { $0 == nil }) else { return ([], elsewhere) }
    let options = fills.compactMap(\.self).flatMap { entity, fill in fill.options("\(entity).\(property)") }
    return ([.init(options: options, caution: fills.lazy.compactMap { $0?.1.caution }.first)], elsewhere)
  }

  private func attributeFill(_ property: String, of entity: String) -> RecipeAdvice.Fill? {
    guard let attribute = old.property(property, of: entity)?.attribute else { return nil }
    let new = newlyRequired(property, of: entity)?.attribute
    let isGiven = new?.type == attribute.type && new?.defaultValue != nil
    return advice.fill(property, attribute: isGiven ? new ?? attribute : attribute, of: entity)
  }

  private func links(_ property: String, of entity: String) -> [RowDecision.Choice] {
    guard let relationship = old.property(property, of: entity)?.relationship else { return [] }
    let place = "\(name(entity)).\(property)"
    var choices: [RowDecision.Choice] = []
    let inverse = relationship.inverse.flatMap { old.property($0, of: relationship.destination)?.relationship }
    // Only where both sides have a column of their own can the other side know more.
    if !relationship.isToMany, inverse?.isToMany == false { choices.append(.init(options: ["--relink", place])) }
    for (own, other) in RelationshipNames(property, of: entity, to: relationship.destination, in: old).pairs {
      choices.append(.init(options: ["--relink", place, "--match", "\(own)=\(other)"]))
    }
    guard choices.isEmpty else { return choices }
    return [
      .init(
        options: ["--relink", place, "--match", "OWN=OTHER"],
        caution:
          "to be filled in: an attribute of \(name(entity)), and the one of \(name(relationship.destination)) that "
          + "is equal where they belong together")
    ]
  }

  private func merges(_ entity: String, properties: [String], nullsAreEqual: Bool) -> [RowDecision.Choice] {
    let key = ["--dedupe", "\(name(entity)).\(properties.joined(separator: ","))"]
    let nulls = nullsAreEqual ? ["--nulls", "equal"] : []
    var choices = [
      RowDecision.Choice(
        options: key + nulls + ["--keep", "first", "--others", "merge"],
        caution: "where twins differ the first keeps its value, and that needs --allow-lossy")
    ]
    if let text = properties.first(where: { old.property($0, of: entity)?.attribute?.type == .string }) {
      choices.append(
        .init(options: key + nulls + ["--others", "rename:{\(text)} ({n})"], caution: "keeps every object"))
    }
    return choices
  }

  private func dangling(_ entities: [String], property: String) -> [RowDecision.Choice] {
    let isRequired = entities.contains {
      old.property(property, of: $0)?.isOptional == false || newlyRequired(property, of: $0) != nil
    }
    let restore = RowDecision.Choice(
      options: ["--dangling", "restore-from-history"], caution: "where the history still has the objects")
    guard isRequired else { return [.init(options: ["--dangling", "nullify"]), restore] }
    return [
      restore,
      .init(options: ["--dangling", "delete-source"], caution: "deletes the objects, and needs --allow-lossy"),
    ]
  }
}

/// Pairs of attributes whose names say that they hold the same thing: `Note.folderName` and `Folder.name`.
private struct RelationshipNames {
  /// Own attribute, and attribute of the destination; at most three.
  let pairs: [(own: String, other: String)]

  init(_ relationship: String, of entity: String, to destination: String, in model: Model) {
    let own = model.properties(of: entity).values.compactMap(\.keyLike)
    let others = model.properties(of: destination).values.compactMap(\.keyLike)
    let prefixes = [relationship.lowercased(), destination.lowercased()]
    var found: [(own: String, other: String)] = []
    for (name, type) in own.sorted(by: { $0.name < $1.name }) {
      for (other, otherType) in others.sorted(by: { $0.name < $1.name }) where type == otherType {
        if prefixes.contains(where: { name.lowercased() == $0 + other.lowercased() }) { found.append((name, other)) }
      }
    }
    pairs = Array(found.prefix(3))
  }
}

extension InheritedProperty {
  /// Name and type of a stored attribute that can identify an object.
  fileprivate var keyLike: (name: String, type: AttributeType)? {
    guard !property.isTransient, let type = property.attribute?.type,
      [.string, .uuid, .integer16, .integer32, .integer64].contains(type)
    else { return nil }
    return (property.name, type)
  }
}

extension MigrationOutcome.JudgedRule {
  /// Whether a rule that stops nothing leaves something to decide: what happens is not certain, or the next save of
  /// such an object fails.
  fileprivate var needsDecision: Bool {
    guard case .atRisk(let code) = rule.consequence else { return false }
    return code != nil || rule.gradeWhenViolated.basis == .assumed
  }

  fileprivate var code: Int? {
    switch rule.consequence {
    case .blocks(let failure): failure.code
    case .atRisk(let code): code
    case .loses: nil
    }
  }
}
