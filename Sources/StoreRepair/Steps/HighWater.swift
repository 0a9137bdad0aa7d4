import StoreDataModel
import StoreWords
import StoreScanning
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Raises `Z_MAX` of root entities to the highest key (SD207), and sets that of other entities to 0 (SD208). It is
  /// never lowered for a root: history and CloudKit rows still name keys of deleted objects. Where it is not certain
  /// which entities are roots, nothing is changed: 0 at a root would make Core Data hand out keys that are in use.
  func highWater() throws -> Decision {
    var decision = Decision()
    // Counted once: a hostile map has 20,000 rows, too many to search for each.
    let namesakes = Dictionary(grouping: store.entityMap.rows, by: Name.init).mapValues(\.count)
    for row in store.entityMap.rows {
      guard let entity = map.entity(row.id) else { continue }
      guard let wanted = try wantedHighWater(row, of: entity), wanted != row.highWater ?? 0 else { continue }
      if namesakes[Name(row), default: 0] > 1 || isPlaceDoubtful(row, of: entity) {
        decision.obstacles.append(
          Obstacle(
            .highWater, entity: entity.name,
            "where \(quoted(entity.name)) stands in its inheritance is not sure (SD206), so its Z_MAX is left as it is",
            refusesPlan: false))
      } else {
        decision.operations.append(operation(entity, from: row.highWater, to: wanted))
      }
    }
    return decision
  }

  /// The right value, trusting the row's parent; nil where nothing is known.
  private func wantedHighWater(_ row: EntityMap.Row, of entity: EntityLayout) throws -> Int64? {
    guard row.parent == nil else { return 0 }
    guard entity.tableExists, let highest = try highestKey(of: entity.table) else { return nil }
    return max(highest, row.highWater ?? 0)
  }

  /// Whether `Z_PRIMARYKEY` and the model disagree on the entity being a root, or its chain of parents reaches no root.
  private func isPlaceDoubtful(_ row: EntityMap.Row, of entity: EntityLayout) -> Bool {
    if !row.id.isInternal, let described = store.model?.entity(named: entity.modelName ?? entity.name),
      (described.parent == nil) != (row.parent == nil)
    {
      return true
    }
    guard let parent = row.parent else { return false }
    let root = store.entityMap[store.entityMap.root(of: parent)]
    return root == nil || root?.parent != nil
  }

  private func operation(_ entity: EntityLayout, from old: Int64?, to new: Int64) -> Operation {
    Operation(
      .highWater, summary: "set Z_MAX of \(entity.name) from \(old.map(String.init) ?? "NULL") to \(new)",
      entity: entity.name,
      .highWater(entity.id, new))
  }

  private func highestKey(of table: String) throws -> Int64? {
    guard store.shape.tables[table]?.has("Z_PK") == true else { return nil }
    let rows = try connection.prepare("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")
    return try rows.step() && !rows.isNull(0) ? rows.int64(0) : nil
  }
}

/// A name in `Z_PRIMARYKEY`. Internal entities, of history and CloudKit, may have the same names as the app's.
private struct Name: Hashable {
  var name: String
  var isInternal: Bool

  init(_ row: EntityMap.Row) {
    name = row.name
    isInternal = row.id.isInternal
  }
}
