import StoreDataModel

/// Something a store holds that is gone after a migration that succeeds.
public struct Loss: Sendable, Equatable {
  /// What is gone.
  public var kind: Kind
  /// The entity by the store's name: the one that is gone, or the one that declares the property.
  public var entity: String
  /// The property by the store's name; nil when whole rows are gone.
  public var property: String?

  /// What is gone.
  public enum Kind: String, Sendable {
    /// All rows of an entity that is removed.
    case rows
    /// All values of a property that is removed or no longer stored.
    case values
    /// All links of a relationship that is removed.
    case links
    /// The values of a property in rows of those entities that it was moved away from.
    case someValues
  }
}

extension MigrationInference {
  /// What is gone after the migration, if there was anything; in the order of the changes, each once.
  public var losses: [Loss] {
    judged.reduce(into: []) { losses, judged in
      guard let loss = Loss(judged.change, judged.effect), !losses.contains(loss) else { return }
      losses.append(loss)
    }
  }
}

extension Loss {
  fileprivate init?(_ change: ModelChange, _ effect: Effect) {
    guard change.entersHash, effect.rules.contains(where: { $0.consequence == .loses }),
      let entity = change.place.sourceEntity
    else { return nil }
    let kind: Kind =
      switch change.kind {
      case .entityRemoved: .rows
      case .removed(.relationship): .links
      case .moved: .someValues
      default: .values
      }
    self.init(kind: kind, entity: entity, property: kind == .rows ? nil : change.place.sourceProperty)
  }
}
