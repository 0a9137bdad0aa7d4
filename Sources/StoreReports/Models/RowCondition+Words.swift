import StoreWords
import StoreMigration
import StoreDataModel

extension RowCondition {
  /// The condition, to complete a sentence with "if": "no Note has NULL in title". Names are escaped.
  var words: String {
    switch self {
    case .noRows(let entities): "there is no \(names(entities))"
    case .atMostOneRow(let entities): "there is at most one \(names(entities))"
    case .noNulls(let entities, let property): "no \(names(entities)) has NULL in \(escaped(property))"
    case .noValues(let entities, let property): "no \(names(entities)) has a value in \(escaped(property))"
    case .noDuplicates(_, let among, let properties, let nullsAreEqual):
      "no two rows of \(names(among)) are equal in \(properties.map(escaped).joined(separator: " + "))"
        + (nullsAreEqual ? ", NULLs taken as equal" : "")
    case .numericFits(let entities, let property, let type):
      "\(escaped(property)) of every \(names(entities)) fits \(type.name)"
    case .atMostOneLink(let entities, let property):
      "no \(names(entities)) has more than one link in \(escaped(property))"
    case .linksWithin(let entities, let property, let destinations):
      "\(escaped(property)) of every \(names(entities)) leads to \(names(destinations))"
    case .linkCount(let entities, let property, let minimum, let maximum):
      "every \(names(entities)) has \(counts(minimum, maximum)) in \(escaped(property))"
    case .valid(let entities, let property, _): "\(escaped(property)) of every \(names(entities)) is within bounds"
    case .noDanglingKeys(let entities, let property), .noOrphanedLinks(let entities, let property):
      "\(escaped(property)) of every \(names(entities)) leads to a row"
    }
  }

  /// The kind, for scripts.
  var kind: String {
    switch self {
    case .noRows: "noRows"
    case .atMostOneRow: "atMostOneRow"
    case .noNulls: "noNulls"
    case .noValues: "noValues"
    case .noDuplicates: "noDuplicates"
    case .numericFits: "numericFits"
    case .atMostOneLink: "atMostOneLink"
    case .linksWithin: "linksWithin"
    case .linkCount: "linkCount"
    case .valid: "valid"
    case .noDanglingKeys: "noDanglingKeys"
    case .noOrphanedLinks: "noOrphanedLinks"
    }
  }

  private func escaped(_ name: String) -> String { escapedForTerminal(name) }

  /// "Note", "Note or Checklist", "Note, Checklist or 7 others".
  private func names(_ entities: [String]) -> String {
    let shown = entities.prefix(entities.count > 3 ? 2 : 3).map(escaped)
    if entities.count > 3 { return shown.joined(separator: ", ") + " or \(entities.count - 2) others" }
    guard let last = shown.last else { return "row" }
    return shown.count == 1 ? last : shown.dropLast().joined(separator: ", ") + " or " + last
  }

  private func counts(_ minimum: Int32, _ maximum: Int32) -> String {
    if maximum <= 0 { return "at least \(counted(Int64(minimum), "link"))" }
    return "\(minimum) to \(counted(Int64(maximum), "link"))"
  }
}
