import CoreDataModel

/// A part of a recipe for `storedoctor repair` (`design.md` §8) that makes a condition on the rows hold.
public struct RecipePart: Sendable, Equatable {
  /// Where in a recipe it stands.
  public var section: Section
  /// The item, in YAML's flow style.
  public var item: String

  /// Parts of a recipe, in the order in which repairs run.
  public enum Section: String, Sendable, CaseIterable { case dedupe, backfill, relink }

  /// Nil for a condition that no repair of the store can meet: of a column that is not there yet, for one.
  ///
  /// - Parameter name: the name of an entity in the store.
  init?(_ condition: RowCondition, model: Model?, name: (String?) -> String?) {
    switch condition {
    case .noNulls(let entities, let property):
      guard let entity = entities.first, let described = model?.property(property, of: entity) else { return nil }
      let place = "entity: \(recipeName(name(entity) ?? entity)),"
      switch described.kind {
      case .attribute(let attribute):
        guard let value = attribute.type.recipeValue else { return nil }
        (section, item) = (.backfill, "{\(place) attribute: \(recipeName(property)), \(value)}")
      case .relationship:
        (section, item) = (.relink, "{\(place) relationship: \(recipeName(property)), match: {attribute: attribute}}")
      case .fetched: return nil
      }
    case .noDuplicates(let entity, _, let properties, _):
      let names = properties.map(recipeName).joined(separator: ", ")
      section = .dedupe
      item = "{entity: \(recipeName(name(entity) ?? entity)), by: [\(names)], keep: first, others: merge}"
    case .noRows, .atMostOneRow, .noValues, .numericFits, .atMostOneLink, .linksWithin, .linkCount, .valid,
      .noDanglingKeys, .noOrphanedLinks:
      return nil
    }
  }

  /// As a remedy of a finding; never safe, because it needs arguments.
  var remedy: Finding.Remedy { .init("\(section.rawValue): [\(item)]") }
}

extension AttributeType {
  /// What a backfill may begin with; the person who runs it knows better.
  fileprivate var recipeValue: String? {
    switch self {
    case .string, .uri: "value: \"\""
    case .integer16, .integer32, .integer64, .decimal, .double, .float: "value: 0"
    case .boolean: "value: false"
    case .date: "generate: now"
    case .uuid: "generate: uuid"
    default: nil
    }
  }
}

extension Array where Element == RecipePart {
  /// The whole recipe; nil without parts.
  public var recipe: String? {
    guard !isEmpty else { return nil }
    let sections = RecipePart.Section.allCases.compactMap { section -> String? in
      let items = filter { $0.section == section }.map { "  - \($0.item)\n" }
      return items.isEmpty ? nil : "\(section.rawValue):\n" + items.joined()
    }
    return "version: 1\n" + sections.joined()
  }
}
