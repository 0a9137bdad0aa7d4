import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Adds the missing direction of links of relationships that are their own inverse (SD405), where both objects exist.
  func selfLinkMirrors() throws -> Decision {
    let scan = scan()
    let joins = scan.joinLinks().filter(\.place.isReflexive)
    try scan.read()
    var decision = Decision()
    for join in joins {
      guard let (sources, destinations) = join.targets(scan), join.table.damage == nil else {
        decision.obstacles.append(
          .damaged(by: .selfLinkMirrors, join.place.source.relationship, table: join.place.table))
        continue
      }
      var links: [KeyPair] = []
      join.forEachLink { link in
        guard let source = link.source, let destination = link.destination, sources.all.contains(source),
          destinations.all.contains(destination)
        else { return }
        links.append(KeyPair(source, destination))
      }
      links.sort()
      let missing = links.map(\.mirrored).filter { !links.containsSorted($0) }.sorted()
      guard !missing.isEmpty else { continue }
      let place = join.place
      decision.operations.append(
        Operation(
          .selfLinkMirrors, summary: "add \(counted(missing.count, "mirror")) of links of \(place.source.relationship)",
          entity: place.source.relationship.owner.name, property: place.source.relationship.layout.name,
          .rows(try newLinks(missing, in: place))))
    }
    return decision
  }

  /// The links to insert, each at the end of its object's list where the relationship is ordered.
  private func newLinks(_ links: [KeyPair], in place: JoinLinks.Place) throws -> RowEdit {
    let order = place.source.orderColumn ?? place.destination.orderColumn
    var rows = RowEdit(
      .insert, place.table, key: [place.source.column, place.destination.column], set: order.map { [$0] } ?? [])
    var last: [Int64: Int64] = [:]
    for link in links {
      guard let order else {
        rows.add(key: [.integer(link.first), .integer(link.second)])
        continue
      }
      let highest = try last[link.first] ?? highestOrderKey(order, of: link.first, in: place)
      let next = OrderKey.next(after: highest)
      last[link.first] = next
      rows.add(key: [.integer(link.first), .integer(link.second)], set: [.integer(next)])
    }
    return rows
  }

  private func highestOrderKey(_ order: String, of owner: Int64, in place: JoinLinks.Place) throws -> Int64? {
    let rows = try connection.prepare(
      """
      SELECT max(\(quotedIdentifier(order))) FROM \(quotedIdentifier(place.table)) \
      WHERE \(quotedIdentifier(place.source.column)) = ?1
      """)
    try rows.bind(owner, at: 1)
    return try rows.step() && !rows.isNull(0) ? rows.int64(0) : nil
  }
}
