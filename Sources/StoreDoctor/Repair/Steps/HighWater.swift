import CoreDataStore
import SQLite

extension Workbench {
  /// Raises `Z_MAX` of root entities to the highest key (SD207), and sets that of the others to 0 (SD208). It is never
  /// lowered: history and CloudKit name keys of objects that are gone.
  func highWater() throws -> Decision {
    var decision = Decision()
    for row in store.entityMap.rows {
      guard let entity = store.layout.entities.first(where: { $0.id == row.id }) else { continue }
      guard row.parent == nil else {
        if let highWater = row.highWater, highWater != 0 {
          decision.operations.append(operation(entity, from: highWater, to: 0))
        }
        continue
      }
      guard entity.tableExists, let highest = try highestKey(of: entity.table), highest > row.highWater ?? 0 else {
        continue
      }
      decision.operations.append(operation(entity, from: row.highWater, to: highest))
    }
    return decision
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
