import StoreDataModel
import StoreWords

/// The version hashes of a store and of a model compared, entity by entity; names sorted by code units.
public struct HashComparison: Sendable, Equatable {
  /// Entities with the same hash on both sides.
  public var equal: [String] = []
  /// Entities present on both sides with different hashes.
  public var different: [String] = []
  /// Entities only the store has.
  public var onlyInStore: [String] = []
  /// Entities only the model has.
  public var onlyInModel: [String] = []
  /// Entities whose hash in the model is not known, or that the model may or may not have.
  public var unknown: [String] = []
  /// Whether the model may have further entities that could not be determined.
  public var mayHaveMore = false

  /// - Parameters:
  ///   - store: the hashes in a store's metadata.
  ///   - model: the hashes computed from a model version.
  ///   - gaps: what could not be determined about that version.
  package init(store: VersionHashes, model: VersionHashes, gaps: [ModelSource.Doubt.Gap] = []) {
    let hidden = Set(gaps.compactMap(\.entity))
    mayHaveMore = gaps.contains { $0.entity == nil }
    for name in Set(store.byEntity.keys).union(model.byEntity.keys).sorted(by: codeUnitsPrecede) {
      switch (store.byEntity[name], model.byEntity[name]) {
      case _ where hidden.contains(name): unknown.append(name)
      case (_?, nil) where mayHaveMore: unknown.append(name)
      case (let stored?, let computed?) where stored == computed: equal.append(name)
      case (_?, _?): different.append(name)
      case (_?, nil): onlyInStore.append(name)
      case (nil, _): onlyInModel.append(name)
      }
    }
  }

  /// Whether at least one entity is known to differ.
  public var differs: Bool { !(different.isEmpty && onlyInStore.isEmpty && onlyInModel.isEmpty) }
  /// Whether all hashes of the model are known.
  public var isWhole: Bool { unknown.isEmpty && !mayHaveMore }
  /// Whether nothing differs and all hashes of the model are known.
  public var isEqual: Bool { !differs && isWhole }
  /// Whether the model is a non-empty subset of the store: all its entities are in the store with equal hashes.
  public var isPart: Bool { different.isEmpty && onlyInModel.isEmpty && !equal.isEmpty && isWhole }
  /// The position of the version with the highest similarity. On a tie, a version sharing one of the store's version
  /// identifiers wins (most likely the one that was edited), then the last.
  package static func nearest(_ comparisons: [HashComparison?], identifiers: [[String]], to store: [String]) -> Int? {
    let own = Set(store.filter { !$0.isEmpty })
    let standings = zip(comparisons, identifiers).enumerated().map { position, version in
      (version.0?.similarity ?? 0, own.isDisjoint(with: version.1) ? 0 : 1, position)
    }
    return standings.max(by: <)?.2
  }

  /// The share of equal entities among all entities of both sides, from 0 to 1.
  public var similarity: Double {
    let all = equal.count + different.count + onlyInStore.count + onlyInModel.count + unknown.count
    return all == 0 ? 1 : Double(equal.count) / Double(all)
  }
}
