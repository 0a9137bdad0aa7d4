import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let missingColumn = Check(
    .missingColumn, "missing-column", .error, traits: [.damage],
    summary: "A property has no column in its table.",
    explanation: """
      ## What it looks for
      A column for each stored attribute, leaf of a composite attribute, to-one relationship (with the number of the
      destination's entity where that has subentities), place in an ordered relationship, and hidden key of a to-many
      without inverse. Columns numbered by an older version are recognised.

      ## Why it matters
      Every fetch of the entity names all its columns, so all of its objects are out of reach: "no such column" (SQLite
      code 1), shown as 134110 in a migration or as 256.

      ## Example
      The model's `Note.pinned` should be in `ZPINNED`, and `ZNOTE` has no such column: the model was changed, and a
      tool wrote the new model's hashes into the store.

      ## What can be done
      Compare the store with the versions of the app's model (`storedoctor model match`): the tables are often those of
      the version before. Then the metadata is what is wrong, not the table.
      """
  ) { check, scan in
    {
      scan.store.layout.lacking.compactMap { lacking in
        guard case .column(let table, let column) = lacking.object, let property = lacking.property else { return nil }
        return check.finding(
          lacking.entity, table: table, property: property, message: "\(table) has no column \(column)",
          blocks: [134110, 256, 1])
      }.mergedByPlace()
    }
  }
}

extension [Finding] {
  /// Merges the findings of one property, which may lack several columns: key, companion and order key.
  fileprivate func mergedByPlace() -> [Finding] {
    var merged: [Finding] = []
    for finding in self {
      if let last = merged.indices.last, merged[last].entity == finding.entity,
        merged[last].property == finding.property
      {
        merged[last].count += 1
        merged[last].message += "; " + finding.message
      } else {
        merged.append(finding)
      }
    }
    return merged
  }
}
