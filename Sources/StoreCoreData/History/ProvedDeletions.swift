import StoreSQLite

/// How many objects the history proves to be deleted: a delete change names them, and they do not exist.
package struct ProvedDeletions: Sendable, Equatable {
  /// Objects of each entity.
  package var byEntity: [EntityID: Int64] = [:]
  /// Whether there may be more, because so many changes were not looked at.
  package var isAtLeast = false

  /// The most objects that are counted.
  private static let most = 1_000_000

  /// Reads the changes once, and looks each object up by its key.
  init(reading connection: Connection, shape: Shape, layout: Layout) throws {
    guard let changes = shape.table(.change), ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK"].allSatisfy(changes.has) else {
      return
    }
    var lookups: [Int64: Statement?] = [:]
    for entity in layout.entities where !entity.id.isInternal && entity.tableExists {
      guard shape.tables[entity.table]?.has("Z_PK") == true else { continue }
      lookups[entity.id.number] = try connection.prepare(
        "SELECT 1 FROM \(quotedIdentifier(entity.table)) WHERE Z_PK = ?")
    }
    var seen: Set<Object> = []
    let deletes = try connection.prepare(
      "SELECT ZENTITY, ZENTITYPK FROM \(HistoryTable.change) NOT INDEXED WHERE ZCHANGETYPE = 2")
    while try deletes.step() {
      let object = Object(entity: deletes.int64(0), key: deletes.int64(1))
      guard let lookup = lookups[object.entity] ?? nil, !seen.contains(object) else { continue }
      guard seen.count < Self.most else {
        isAtLeast = true
        return
      }
      seen.insert(object)
      lookup.reset()
      try lookup.bind(object.key, at: 1)
      if try !lookup.step() { byEntity[EntityID(object.entity), default: 0] += 1 }
    }
  }

  private struct Object: Hashable {
    var entity: Int64
    var key: Int64
  }
}
