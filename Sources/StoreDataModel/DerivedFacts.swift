import Synchronization

/// What was computed from a model once: a bundle of a hundred versions compares each of them with many others.
///
/// Nothing of it can become wrong, since entities of a model never change.
final class DerivedFacts: Sendable {
  /// What is kept.
  enum Fact: Hashable {
    /// The hashes of entities and properties.
    case hashes
    /// The properties of an entity by name, inherited ones included.
    case properties(entity: String)
    /// The names of an entity's properties, for pairing.
    case names(entity: String)
    /// The pairing of an entity's properties with themselves.
    case identity(entity: String)
    /// The to-many relationships of an entity, inherited ones included.
    case toManys(entity: String)
    /// For each entity itself and its subentities.
    case families
    /// For each entity that has any, its subentities.
    case descendants
    /// For each entity, the relationships that it declares first.
    case storedRelationships
    /// For each entity, the root of its hierarchy.
    case roots
    /// Whether any class of an entity, and of a value, is stated.
    case statedClasses
    /// For each entity that has any, the content of its indexes.
    case indexedThings

    /// Whether it is one value of the whole model, of which there are few; the others are one for each entity.
    var isOfWholeModel: Bool {
      switch self {
      case .properties, .names, .identity, .toManys: false
      case .hashes, .families, .descendants, .storedRelationships, .roots, .statedClasses, .indexedThings: true
      }
    }
  }

  /// The place of each entity among those of the model.
  let positions: [String: Int]
  private let known = Mutex(Known())

  init(positions: [String: Int]) { self.positions = positions }

  private struct Known {
    var values: [Fact: any Sendable] = [:]
    /// The number of properties that are kept.
    var weight = 0
  }

  /// The most properties of one model that are kept in values of its entities, inherited ones counted in each entity; real
  /// models have 3,000. Values of the whole model are kept in any case: each is asked for as often as there are entities.
  private static let mostProperties = 20_000

  /// A fact that is known, or is computed now and kept unless there are too many.
  ///
  /// - Parameter weight: how many properties a value is about.
  func value<Value: Sendable>(_ fact: Fact, weight: (Value) -> Int, compute: () -> Value) -> Value {
    if let value = known.withLock({ $0.values[fact] }) as? Value { return value }
    let computed = compute()
    let weight = weight(computed)
    known.withLock { known in
      if !fact.isOfWholeModel {
        guard known.weight + weight <= Self.mostProperties else { return }
        known.weight += weight
      }
      known.values[fact] = computed
    }
    return computed
  }
}
