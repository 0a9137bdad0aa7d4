/// What is to become of attributes, where that is said by a person. Everything else is decided by the model and the values.
package struct AnonymizingPolicy: Sendable, Equatable {
  /// What becomes of the values of an attribute.
  package enum Decision: String, Sendable, CaseIterable {
    /// They stay as they are.
    case keep
    /// They are replaced, dates moved.
    case replace
    /// They become NULL; the objects and their links stay.
    case drop
  }

  /// By entity and attribute, "Note.title"; by entity alone, "Note", for all its attributes.
  package private(set) var decisions: [String: Decision] = [:]

  /// A policy that says nothing.
  package init() {}

  /// Decides for an attribute, "Note.title", or all of an entity, "Note".
  package mutating func decide(_ name: String, _ decision: Decision) { decisions[name] = decision }

  /// The decisions of another policy before those of this one.
  package mutating func override(with other: AnonymizingPolicy) { decisions.merge(other.decisions) { $1 } }
}
