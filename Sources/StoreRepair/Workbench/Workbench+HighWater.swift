import StoreCoreData

extension Workbench {
  /// Core Data never reuses keys up to `Z_MAX`, so the root entity's must cover the inserted rows.
  func raisedHighWater(_ table: String, keys: Set<Int64>, _ repair: Repair) -> [Operation] {
    guard let highest = keys.max(), let root = map.entity(ofTable: table),
      let known = store.entityMap[root.id]?.highWater, known < highest
    else { return [] }
    return [
      Operation(
        repair, summary: "set Z_MAX of \(root.name) from \(known) to \(highest)", entity: root.name,
        .highWater(root.id, highest))
    ]
  }
}
