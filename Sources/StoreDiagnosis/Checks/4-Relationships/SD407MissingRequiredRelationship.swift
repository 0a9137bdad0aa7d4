import StoreDataModel
import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let missingRequiredRelationship = Check(
    .missingRequiredRelationship, "missing-required-relationship", .warning,
    traits: [.missingRows, .rows, .standingRule],
    summary: "A required relationship is empty.",
    explanation: """
      ## What it looks for
      Objects without a key in a to-one relationship that the model does not call optional, and objects without any link
      in a to-many relationship that it does not call optional and that has a minimum count above 0. A key that leads
      nowhere is SD401. A to-many with a minimum of 0 may be empty, whether it is called optional or not: Core Data
      itself saves it so.

      ## Why it matters
      The app opens the store and shows the object; saving it after any change fails with 1570, or with 1580 for a
      to-many. A migration that newly requires the relationship fails with 134110; one that only carries the requirement
      along does not look.

      ## Example
      `Team.league` is required, and row 2 of `ZTEAM` has NULL in `ZLEAGUE`.

      ## What can be done
      The repair `relink` finds the object by an attribute that both sides share, as in
      `{entity: Team, relationship: league, match: {leagueName: name}}`. Or make the relationship optional.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which relationships are required")
      return { [] }
    }
    let columns = scan.keyColumns().filter { !$0.place.isHidden && !$0.place.relationship.layout.isOptional }
    let required = scan.toManys().filter { !$0.relationship.layout.isOptional && $0.hasMinimum }
    return {
      columns.compactMap { column in
        check.finding(
          of: column.place.relationship, table: column.place.table, rows: rowsWithoutKey(column, in: scan),
          message: message(column.empty.count, at: column.place), blocks: [1570],
          remedies: [relink(column.place.relationship)])
      }
        + required.compactMap { toMany in
          ownersWithoutLinks(toMany, in: scan).flatMap { rows in
            check.finding(
              of: toMany.relationship, table: toMany.owners.name, rows: rows,
              message: message(rows.count, toMany: toMany),
              blocks: [1580])
          }
        }
    }
  }
}

extension ToMany {
  /// Whether the model sets a minimum count. In 84 of 202 real stores, required to-many relationships without one are
  /// empty.
  fileprivate var hasMinimum: Bool { (relationship.model?.minimumCount ?? 0) > 0 }
}

private func rowsWithoutKey(_ column: KeyColumn, in scan: Scan) -> ExampleTally {
  ExampleTally(column.empty) { scan.example($0, of: column) }
}

private func ownersWithoutLinks(_ toMany: ToMany, in scan: Scan) -> ExampleTally? {
  guard let linked = toMany.ownersOfLinks(scan) else { return nil }
  var rows = ExampleTally(limit: scan.exampleLimit)
  for owner in toMany.owners.keys(of: toMany.ownerKinds).subtracting(KeySet(linked)) {
    rows.add(toMany.example(owner, in: scan))
  }
  return rows
}

private func relink(_ relationship: StoredRelationship) -> Finding.Remedy {
  .init("relink: [\(RecipePart.relinkTemplate(relationship.layout.name, of: relationship.owner.name))]")
}

private func message(_ count: Int64, at place: KeyColumn.Place) -> String {
  "\(counted(count, "row")) of \(place.table) \(count == 1 ? "has" : "have") NULL in \(place.column), "
    + "which is required"
}

private func message(_ count: Int64, toMany: ToMany) -> String {
  "\(counted(count, "row")) of \(toMany.owners.name) \(count == 1 ? "has" : "have") no object in "
    + "\(quoted(toMany.relationship.description)), which is required"
}
