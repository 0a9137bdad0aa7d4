import StoreMigration
import StoreWords
import StoreDataModel

/// What a repair of the store could do for a migration: conditions on the rows become parts of a recipe.
struct RecipeAdvice {
  /// The store's model.
  let model: Model?
  /// Properties that are unique together in the store, or are to be.
  let uniqueKeys: [UniqueProperties]
  /// Properties in which rows are equal that are to be one.
  let merged: [UniqueProperties]
  /// The name of an entity in the store.
  let name: (String) -> String

  /// Properties of an entity that no two rows may have in common.
  struct UniqueProperties: Equatable {
    var entity: String
    var properties: [String]

    init(entity: String, properties: [String]) {
      self.entity = entity
      self.properties = properties
    }

    init?(_ condition: RowCondition) {
      guard case .noDuplicates(let entity, _, let properties, _) = condition else { return nil }
      self.init(entity: entity, properties: properties)
    }
  }

  /// Of a store and a migration of it: its rules, and the conditions that do not hold.
  init(model: Model?, rules: [RowRule], broken: Set<RowCondition>, name: @escaping (String) -> String) {
    self.model = model
    self.name = name
    merged = broken.compactMap(UniqueProperties.init).sorted {
      ($0.properties + [$0.entity]).lexicographicallyPrecedes($1.properties + [$1.entity])
    }
    let today = (model?.entities ?? []).flatMap { entity in
      entity.uniquenessConstraints.map { UniqueProperties(entity: entity.name, properties: $0) }
    }
    uniqueKeys = today + rules.compactMap { UniqueProperties($0.condition) }
  }

  /// None for a condition that no repair of the store can meet: of a column that is not there yet, for one.
  func parts(_ condition: RowCondition) -> [RecipePart] {
    switch condition {
    case .noNulls(let entities, let property): topmost(entities).compactMap { fill(property, of: $0) }
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      among.allSatisfy { isKind($0, of: entity) } ? [merge(entity, properties, nullsAreEqual)] : []
    case .noRows, .atMostOneRow, .noValues, .numericFits, .atMostOneLink, .linksWithin, .linkCount, .valid,
      .noDanglingKeys, .noOrphanedLinks:
      []
    }
  }

  // MARK: NULLs

  private func fill(_ property: String, of entity: String) -> RecipePart? {
    guard let described = model?.property(property, of: entity) else { return nil }
    switch described.kind {
    case .attribute(let attribute):
      guard let (value, caution) = value(for: property, attribute, of: entity) else { return nil }
      let item = "{entity: \(recipeName(name(entity))), attribute: \(recipeName(property)), \(value)}"
      return RecipePart(section: .backfill, item: item, caution: caution)
    case .relationship(let relationship):
      let destination = name(relationship.destination)
      return RecipePart(
        section: .relink, item: RecipePart.relinkTemplate(property, of: name(entity)),
        caution: "to be filled in: an attribute of \(recipeName(name(entity))), and the one of "
          + "\(recipeName(destination)) that is equal where they belong together")
    case .fetched: return nil
    }
  }

  /// What a backfill may begin with; the person who runs it knows better. Where rows have to differ, what differs; else
  /// what a twin has, if one is to be merged with it.
  private func value(
    for property: String, _ attribute: Attribute, of entity: String
  ) -> (value: String, caution: String?)? {
    guard let same = attribute.recipeValue else { return nil }
    guard let key = uniqueKeys.first(where: { $0.properties.contains(property) && isRelated($0.entity, entity) }) else {
      return (twins(of: entity, besides: property).map { "group: [\($0)], \(same)" } ?? same, nil)
    }
    switch attribute.type {
    case .string, .uuid: return ("generate: uuid", nil)
    case .integer16, .integer32, .integer64: return ("generate: sequence", nil)
    default:
      let names = key.properties.map(recipeName).joined(separator: ", ")
      return (
        same, "every row gets the same, and rows may not be equal in \(names): write an 'expression' that differs"
      )
    }
  }

  /// What makes rows twins that are merged afterwards. A value that was made up for one of them would be in the way of
  /// the other's.
  private func twins(of entity: String, besides property: String) -> String? {
    merged.first { !$0.properties.contains(property) && isKind(entity, of: $0.entity) }?
      .properties.map(recipeName).joined(separator: ", ")
  }

  /// The entities that inherit from no other of them: a backfill fills the rows of subentities too.
  private func topmost(_ entities: [String]) -> [String] {
    entities.filter { entity in !entities.contains { $0 != entity && isKind(entity, of: $0) } }
  }

  private func isRelated(_ one: String, _ other: String) -> Bool { isKind(one, of: other) || isKind(other, of: one) }

  private func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || model?.ancestors(of: entity).contains { $0.name == ancestor } ?? false
  }

  // MARK: Duplicates

  private func merge(_ entity: String, _ properties: [String], _ nullsAreEqual: Bool) -> RecipePart {
    let names = properties.map(recipeName).joined(separator: ", ")
    let nulls = nullsAreEqual ? "nulls: equal, " : ""
    return RecipePart(
      section: .dedupe,
      item: "{entity: \(recipeName(name(entity))), by: [\(names)], \(nulls)keep: first, others: merge}",
      caution: "where twins differ the first keeps its value, and the others' is lost: that needs --allow-lossy")
  }
}

extension Attribute {
  /// A value to fill gaps with, as a recipe has it: the model's default, else what suits the type; nil where none can be
  /// made up, or the default cannot be read.
  var recipeValue: String? {
    switch defaultValue {
    case .boolean(let value): return "value: \(value)"
    case .integer(let value): return "value: \(value)"
    case .real(let value) where value.isFinite: return "value: \(value)"
    case .string(let value), .uri(let value): return "value: \(recipeText(value))"
    case .decimal(let value): return "value: \(recipeText(value))"
    case .unreadable: return nil
    case .real, .date, .data, .uuid, .object, nil: break
    }
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: return "value: 0"
    case .boolean: return "value: false"
    case .string: return "value: \"\""
    case .date: return "generate: now"
    case .uuid: return "generate: uuid"
    // An empty one is none: apps read it back as nil.
    case .uri: return "value: \"about:blank\""
    default: return nil
    }
  }
}
