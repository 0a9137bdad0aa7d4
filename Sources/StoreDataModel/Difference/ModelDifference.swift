import StoreWords
/// What two versions of a model do not have in common, property by property.
///
/// ```swift
/// let difference = ModelDifference(from: old, to: new)
/// for change in difference.changes where change.entersHash { print(change.place, change.kind) }
/// ```
///
/// The version hashes are equal exactly when no change enters the hash.
public struct ModelDifference: Sendable {
  /// The older model.
  public let source: Model
  /// The newer model.
  public let destination: Model
  /// Every change: entity by entity in the order of destination names (code units), of an entity first what concerns
  /// itself, then its properties by name; at the end what belongs to no entity.
  public let changes: [ModelChange]
  /// Removals and additions that look like a rename without renaming identifier.
  public let likelyRenames: [LikelyRename]

  private let entities: NameMatch

  /// Compares two models.
  public init(from source: Model, to destination: Model) {
    self.source = source
    self.destination = destination
    entities = NameMatch(source.entities.map(\.matchableName), destination.entities.map(\.matchableName))
    var finder = ChangeFinder(source: source, destination: destination, entities: entities)
    finder.find()
    changes = finder.changes
    likelyRenames = finder.likelyRenames
  }

  /// Whether a store of the source opens with the destination as it is.
  public var hashesAreEqual: Bool { !changes.contains(where: \.entersHash) }

  /// Whether the source has entities and the destination none of them, by name or renaming identifier: it is a model of
  /// something else, and a migration to it would keep no row.
  public var keepsNoEntity: Bool {
    !source.entities.isEmpty && !source.entities.contains { entities.destinations[$0.name] != nil }
  }

  /// The entity that an entity of the destination was in the source; nil for a new one.
  public func sourceEntity(of destination: String) -> String? { entities.sources[destination] }

  /// What an entity of the source is called in the destination; nil for a removed one.
  public func destinationEntity(of source: String) -> String? { entities.destinations[source] }

  /// Whether a property of the source, but for its name, could be one of the destination.
  package func isAlike(_ old: Property, _ new: Property) -> Bool { entities.isAlike(old, new) }

  /// For each property an entity of the destination has, inherited ones included, the name it had in the source, where
  /// it had one: "text" to "body" after a rename. Empty for a new entity.
  public func sourceProperties(of destinationEntity: String) -> [String: String] {
    sourceEntity(of: destinationEntity).map { effectiveMatch(source, $0, destination, destinationEntity).sources }
      ?? [:]
  }
}

/// Pairs everything two entities have, wherever in their inheritance it is declared.
func effectiveMatch(_ source: Model, _ old: String, _ destination: Model, _ new: String) -> NameMatch {
  NameMatch(source.matchableProperties(of: old), destination.matchableProperties(of: new))
}

extension Model {
  fileprivate func matchableProperties(of entity: String) -> [MatchableName] {
    properties(of: entity).values.map(\.property.matchableName).sorted { codeUnitsPrecede($0.name, $1.name) }
  }
}
