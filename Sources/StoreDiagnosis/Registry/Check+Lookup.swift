import StoreFindings
import StoreText

extension Check {
  private static let traitsByID = Dictionary(all.map { ($0.id, $0.traits) }) { first, _ in first }

  /// The traits of the check with this id; none for an unknown id, such as one in output of another storedoctor
  /// version.
  package static func traits(of id: String) -> Traits { traitsByID[id] ?? [] }

  private static let summariesByID = Dictionary(all.map { ($0.id, $0.summary) }) { first, _ in first }

  /// A summary of the findings of the check with this id, in one sentence; nil for an unknown id.
  package static func summary(of id: String) -> String? { summariesByID[id] }

  private static let remediesByID = Dictionary(all.map { ($0.id, $0.remedy) }) { first, _ in first }

  /// The remedies for findings of the check with this id: the last part of its explanation, Markdown; nil for an
  /// unknown id.
  package static func remedy(of id: String) -> String? { remediesByID[id] }

  private var remedy: String {
    guard let heading = explanation.firstRange(of: "## What can be done\n") else { return "" }
    return explanation[heading.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix("#") }
      .joined(separator: " ")
  }
}

extension Finding {
  /// The traits of its check.
  package var traits: Check.Traits { Check.traits(of: id) }
}
