import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let brokenOrderKey = Check(
    .brokenOrderKey, "broken-order-key", .warning, traits: [.missingRows, .rows],
    summary: "An object of an ordered relationship has no place, or one that another has.",
    explanation: """
      ## What it looks for
      Each link of an ordered to-many relationship has an order key (`Z_FOK_NAME`; `Z_FOK_<number>NAME` where the
      relationship has no inverse). A link whose order key is NULL, or is
      the same as that of an earlier row with the same owner. Only the order counts: gaps are normal.

      ## Why it matters
      The order of such objects is that of chance. It may change from one launch to the next, and with it what the user
      sees.

      ## Example
      `Team.players` is ordered, and rows 4 and 5 of `ZPERSON` have 1 in `ZTEAM1` and 2048 in `Z_FOK_TEAM`.

      ## What can be done
      The repair `structure: [repeated-order-keys]` gives objects that share a place one of their own, and keeps the
      order that the others have. It is safe. Where an object among others has no place at all, nobody knows where the
      app shows it: `structure: [order-keys]` puts it first, and needs `--allow-lossy`.
      """
  ) { check, scan in
    let all = scan.keyColumns()
    let columns = all.filter { $0.place.orderKey != nil }
    let unplaced = all.map(\.place).filter { $0.isHidden && $0.relationship.layout.isOrdered && $0.orderKey == nil }
    scan.skip(
      unplaced.map(\.relationship.description), reason: "not looked at, because no column is known for its order")
    let joins = scan.joinLinks()
    return {
      columns.compactMap { column in
        guard let found = rowsWithoutPlace(column, in: scan) else { return nil }
        return brokenOrder(check, of: ordered(by: column, scan), table: column.place.table, found: found)
      }
        + joins.flatMap { join in
          [(join.place.source, true), (join.place.destination, false)].compactMap { end, isSource in
            guard end.orderColumn != nil else { return nil }
            return brokenOrder(
              check, of: end.relationship, table: join.place.table,
              found: linksWithoutPlace(join, isSource: isSource, in: scan))
          }
        }
    }
  }
}

/// The ordered relationship that a column's order keys belong to.
private func ordered(by column: KeyColumn, _ scan: Scan) -> StoredRelationship {
  scan.map.inverse(of: column.place.relationship) ?? column.place.relationship
}

private func rowsWithoutPlace(_ column: KeyColumn, in scan: Scan) -> Unplaced? {
  guard let targets = column.targets(scan) else { return nil }
  return withoutPlace(limit: scan.exampleLimit) { visit in
    column.forEachLink { link in
      guard let owner = link.key, targets.right.contains(owner) else { return }
      visit(owner, link.orderKey) {
        scan.example(
          link.row, of: column, facts: ["key": .number(owner), "orderKey": link.orderKey.map(Finding.Fact.number)])
      }
    }
  }
}

private func linksWithoutPlace(_ join: JoinLinks, isSource: Bool, in scan: Scan) -> Unplaced {
  withoutPlace(limit: scan.exampleLimit) { visit in
    join.forEachLink { link in
      guard let source = link.source, let destination = link.destination else { return }
      let order = isSource ? link.sourceOrder : link.destinationOrder
      visit(isSource ? source : destination, order) {
        join.example(link, facts: ["orderKey": order.map(Finding.Fact.number)])
      }
    }
  }
}

/// Links without an order key, or with the same as an earlier link of the same owner.
private struct Unplaced {
  var rows: ExampleTally
  /// Whether some have no order key at all.
  var hasNull = false
}

/// Finds them.
///
/// - Parameter forEach: calls its argument with the owner, order key and example of every link. It is called several
///   times and must give the same links each time.
private func withoutPlace(
  limit: Int, forEach: (_ visit: (Int64, Int64?, () -> Finding.Example) -> Void) -> Void
) -> Unplaced {
  var count = 0
  forEach { _, _, _ in count += 1 }
  var places = RepeatedHashes(capacity: count)
  forEach { owner, order, _ in if let order { places.insert(KeyPair(owner, order)) } }
  var taken: Set<KeyPair> = []
  var found = Unplaced(rows: ExampleTally(limit: limit))
  forEach { owner, order, example in
    guard let order else {
      found.hasNull = true
      return found.rows.add(example())
    }
    let place = KeyPair(owner, order)
    if places.mayContain(place), !taken.insert(place).inserted { found.rows.add(example()) }
  }
  return found
}

private func brokenOrder(
  _ check: Check, of relationship: StoredRelationship, table: String, found: Unplaced
) -> Finding? {
  check.finding(
    of: relationship, table: table, rows: found.rows,
    message:
      "\(counted(found.rows.count, "link")) of \(quoted(relationship.description)) "
      + "\(found.rows.count == 1 ? "has" : "have") no order key, or that of another",
    remedies: [
      found.hasNull ? .init("structure: [order-keys]") : .init("structure: [repeated-order-keys]", isSafe: true)
    ])
}
