import StoreDataModel
import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let countOutOfBounds = Check(
    .countOutOfBounds, "count-out-of-bounds", .warning, traits: [.missingRows, .rows, .standingRule],
    summary: "A to-many relationship has fewer or more objects than the model allows.",
    explanation: """
      ## What it looks for
      Objects with fewer links than a to-many relationship's minimum count, or more than its maximum. Links to objects
      that do not exist do not count. An optional relationship may be empty; a required one that is empty and has a
      minimum above 0 is SD407.

      ## Why it matters
      The app opens the store and shows the objects; saving one after any change fails with 1580 (too few) or 1590 (too
      many). Migration does not look.

      ## Example
      `Team.players` allows at most 3, and four rows of `ZPERSON` have 1 in `ZTEAM1`.

      ## What can be done
      Only the author can say which links are too many, or what is missing. Or change the bounds: they are part of the
      version hash.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows how many objects a relationship may have")
      return { [] }
    }
    let bounded = scan.toManys().compactMap { toMany in bounds(of: toMany).map { (toMany, $0) } }
    return {
      bounded.compactMap { toMany, bounds in
        guard let rows = ownersOutOfBounds(of: toMany, bounds: bounds, scan: scan) else { return nil }
        return check.finding(
          of: toMany.relationship, table: toMany.owners.name, rows: rows,
          message: message(rows.count, toMany: toMany, bounds: bounds),
          blocks: [1580, 1590])
      }
    }
  }
}

/// The allowed number of links; nil if any number is allowed.
private func bounds(of toMany: ToMany) -> ClosedRange<Int>? {
  guard let model = toMany.relationship.model else { return nil }
  // In a model a maximum count of 0 or -1 means no limit.
  let most = model.maximumCount > 0 ? Int(model.maximumCount) : .max
  let least = max(Int(model.minimumCount), 1)
  return least <= most && (least > 1 || most < .max) ? least...most : nil
}

private func ownersOutOfBounds(of toMany: ToMany, bounds: ClosedRange<Int>, scan: Scan) -> ExampleTally? {
  guard let owners = toMany.ownersOfLinks(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  var start = 0
  while start < owners.count {
    let owner = owners[start]
    let end = owners[start...].firstIndex { $0 != owner } ?? owners.count
    if !bounds.contains(end - start) {
      rows.add(toMany.example(owner, in: scan, facts: ["links": .number(Int64(end - start))]))
    }
    start = end
  }
  return rows
}

private func message(_ count: Int64, toMany: ToMany, bounds: ClosedRange<Int>) -> String {
  let allowed =
    bounds.upperBound == .max ? "at least \(bounds.lowerBound)" : "\(bounds.lowerBound) to \(bounds.upperBound)"
  return
    "\(counted(count, "row")) of \(toMany.owners.name) \(count == 1 ? "has" : "have") another number of objects in "
    + "\(quoted(toMany.relationship.description)) than \(allowed)"
}
