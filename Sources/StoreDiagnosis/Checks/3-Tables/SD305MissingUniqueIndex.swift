import StoreWords
import StoreFindings
import StoreScanning
import StoreCoreData

extension Check {
  static let missingUniqueIndex = Check(
    .missingUniqueIndex, "missing-unique-index", .warning,
    summary: "A uniqueness constraint of the model has no index that keeps it.",
    explanation: """
      ## What it looks for
      For each uniqueness constraint a unique index over the same columns: `Z_<Entity>_UNIQUE_<attribute>`, or the form
      inside `CREATE TABLE` that old frameworks write.

      ## Why it matters
      SQLite alone keeps the constraint. Without the index duplicates are saved without a word, and a later migration
      that makes the index fails on them with 134110.

      ## Example
      `Tag` is unique by `name`, and `ZTAG` has no unique index over `ZNAME`.

      ## What can be done
      The repair `structure: [unique-indexes]` makes it, once there are no duplicates (SD502, `dedupe`). It is safe.
      """
  ) { check, scan in
    { try scan.store.layout.entities.flatMap { try missingIndexes(of: $0, check: check, in: scan) } }
  }
}

private func missingIndexes(of entity: EntityLayout, check: Check, in scan: Scan) throws -> [Finding] {
  guard entity.tableExists, !entity.uniquenessConstraints.isEmpty else { return [] }
  let indexes = try scan.store.indexes(of: entity.table).filter { $0.isUnique && !$0.isPartial }
  let unique = Set(indexes.map { Set($0.columns) })
  return entity.uniquenessConstraints.compactMap { constraint in
    let columns = constraint.map { entity.column(of: $0) }
    let names = constraint.joined(separator: ", ")
    guard !columns.contains(nil) else {
      // A missing column has a finding of its own.
      scan.skip("the constraint on \(names) of \(quoted(entity.name)) is on a property without a column")
      return nil
    }
    guard !unique.contains(Set(columns.compactMap(\.self))) else { return nil }
    return check.finding(
      entity.name, table: entity.table, property: constraint.joined(separator: ","),
      message: "\(entity.table) has no unique index over \(columns.compactMap(\.self).joined(separator: ", "))",
      remedies: [.init("structure: [unique-indexes]", isSafe: true)])
  }
}
