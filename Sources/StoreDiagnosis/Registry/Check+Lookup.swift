import StoreFindings

extension Check {
  private static let traitsByID = Dictionary(all.map { ($0.id, $0.traits) }) { first, _ in first }

  /// The traits of the check with this id; none for an unknown id, such as one in output of another storedoctor
  /// version.
  package static func traits(of id: String) -> Traits { traitsByID[id] ?? [] }

  private static let summariesByID = Dictionary(all.map { ($0.id, $0.summary) }) { first, _ in first }

  /// What the check with this id finds, in one sentence; nil for an unknown id.
  package static func summary(of id: String) -> String? { summariesByID[id] }
}

extension Finding {
  /// The traits of its check.
  package var traits: Check.Traits { Check.traits(of: id) }
}
