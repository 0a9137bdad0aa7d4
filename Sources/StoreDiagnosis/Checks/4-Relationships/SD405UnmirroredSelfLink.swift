import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let unmirroredSelfLink = Check(
    .unmirroredSelfLink, "unmirrored-self-link", .warning, traits: [.missingRows, .rows],
    summary: "A link of a relationship that is its own inverse is stored in one direction only.",
    explanation: """
      ## What it looks for
      A many-to-many relationship that is its own inverse keeps each link as two rows, (3, 20) and (20, 3). A row whose
      two objects exist and whose mirror is not there. Where an object is missing the row is SD404.

      ## Why it matters
      Asked from one end the objects are linked, from the other they are not; what the app sees depends on which it
      loads first.

      ## Example
      `Person.friends`: `Z_4FRIENDS` has a row (1, 2) and none (2, 1).

      ## What can be done
      The repair `structure: [self-link-mirrors]` adds the missing row. It is safe.
      """
  ) { check, scan in
    let joins = scan.joinLinks().filter(\.place.isReflexive)
    return {
      joins.compactMap { join in
        guard let rows = unmirrored(in: join, scan) else { return nil }
        return check.finding(
          of: join.place.source.relationship, table: join.place.table, rows: rows,
          message: message(rows.count, at: join.place),
          remedies: [.init("structure: [self-link-mirrors]", isSafe: true)])
      }
    }
  }
}

private func unmirrored(in join: JoinLinks, _ scan: Scan) -> ExampleTally? {
  guard let (sources, destinations) = join.targets(scan), join.table.damage == nil else { return nil }
  var links: [KeyPair] = []
  join.forEachLink { link in
    if let source = link.source, let destination = link.destination { links.append(.init(source, destination)) }
  }
  links.sort()
  var rows = ExampleTally(limit: scan.exampleLimit)
  for link in links where sources.all.contains(link.first) && destinations.all.contains(link.second) {
    if !links.containsSorted(link.mirrored) {
      rows.add(join.example(.init(source: link.first, destination: link.second)))
    }
  }
  return rows
}

private func message(_ count: Int64, at place: JoinLinks.Place) -> String {
  "\(counted(count, "link")) in \(place.table) \(count == 1 ? "lacks" : "lack") the mirrored row"
}
