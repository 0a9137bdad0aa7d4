import StoreFindings
import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData

extension Check {
  static let missingTable = Check(
    .missingTable, "missing-table", .error, traits: [.damage],
    summary: "An entity has no table.",
    explanation: """
      ## What it looks for
      The table of each root entity that `Z_PRIMARYKEY` or the version hashes name: `Z` and the entity's name in upper
      case. A view or virtual table of that name is none.

      ## Why it matters
      Version hashes compare models, not tables: the store seems to fit, and the first fetch or the next migration fails
      with "no such table" (SQLite code 1), which apps show as 134110 or as 256 "couldn't be opened".

      ## Example
      `Z_PRIMARYKEY` has entity `Tag` with 12 handed-out keys, and there is no table `ZTAG`: a second container with
      fewer models wrote to the file, or a migration was interrupted.

      ## What can be done
      The rows are not in this file. Look for an older copy, or for the file the app's other container uses; do not let
      the app make the table anew before that.
      """
  ) { check, scan in
    { tables(check, in: scan) + entitiesWithoutRow(check, in: scan) }
  }
}

private func tables(_ check: Check, in scan: Scan) -> [Finding] {
  scan.store.layout.entities.filter { !$0.id.isInternal && $0.parent == nil && !$0.tableExists }.map { entity in
    let row = scan.store.entityMap[entity.id]
    let keys = row?.keysHandedOut ?? (row?.highWater == nil ? 0 : nil)
    let handedOut = keys.map { "\(counted($0, "key")) of it \($0 == 1 ? "was" : "were") handed out" }
    let kind = scan.store.shape.unreadable[entity.table].map { "; what is called so is \($0)" } ?? ""
    return check.finding(
      entity.name, table: entity.table,
      message:
        "there is no table \(entity.table)\(kind); "
        + (handedOut ?? "how many keys of it were handed out is not known: Z_MAX is \(row?.highWater ?? 0)"),
      blocks: [134110, 256, 1])
  }
}

/// Entities that only the hashes list: they have neither a row in `Z_PRIMARYKEY` nor a table.
private func entitiesWithoutRow(_ check: Check, in scan: Scan) -> [Finding] {
  guard let model = scan.store.model else { return [] }
  let known = Set(scan.store.layout.entities.map { $0.modelName ?? $0.name })
  let hashed = scan.store.metadata.hashes.map { Set($0.byEntity.keys) } ?? []
  var findings: [Finding] = []
  for name in model.entities.filter({ $0.parent == nil }).map(\.name) {
    let table = TablePlan.tableName(ofRoot: name)
    guard hashed.contains(name), !known.contains(name), scan.store.shape.tables[table] == nil else { continue }
    findings.append(
      check.finding(
        name, table: table, message: "there is no table \(table), and no row of \(quoted(name)) in Z_PRIMARYKEY",
        blocks: [134110, 256, 1]))
  }
  return findings
}
