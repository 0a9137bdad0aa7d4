import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let wrongEntityReference = Check(
    .wrongEntityReference, "wrong-entity-reference", .error, traits: [.missingRows, .rows],
    summary: "A relationship names an object of an entity it does not lead to.",
    explanation: """
      ## What it looks for
      A key, of a to-one relationship or in a many-to-many table, of a row that exists in the destination's table but is
      neither of the destination entity nor of one that inherits from it. All entities of one inheritance share a table,
      so the key looks right to SQLite. Rows whose entity number does not belong into the table at all are SD209 and
      SD210, not this.

      ## Why it matters
      The app gets an object of a class it does not expect, and fails when it uses what that class does not have.
      Validation of the object that holds the key fails with 1550.

      ## Example
      `Team.coach` leads to `Coach`, and row 2 of `ZTEAM` has the key of a `Player` in `ZCOACH`.

      ## What can be done
      Nobody but the author can say which object was meant. The repair `wrongEntity: nullify` clears the key.
      """
  ) { check, scan in
    let (columns, joins) = (scan.keyColumns(), scan.joinLinks())
    return {
      columns.compactMap { column in
        wrongRows(of: column, scan).flatMap { rows in
          check.finding(
            of: column.place.relationship, table: column.place.table, rows: rows,
            message: message(rows.count, at: column.place),
            blocks: [1550], remedies: [.init("wrongEntity: nullify")])
        }
      }
        + joins.compactMap { join in
          wrongLinks(of: join, scan).flatMap { rows in
            check.finding(
              of: join.place.source.relationship, table: join.place.table, rows: rows,
              message: message(rows.count, at: join.place),
              blocks: [1550], remedies: [.init("wrongEntity: nullify")])
          }
        }
    }
  }
}

private func wrongRows(of column: KeyColumn, _ scan: Scan) -> ExampleTally? {
  guard let targets = column.targets(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  guard targets.haveOthers else { return rows }
  column.forEachLink { link in
    guard let key = link.key, targets.standing(of: key) == .wrongEntity else { return }
    let found = scan.entityName(of: key, in: column.target)
    rows.add(scan.example(link.row, of: column, facts: ["key": .number(key), "foundEntity": found]))
  }
  return rows
}

private func wrongLinks(of join: JoinLinks, _ scan: Scan) -> ExampleTally? {
  guard let (sources, destinations) = join.targets(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  guard sources.haveOthers || destinations.haveOthers else { return rows }
  join.forEachLink { link in
    let isWrong =
      link.source.map { sources.standing(of: $0) == .wrongEntity } == true
      || link.destination.map { destinations.standing(of: $0) == .wrongEntity } == true
    if isWrong { rows.add(join.example(link)) }
  }
  return rows
}

private func message(_ count: Int64, at place: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "has" : "have") a key in \(place.column) "
    + "of a row of \(place.targetTable) that is of another entity"
}

private func message(_ count: Int64, at place: JoinLinks.Place) -> String {
  "\(counted(count, "link")) in \(place.table) \(count == 1 ? "names" : "name") an object of another entity"
}
