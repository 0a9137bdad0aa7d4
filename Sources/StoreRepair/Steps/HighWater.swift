import StoreDataModel
import StoreWords
import StoreScanning
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Raises `Z_MAX` of root entities to the highest key (SD207), and sets that of the others to 0 (SD208). It is never
  /// lowered: history and CloudKit name keys of objects that are gone. Where it is not sure which entities are roots,
  /// it is left as it is: 0 at a root would hand out keys that rows have.
  func highWater() throws -> Decision {
    var decision = Decision()
    // A hostile map has 20,000 rows: none is searched for.
    let namesakes = Dictionary(grouping: store.entityMap.rows, by: Name.init).mapValues(\.count)
    for row in store.entityMap.rows {
      guard let entity = map.entity(row.id) else { continue }
      guard let wanted = try wantedHighWater(row, entity), wanted != row.highWater ?? 0 else { continue }
      if namesakes[Name(row), default: 0] > 1 || isPlaceDoubtful(row, entity) {
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

  /// Nil where it is right, as far as the parent goes.
  private func wantedHighWater(_ row: EntityMap.Row, _ entity: EntityLayout) throws -> Int64? {
    guard row.parent == nil else { return 0 }
    guard entity.tableExists, let highest = try highestKey(of: entity.table) else { return nil }
    return max(highest, row.highWater ?? 0)
  }

  /// Whether `Z_PRIMARYKEY` and the model disagree on an entity being a root, or its parents lead to none.
  private func isPlaceDoubtful(_ row: EntityMap.Row, _ entity: EntityLayout) -> Bool {
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
      .highWater, "set Z_MAX of \(entity.name) from \(old.map(String.init) ?? "NULL") to \(new)", entity: entity.name,
      .highWater(entity.id, new))
  }

  private func highestKey(of table: String) throws -> Int64? {
    guard store.shape.tables[table]?.has("Z_PK") == true else { return nil }
    let rows = try connection.prepare("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")
    return try rows.step() && !rows.isNull(0) ? rows.int64(0) : nil
  }
}

/// A name in `Z_PRIMARYKEY`. History's and CloudKit's own entities may be called like the app's.
private struct Name: Hashable {
  var name: String
  var isInternal: Bool

  init(_ row: EntityMap.Row) {
    name = row.name
    isInternal = row.id.isInternal
  }
}
