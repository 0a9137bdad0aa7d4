import StoreFindings
import StoreWords

/// A part of a recipe for `storedoctor repair` that makes a violated condition on the rows hold.
public struct RecipePart: Sendable, Equatable {
  /// The section of the recipe it belongs to.
  public var section: Section
  /// The item, in YAML's flow style.
  public var item: String
  /// A fact to know or a step to do before applying it; lower case, no full stop.
  public var caution: String?

  /// Sections of a recipe, in the order in which repairs run.
  public enum Section: String, Sendable, CaseIterable { case backfill, relink, dedupe }

  /// The part as a remedy of a finding; never safe, because it needs arguments.
  var remedy: Finding.Remedy { .init("\(section.rawValue): [\(item)]") }

  /// A template for a `relink` repair; the user must fill in the attributes by which objects are matched.
  static func relinkTemplate(_ relationship: String, of entity: String) -> String {
    "{entity: \(recipeName(entity)), relationship: \(recipeName(relationship)), match: {ownAttribute: itsAttribute}}"
  }
}

extension Array where Element == RecipePart {
  /// The whole recipe; nil without parts.
  package var recipe: String? {
    guard !isEmpty else { return nil }
    let sections = RecipePart.Section.allCases.compactMap { section -> String? in
      var last: String?
      let items = filter { $0.section == section }.map { part in
        defer { last = part.caution }
        let caution = part.caution == last ? nil : part.caution
        return (caution.map { "  # \($0)\n" } ?? "") + "  - \(part.item)\n"
      }
      return items.isEmpty ? nil : "\(section.rawValue):\n" + items.joined()
    }
    return "version: 1\n" + sections.joined()
  }
}
