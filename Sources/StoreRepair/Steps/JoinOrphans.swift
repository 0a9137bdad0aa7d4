import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Deletes links with a missing object at one end (SD404); the object at the other end stays.
  func joinOrphans() throws -> Decision {
    let scan = scan()
    let joins = scan.joinLinks()
    try scan.read()
    var decision = Decision()
    for join in joins {
      guard let (sources, destinations) = join.targets(scan), join.table.damage == nil else {
        decision.obstacles.append(.damaged(by: .joinOrphans, join.place.source.relationship, table: join.place.table))
        continue
      }
      var orphans: [KeyPair] = []
      join.forEachLink { link in
        let hasSource = link.source.map(sources.all.contains) ?? false
        let hasDestination = link.destination.map(destinations.all.contains) ?? false
        if !hasSource || !hasDestination { orphans.append(KeyPair(link.source ?? 0, link.destination ?? 0)) }
      }
      guard !orphans.isEmpty else { continue }
      let place = join.place
      var rows = RowEdit(.delete, place.table, key: [place.source.column, place.destination.column])
      try addKeys(of: orphans, to: &rows)
      decision.operations.append(
        Operation(
          .joinOrphans,
          summary: "delete \(counted(orphans.count, "link")) of \(place.source.relationship) to objects that do "
            + "not exist", entity: place.source.relationship.owner.name,
          property: place.source.relationship.layout.name, .rows(rows), expectedChanges: orphans.count))
    }
    return decision
  }

  /// Adds the keys as stored, since the scan reads NULL as 0 and other types as integers.
  private func addKeys(of orphans: [KeyPair], to rows: inout RowEdit) throws {
    let columns = rows.keyColumns.map(quotedIdentifier)
    let odd = try connection.prepare(
      """
      SELECT DISTINCT \(columns[0]), \(columns[1]) FROM \(quotedIdentifier(rows.table)) \
      WHERE typeof(\(columns[0])) <> 'integer' OR typeof(\(columns[1])) <> 'integer'
      """)
    var seen: Set<KeyPair> = []
    while try odd.step() {
      seen.insert(KeyPair(odd.int64(0), odd.int64(1)))
      rows.add(key: [odd.value(0), odd.value(1)])
    }
    for pair in orphans where !seen.contains(pair) {
      rows.add(key: [.integer(pair.first), .integer(pair.second)])
    }
  }
}

extension Obstacle {
  /// A table with damaged pages: nothing is known about the rows that cannot be read.
  static func damaged(by repair: Repair, _ relationship: StoredRelationship, table: String) -> Obstacle {
    Obstacle(
      repair, entity: relationship.owner.name, property: relationship.layout.name,
      "table \(quoted(table)), or one it leads to, cannot be read whole (SD102)", refusesPlan: false)
  }
}
