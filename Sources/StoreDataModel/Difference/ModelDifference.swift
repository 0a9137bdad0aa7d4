import StoreWords
/// The differences between two versions of a model, property by property.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// for change in difference.changes where change.entersHash { print(change.place, change.kind) }
/// ```
///
/// The version hashes are equal exactly when no change enters the hash.
package struct ModelDifference: Sendable {
  /// The older model.
  package let source: Model
  /// The newer model.
  package let destination: Model
  /// All changes, or those that are kept of them, by entity, in the order of destination names (code units); for each entity first its own changes, then
  /// those of its properties by name; changes of the whole model at the end.
  package private(set) var changes: [ModelChange]
  /// Removals and additions that are probably renames without a renaming identifier.
  package private(set) var likelyRenames: [LikelyRename]

  private let entities: NameMatch

  /// Compares two models.
  package init(from source: Model, to destination: Model) {
    self.source = source
    self.destination = destination
    entities = NameMatch(source.entities.map(\.matchableName), destination.entities.map(\.matchableName))
    var finder = ChangeFinder(source: source, destination: destination, entities: entities)
    finder.find()
    changes = finder.changes
    likelyRenames = finder.likelyRenames
  }

  /// The same without the changes that do not fulfil a condition, and without guesses at renames in their entities.
  package func keeping(_ isKept: (ModelChange) -> Bool) -> ModelDifference {
    var kept = self
    kept.changes = changes.filter(isKept)
    let left = Set(changes.filter { !isKept($0) }.compactMap(\.place.entity))
    kept.likelyRenames.removeAll { rename in rename.place.entity.map(left.contains) ?? false }
    return kept
  }

  /// Whether a store of the source opens with the destination without migration.
  package var hashesAreEqual: Bool { !changes.contains(where: \.entersHash) }

  /// Whether the source has entities but the destination has none of them, by name or renaming identifier, not even one that looks alike. Then it is
  /// probably an unrelated model, and a migration to it would keep no row.
  package var keepsNoEntity: Bool {
    !source.entities.isEmpty && entities.versionsBetween.isEmpty
      && !source.entities.contains { entities.destinations[$0.name] != nil }
  }

  /// The entity of the source that became an entity of the destination; nil for a new one.
  package func sourceEntity(of destination: String) -> String? { entities.sources[destination] }

  /// The entity of the destination that an entity of the source became; nil for a removed one.
  package func destinationEntity(of source: String) -> String? { entities.destinations[source] }

  /// Whether two properties are equal in kind, type and options, apart from their names.
  package func isAlike(_ old: Property, _ new: Property) -> Bool { entities.isAlike(old, new) }

  /// For each property of an entity of the destination, including inherited ones, its name in the source, if it existed
  /// there: "text" for "body" after a rename. Empty for a new entity.
  package func sourceProperties(of destinationEntity: String) -> [String: String] {
    pairedProperties(of: destinationEntity).sources
  }

  /// The properties of an entity of the destination that existed in the source, inherited ones included: source names by
  /// destination name, and destination names by source name. Empty for a new entity.
  package func pairedProperties(
    of destinationEntity: String
  ) -> (sources: [String: String], destinations: [String: String]) {
    guard let source = sourceEntity(of: destinationEntity) else { return ([:], [:]) }
    let match = matcher.effective(source, destinationEntity)
    return (match.sources, match.destinations)
  }

  private var matcher: PropertyMatcher {
    PropertyMatcher(source: source, destination: destination, entities: entities)
  }
}
