import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let companionMismatch = Check(
    .companionMismatch, "companion-mismatch", .error, traits: [.missingRows, .rows],
    summary: "The entity number beside a key is not that of the object the key names.",
    explanation: """
      ## What it looks for
      Where the destination of a to-one relationship has subentities, a second column (`Z<n>_NAME`) holds the entity
      number of the object. It has to be that row's own `Z_ENT`, and NULL where there is no key. Keys that lead nowhere,
      or to a wrong entity, are SD401 and SD402.

      ## Why it matters
      Core Data makes the object of the entity the companion names, without looking at the row: it then asks for a row
      of that entity and that key, finds none, and the fault cannot be fulfilled (133000).

      ## Example
      `Passport.holder` leads to `Person`, number 4. Row 1 of `ZPASSPORT` has 3 in `ZHOLDER` and 4 in `Z4_HOLDER`; but
      row 3 of `ZPERSON` is a `Player`, number 6.

      ## What can be done
      The repair `structure: [companions]` writes the number of the row that the key names. It is safe.
      """
  ) { check, scan in
    let columns = scan.keyColumns().filter { $0.place.companion != nil }
    return {
      columns.compactMap { column in
        guard let rows = mismatches(of: column, scan) else { return nil }
        return check.finding(
          of: column.place.relationship, table: column.place.table, rows: rows,
          message: message(rows.count, at: column.place),
          blocks: [133000], remedies: [.init("structure: [companions]", isSafe: true)])
      }
    }
  }
}

private func mismatches(of column: KeyColumn, _ scan: Scan) -> ExampleTally? {
  guard let targets = column.targets(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  column.forEachLink { link in
    guard column.hasWrongCompanion(link, among: targets) else { return }
    let facts: [String: Finding.Fact?] = [
      "key": link.key.map(Finding.Fact.number), "companion": link.companion.map(Finding.Fact.number),
      "expected": column.companion(for: link).map(Finding.Fact.number),
    ]
    rows.add(scan.example(link.row, of: column, facts: facts))
  }
  return rows
}

extension KeyColumn {
  /// Whether the companion is not that of the object. Dangling keys and keys of a wrong entity are left to other
  /// checks.
  package func hasWrongCompanion(_ link: Link, among targets: KeyTargets) -> Bool {
    link.key.map(targets.right.contains) ?? true && link.companion != companion(for: link)
  }

  /// The right value of the companion.
  package func companion(for link: Link) -> Int64? {
    guard let key = link.key else { return nil }
    if let companion = link.companion, target.isRow(key, of: EntityID(companion)) { return companion }
    return target.entity(of: key)?.number
  }
}

private func message(_ count: Int64, at place: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "has" : "have") an entity number in "
    + "\(place.companion ?? "") that is not that of the object in \(place.column)"
}
