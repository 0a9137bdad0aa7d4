import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let orphanedJoinRow = Check(
    .orphanedJoinRow, "orphaned-join-row", .error, traits: [.missingRows, .rows],
    summary: "A row of a many-to-many table names an object that does not exist.",
    explanation: """
      ## What it looks for
      Rows of a many-to-many table in which one of the two keys, or both, has no row in its entity's table, or is NULL.

      ## Why it matters
      Fetching the relationship gives an object that is only a promise; using it ends with "could not fulfill a fault"
      (133000). Counts of the relationship are too high. Migrations carry such rows along: some stores of Apple's own
      have had them through nine versions.

      ## Example
      `Z_3TAGS` has a row (7, 99), and `ZTAG` has no row 99.

      ## What can be done
      The repair `structure: [join-orphans]` deletes the row; the objects stay. It is safe.
      """
  ) { check, scan in
    let joins = scan.joinLinks()
    return {
      joins.compactMap { join in
        guard let rows = orphans(in: join, scan) else { return nil }
        return check.finding(
          of: join.place.source.relationship, table: join.place.table, rows: rows,
          message: message(rows.count, at: join.place),
          blocks: [133000, 1550], remedies: [.init("structure: [join-orphans]", isSafe: true)])
      }
    }
  }
}

private func orphans(in join: JoinLinks, _ scan: Scan) -> ExampleTally? {
  guard let (sources, destinations) = join.targets(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  join.forEachLink { link in
    // A closure that is made of a method would hold the keys anew for every link.
    let hasSource = link.source.map { sources.all.contains($0) } ?? false
    let hasDestination = link.destination.map { destinations.all.contains($0) } ?? false
    guard !hasSource || !hasDestination else { return }
    let missing: Finding.Fact = if hasSource { "destination" } else if hasDestination { "source" } else { "both" }
    rows.add(join.example(link, facts: ["missing": missing]))
  }
  return rows
}

private func message(_ count: Int64, at place: JoinLinks.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "names" : "name") an object that does not exist"
}
