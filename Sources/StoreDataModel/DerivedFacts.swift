import Synchronization

/// What was computed from a model once: a bundle of a hundred versions compares each of them with many others.
///
/// Nothing of it can become wrong, since entities of a model never change.
final class DerivedFacts: Sendable {
  /// The place of each entity among those of the model.
  let positions: [String: Int]
  private let known = Mutex(Known())

  init(positions: [String: Int]) { self.positions = positions }

  private struct Known {
    var hashes: ModelHashes?
    var properties: [String: [String: InheritedProperty]] = [:]
    var names: [String: [MatchableName]] = [:]
    /// The number of properties that are kept.
    var weight = 0
  }

  /// The most properties of one model that are kept, inherited ones counted in each entity; real models have 3,000.
  private static let mostProperties = 20_000

  /// The hashes of entities and properties.
  func hashes(_ compute: () -> ModelHashes) -> ModelHashes {
    if let hashes = known.withLock({ $0.hashes }) { return hashes }
    let computed = compute()
    known.withLock { if computed.weight <= Self.mostProperties { $0.hashes = computed } }
    return computed
  }

  /// The properties of an entity.
  func properties(
    of entity: String, _ compute: () -> [String: InheritedProperty]
  ) -> [String: InheritedProperty] {
    if let properties = known.withLock({ $0.properties[entity] }) { return properties }
    let computed = compute()
    known.withLock { known in
      guard known.weight + computed.count <= Self.mostProperties else { return }
      known.weight += computed.count
      known.properties[entity] = computed
    }
    return computed
  }

  /// The names of an entity's properties, for pairing.
  func names(of entity: String, _ compute: () -> [MatchableName]) -> [MatchableName] {
    if let names = known.withLock({ $0.names[entity] }) { return names }
    let computed = compute()
    known.withLock { known in
      guard known.weight + computed.count <= Self.mostProperties else { return }
      known.weight += computed.count
      known.names[entity] = computed
    }
    return computed
  }
}

/// The hashes of a model's entities, and of the properties that each has, inherited ones included.
struct ModelHashes {
  /// Of the entities.
  var entities: VersionHashes
  /// Of the properties by entity; transient ones, which are not hashed, are left out.
  var properties: [String: [String: VersionHash]]

  /// The number of hashes.
  var weight: Int { properties.values.reduce(0) { $0 + $1.count } }
}
