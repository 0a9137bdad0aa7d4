import StoreCoreData
import StoreDataModel

/// Which entities and properties of two stores are the same, as a migration would pair them: by name, or by a renaming
/// identifier of either model.
struct ModelPairing {
  /// Entities of both stores, by number in the first.
  private(set) var pairs: [EntityPair] = []
  private(set) var onlyBefore: [EntityLayout] = []
  private(set) var onlyAfter: [EntityLayout] = []

  struct EntityPair {
    var before: EntityLayout
    var after: EntityLayout
    /// Columns of both, by their names in each store.
    var columns: [ColumnPair]
    /// Columns that the other store does not have.
    var onlyBefore: [RowColumn]
    var onlyAfter: [RowColumn]

    var name: String { after.name }
  }

  struct ColumnPair {
    var before: RowColumn
    var after: RowColumn
  }

  init(_ before: Store, _ after: Store) {
    var left = after.layout.entities.filter { !$0.id.isInternal && $0.tableExists }
    for entity in before.layout.entities where !entity.id.isInternal && entity.tableExists {
      let place =
        left.firstIndex { $0.name == entity.name || $0.modelName != nil && $0.modelName == entity.modelName }
        ?? left.firstIndex { Self.isRenamed(entity, before, $0, after) }
      guard let place else {
        onlyBefore.append(entity)
        continue
      }
      pairs.append(Self.pair(entity, before, left.remove(at: place), after))
    }
    onlyAfter = left
  }

  private static func isRenamed(_ one: EntityLayout, _ first: Store, _ other: EntityLayout, _ second: Store) -> Bool {
    let (name, otherName) = (one.modelName ?? one.name, other.modelName ?? other.name)
    // A name that the other model still has is of that entity, and no older name of another one.
    guard second.layout.entity(named: name) == nil, first.layout.entity(named: otherName) == nil else { return false }
    let identifier = first.model?.entity(named: name)?.renamingIdentifier ?? name
    let otherIdentifier = second.model?.entity(named: otherName)?.renamingIdentifier ?? otherName
    return identifier == otherName || otherIdentifier == name || identifier == otherIdentifier
  }

  private static func pair(
    _ one: EntityLayout, _ first: Store, _ other: EntityLayout, _ second: Store
  ) -> EntityPair {
    var left = properties(of: other, second)
    var pair = EntityPair(before: one, after: other, columns: [], onlyBefore: [], onlyAfter: [])
    for column in properties(of: one, first) {
      let place =
        left.firstIndex { $0.name == column.name }
        ?? left.firstIndex { candidate in
          let identifier = renamingIdentifier(of: column, one, first)
          let otherIdentifier = renamingIdentifier(of: candidate, other, second)
          return identifier == candidate.name || otherIdentifier == column.name
            || identifier != column.name && identifier == otherIdentifier
        }
      guard let place else {
        pair.onlyBefore.append(column)
        continue
      }
      pair.columns.append(ColumnPair(before: column, after: left.remove(at: place)))
    }
    pair.onlyAfter = left
    return pair
  }

  private static func properties(of entity: EntityLayout, _ store: Store) -> [RowColumn] {
    RowPlan.allColumns(of: entity, [entity], in: store).filter { $0.content != .key && $0.content != .entity }
  }

  /// The older name of a property, or its own.
  private static func renamingIdentifier(of column: RowColumn, _ entity: EntityLayout, _ store: Store) -> String {
    let name = column.name.splitAtFirstDot?.0 ?? column.name
    let identifier = store.model?.property(name, of: entity.modelName ?? entity.name)?.renamingIdentifier ?? name
    return identifier + column.name.dropFirst(name.count)
  }
}
