import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel

extension Check {
  package static let missingRequiredValue = Check(
    .missingRequiredValue, "missing-required-value", .warning, traits: [.rows],
    summary: "A required attribute has no value.",
    explanation: """
      ## What it looks for
      NULL in the column of an attribute that the model does not call optional. A sub-entity's own column is looked at
      for its own rows only. A required composite attribute may be empty in parts: only leaves that are required
      themselves count.

      ## Why it matters
      The app opens the store and shows the object; saving it after a change fails with "is a required value" (1570). A
      migration that newly requires the attribute fails with 134110. One that only carries the requirement along does
      not look: Photos has lived with such rows through nine versions.

      ## Example
      `Note.title` is required, and row 7 of `ZNOTE` has NULL in `ZTITLE`.

      ## What can be done
      The repair `backfill` fills the gap with a fixed value, another attribute's, the present time or a new UUID. Or
      make the attribute optional.
      """
  ) { check, scan in
    guard scan.store.hasModel else {
      scan.skip("without a model nobody knows which attributes are required")
      return { [] }
    }
    let columns = scan.values(.null)
    return {
      columns.compactMap { column in
        check.finding(
          of: column.place, rows: column.tally(column.nulls, scan: scan), message: message(column), blocks: [1570],
          remedies: [backfill(column.place)].compactMap(\.self))
      }
    }
  }
}

private func message(_ column: ValueColumn) -> String {
  let count = column.nulls.count
  return "\(counted(count, "row")) of \(column.place.table) \(count == 1 ? "has" : "have") NULL in "
    + "\(column.place.column), which is required"
}

/// A recipe fragment with the model's default or a value that suits the type; nil if there is none.
private func backfill(_ place: AttributePlace) -> Finding.Remedy? {
  guard place.path.isEmpty, let attribute = place.leaf.attribute, let value = attribute.recipeValue else { return nil }
  return .init(
    "backfill: [{entity: \(recipeName(place.owner.name)), attribute: \(recipeName(place.property.name)), \(value)}]")
}
