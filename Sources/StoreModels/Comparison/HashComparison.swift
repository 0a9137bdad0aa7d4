import StoreDataModel
import StoreWords

/// Two lists of hashes, entity by entity; names sorted by code units.
public struct HashComparison: Sendable, Equatable {
  /// Entities with the same hash on both sides.
  public var equal: [String] = []
  /// Entities on both sides with different hashes.
  public var different: [String] = []
  /// Entities the store has and the model has not.
  public var onlyInStore: [String] = []
  /// Entities the model has and the store has not.
  public var onlyInModel: [String] = []
  /// Entities whose hash in the model is not known, or of which it is not known whether the model has them.
  public var unknown: [String] = []
  /// Whether the model may have entities that are not known.
  public var mayHaveMore = false

  /// - Parameters:
  ///   - store: the hashes in a store's metadata.
  ///   - model: those of a version.
  ///   - gaps: what is not known of the version.
  public init(store: VersionHashes, model: VersionHashes, gaps: [ModelSource.Doubt.Gap] = []) {
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

  /// Whether something is known to differ.
  public var differs: Bool { !(different.isEmpty && onlyInStore.isEmpty && onlyInModel.isEmpty) }
  /// Whether all hashes of the model are known.
  public var isWhole: Bool { unknown.isEmpty && !mayHaveMore }
  /// Whether nothing differs, and all is known.
  public var isEqual: Bool { !differs && isWhole }
  /// Whether everything the model has is in the store as it is.
  public var isPart: Bool { different.isEmpty && onlyInModel.isEmpty && !equal.isEmpty && isWhole }
  /// The position of the version with the largest share of equal entities; of equal ones that with the store's identifier,
  /// which is the one that was edited, then the last.
  package static func nearest(_ comparisons: [HashComparison?], identifiers: [[String]], to store: [String]) -> Int? {
    let own = Set(store.filter { !$0.isEmpty })
    let standings = zip(comparisons, identifiers).enumerated().map { position, version in
      (version.0?.similarity ?? 0, own.isDisjoint(with: version.1) ? 0 : 1, position)
    }
    return standings.max(by: <)?.2
  }

  /// Equal entities among all, from 0 to 1.
  public var similarity: Double {
    let all = equal.count + different.count + onlyInStore.count + onlyInModel.count + unknown.count
    return all == 0 ? 1 : Double(equal.count) / Double(all)
  }
}
