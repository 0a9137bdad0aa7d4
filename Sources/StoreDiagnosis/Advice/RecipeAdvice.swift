import StoreMigration
import StoreWords
import StoreDataModel

/// Turns violated conditions on the rows into parts of a repair recipe that make a migration possible.
struct RecipeAdvice {
  /// The store's model.
  let model: Model?
  /// Properties that are unique together, in the store or after the migration.
  let uniqueKeys: [UniqueProperties]
  /// Properties by which duplicate rows are to be merged.
  let merged: [UniqueProperties]
  /// Maps an entity of the model to its name in the store.
  let name: (String) -> String
  /// Where the missing values of an attribute of an entity stand elsewhere in the store: "shop.code".
  let elsewhere: (_ property: String, _ entity: String) -> String?

  /// Properties of an entity in which no two rows may be equal.
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

  /// - Parameters:
  ///   - rules: all row conditions of the migration.
  ///   - broken: the conditions that are violated.
  ///   - name: maps an entity of the model to its name in the store.
  ///   - elsewhere: finds where the missing values of an attribute stand.
  init(
    model: Model?, rules: [RowRule], broken: Set<RowCondition>, name: @escaping (String) -> String,
    elsewhere: @escaping (_ property: String, _ entity: String) -> String?
  ) {
    self.model = model
    self.name = name
    self.elsewhere = elsewhere
    merged = broken.compactMap(UniqueProperties.init).sorted {
      ($0.properties + [$0.entity]).lexicographicallyPrecedes($1.properties + [$1.entity])
    }
    let today = (model?.entities ?? []).flatMap { entity in
      entity.uniquenessConstraints.map { UniqueProperties(entity: entity.name, properties: $0) }
    }
    uniqueKeys = today + rules.compactMap { UniqueProperties($0.condition) }
  }

  /// The parts that make a condition hold. None if no repair of the store can, for example if the column does not
  /// exist yet.
  func parts(_ condition: RowCondition) -> [RecipePart] {
    switch condition {
    case .noNulls(let entities, let property): topmost(entities).compactMap { fill(property, of: $0) }
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      among.allSatisfy { isKind($0, of: entity) } ? [merge(entity, by: properties, nullsAreEqual: nullsAreEqual)] : []
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
      guard let fill = fill(property, attribute: attribute, of: entity) else { return nil }
      let item = "{entity: \(recipeName(name(entity))), attribute: \(recipeName(property)), \(fill.recipe)}"
      return RecipePart(section: .backfill, item: item, caution: fill.caution)
    case .relationship(let relationship):
      let destination = name(relationship.destination)
      return RecipePart(
        section: .relink, item: RecipePart.relinkTemplate(property, of: name(entity)),
        caution: "to be filled in: an attribute of \(recipeName(name(entity))), and the one of "
          + "\(recipeName(destination)) that is equal where they belong together")
    case .fetched: return nil
    }
  }

  /// A first proposal for the value of a backfill, for the user to improve: different values where the property is
  /// unique, else the value of a duplicate row if the row is to be merged with one.
  func fill(_ property: String, attribute: Attribute, of entity: String) -> Fill? {
    if let path = elsewhere(property, entity) { return Fill(source: .path(path)) }
    guard let same = attribute.fillSource else { return nil }
    guard let key = uniqueKeys.first(where: { $0.properties.contains(property) && isRelated($0.entity, entity) }) else {
      return Fill(group: twins(of: entity, besides: property) ?? [], source: same)
    }
    switch attribute.type {
    case .uuid: return Fill(source: .generated("uuid"))
    case .string:
      return Fill(source: .generated("uuid"), caution: "made up: nothing in the store says what belongs there")
    case .integer16, .integer32, .integer64: return Fill(source: .generated("sequence"))
    case .undefined, .decimal, .double, .float, .boolean, .date, .binary, .uri, .transformable, .objectID, .composite,
      .unknown:
      let names = key.properties.map(recipeName).joined(separator: ", ")
      return Fill(
        source: same,
        caution: "every row gets the same, and rows may not be equal in \(names): write an 'expression' that differs")
    }
  }

  /// Whether rows may not be equal in a property, alone or with others, in the store or after the migration.
  func isUnique(_ property: String, of entity: String) -> Bool {
    uniqueKeys.contains { $0.properties.contains(property) && isRelated($0.entity, entity) }
  }

  /// The properties by which rows of an entity are merged after the backfill. Filling each group of duplicates with
  /// one value prevents values that conflict when merged.
  private func twins(of entity: String, besides property: String) -> [String]? {
    merged.first { !$0.properties.contains(property) && isKind(entity, of: $0.entity) }?.properties
  }

  /// The entities without those that inherit from another of them: a backfill fills the rows of subentities too.
  func topmost(_ entities: [String]) -> [String] {
    entities.filter { entity in !entities.contains { $0 != entity && isKind(entity, of: $0) } }
  }

  private func isRelated(_ one: String, _ other: String) -> Bool { isKind(one, of: other) || isKind(other, of: one) }

  func isKind(_ entity: String, of ancestor: String) -> Bool {
    entity == ancestor || model?.ancestors(of: entity).contains { $0.name == ancestor } ?? false
  }

  // MARK: Duplicates

  private func merge(_ entity: String, by properties: [String], nullsAreEqual: Bool) -> RecipePart {
    let names = properties.map(recipeName).joined(separator: ", ")
    let nulls = nullsAreEqual ? "nulls: equal, " : ""
    return RecipePart(
      section: .dedupe,
      item: "{entity: \(recipeName(name(entity))), by: [\(names)], \(nulls)keep: first, others: merge}",
      caution: "where twins differ the first keeps its value, and the others' is lost: that needs --allow-lossy")
  }
}

extension RecipeAdvice {
  /// Where the values of a backfill come from.
  struct Fill: Equatable {
    /// Attributes whose equal rows lend the value; empty for none.
    var group: [String] = []
    var source: Source
    /// A caution for the user; lower case, no full stop.
    var caution: String?

    enum Source: Equatable {
      /// A text, which a recipe writes in quotes.
      case text(String)
      /// A number, `true` or `false`.
      case plain(String)
      /// A generator: "now", "uuid", "sequence".
      case generated(String)
      /// An attribute that a to-one relationship leads to: "shop.code".
      case path(String)
    }

    /// The members of an item of a recipe.
    var recipe: String {
      let own =
        switch source {
        case .text(let text): "value: \(recipeText(text))"
        case .plain(let text): "value: \(text)"
        case .generated(let kind): "generate: \(kind)"
        case .path(let path):
          "from: \(path.split(separator: ".").map { recipeName(String($0)) }.joined(separator: "."))"
        }
      return group.isEmpty ? own : "group: [\(group.map(recipeName).joined(separator: ", "))], \(own)"
    }

    /// The same as options of `repair`.
    func options(_ place: String) -> [String] {
      let own =
        switch source {
        case .text(let text), .plain(let text): ["--backfill", "\(place)=\(text)"]
        case .generated(let kind): ["--backfill-generate", "\(place)=\(kind)"]
        case .path(let path): ["--backfill-from", "\(place)=\(path)"]
        }
      return group.isEmpty ? own : ["--backfill-group", "\(place)=\(group.joined(separator: ","))"] + own
    }
  }
}

extension Attribute {
  /// The value that can fill gaps: the model's default, else a value that suits the type; nil if there is none or the
  /// default cannot be read.
  var fillSource: RecipeAdvice.Fill.Source? {
    switch defaultValue {
    case .boolean(let value): return .plain("\(value)")
    case .integer(let value): return .plain("\(value)")
    case .real(let value) where value.isFinite: return .plain("\(value)")
    case .string(let value), .uri(let value), .decimal(let value): return .text(value)
    case .unreadable: return nil
    case .real, .date, .data, .uuid, .object, nil: break
    }
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: return .plain("0")
    case .boolean: return .plain("false")
    case .string: return .text("")
    case .date: return .generated("now")
    case .uuid: return .generated("uuid")
    // Apps read an empty URI back as nil, so it would not fill the gap.
    case .uri: return .text("about:blank")
    case .undefined, .binary, .transformable, .objectID, .composite, .unknown: return nil
    }
  }

  /// The same as a member of a recipe's item.
  var recipeValue: String? { fillSource.map { RecipeAdvice.Fill(source: $0).recipe } }
}
