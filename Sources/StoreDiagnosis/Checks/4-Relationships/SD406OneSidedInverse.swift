import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let oneSidedInverse = Check(
    .oneSidedInverse, "one-sided-inverse", .note, traits: [.missingRows, .rows],
    summary: "One side of a one-to-one relationship names an object that does not name it back.",
    explanation: """
      ## What it looks for
      A one-to-one relationship is stored twice, as a key on each side. An object whose partner exists, and holds no key
      back or that of another object. A partner that does not exist is SD401.

      ## Why it matters
      What the app sees depends on the side it asks. Apple's own Notes has lived with up to 36 such objects in a store,
      and migrations carry them along, so this is worth knowing rather than a fault.

      ## Example
      `Person.passport` and `Passport.holder`: row 4 of `ZPERSON` has 2 in `ZPASSPORT`, and row 2 of `ZPASSPORT` has
      NULL in `ZHOLDER`.

      ## What can be done
      Only the author can say which side is right. The repair `inverses` with `from: this` or `from: other` makes both
      sides agree.
      """
  ) { check, scan in
    let pairs = oneToOnePairs(scan)
    return {
      pairs.compactMap { column, inverse in
        guard let rows = oneSidedRows(of: column, inverse: inverse, in: scan) else { return nil }
        return check.finding(
          of: column.place.relationship, table: column.place.table, rows: rows,
          message: message(rows.count, at: column.place, inverse: inverse.place),
          remedies: [inverses(column.place.relationship)])
      }
    }
  }
}

/// Each to-one relationship whose inverse is to-one too, together with that inverse.
private func oneToOnePairs(_ scan: Scan) -> [(KeyColumn, KeyColumn)] {
  let columns = scan.keyColumns().filter { !$0.place.isHidden }
  let byRelationship = Dictionary(columns.map { ($0.place.relationship, $0) }) { first, _ in first }
  return columns.compactMap { column in
    scan.map.inverse(of: column.place.relationship).flatMap { byRelationship[$0] }.map { (column, $0) }
  }
}

private func inverses(_ relationship: StoredRelationship) -> Finding.Remedy {
  let (entity, name) = (recipeName(relationship.owner.name), recipeName(relationship.layout.name))
  return .init("inverses: [{entity: \(entity), relationship: \(name), from: this}]")
}

private func oneSidedRows(of column: KeyColumn, inverse: KeyColumn, in scan: Scan) -> ExampleTally? {
  guard inverse.holder.damage == nil, let targets = column.targets(scan) else { return nil }
  var answers: [KeyPair] = []
  inverse.forEachLink { link in if let key = link.key { answers.append(.init(link.row, key)) } }
  answers.sort()
  var rows = ExampleTally(limit: scan.exampleLimit)
  column.forEachLink { link in
    guard let key = link.key, targets.right.contains(key), !answers.containsSorted(.init(key, link.row)) else { return }
    rows.add(scan.example(link.row, of: column, facts: ["key": .number(key)]))
  }
  return rows
}

private func message(_ count: Int64, at place: KeyColumn.Place, inverse: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "names" : "name") an object in \(place.column) "
    + "that does not name \(count == 1 ? "it" : "them") back in \(inverse.column)"
}
