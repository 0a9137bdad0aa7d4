import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let recordWithoutObject = Check(
    .recordWithoutObject, "record-without-object", .note, traits: [.missingRows],
    summary: "CloudKit's mirroring has a record for an object that does not exist.",
    explanation: """
      ## What it looks for
      In a mirrored store: rows of `ANSCKRECORDMETADATA` that are not marked for deletion and name an object that is not in
      its table, or an entity that `Z_PRIMARYKEY` does not know. Objects are looked up by entity and key.

      ## Why it matters
      An object that was deleted while nothing was mirrored leaves its record. At the next mirrored opening with the same
      account it is deleted on the server; with another account it lives on there. Where the row was removed by other means
      than Core Data's, without history, it may come back with an import. Records of an entity that is gone from the model
      stop a migration: "UNIQUE constraint failed". All of it was seen by others, not in a store of ours: it is assumed.

      ## Example
      `ANSCKRECORDMETADATA` names row 7 of entity 3 (`Note`), and `ZNOTE` has no row 7.

      ## What can be done
      Nothing, if objects were just deleted: the mirror settles it. `inspect --cloudkit` counts such records by entity.
      """,
    lookAtSubject: { check, subject in
      let scan = subject.scan
      guard let visitor = subject.mirror.records() else { return { [] } }
      let tables = Dictionary(scan.objectTables().map { ($0.table.name, $0.table) }) { first, _ in first }
      return {
        ghosts(visitor.records, in: tables, scan: scan).sorted { $0.key < $1.key }.compactMap { entity, rows in
          ghostFinding(check, of: entity, rows: rows, scan: scan)
        } + [strangerFinding(check, visitor.records.strangers, limit: scan.exampleLimit)].compactMap(\.self)
      }
    })
}

/// The records without object, by the entity they name.
private func ghosts(
  _ records: MirrorRecords, in tables: [String: TableScan], scan: Scan
) -> [EntityID: ExampleTally] {
  var ghosts: [EntityID: ExampleTally] = [:]
  for (name, records) in records.byTable {
    guard let table = tables[name], table.damage == nil else { continue }
    let keys = table.allKeys
    for record in records where record.state != .toBeDeleted && !keys.contains(record.key) {
      ghosts[record.entity, default: ExampleTally(limit: scan.exampleLimit)]
        .add(.init(nil, ["key": .number(record.key)]))
    }
  }
  return ghosts
}

private func ghostFinding(_ check: Check, of entity: EntityID, rows: ExampleTally, scan: Scan) -> Finding? {
  guard let layout = scan.map.entity(entity) else { return nil }
  let one = rows.count == 1
  return check.finding(
    layout.name, table: MirrorTable.records, count: rows.count, examples: rows.examples,
    message: "\(counted(rows.count, "record")) of CloudKit \(one ? "names an object" : "name objects") of "
      + "\(quoted(layout.name)) that \(one ? "does" : "do") not exist",
    basis: .assumed)
}

private func strangerFinding(_ check: Check, _ rows: [Int64], limit: Int) -> Finding? {
  guard !rows.isEmpty else { return nil }
  return check.finding(
    table: MirrorTable.records, property: "ZENTITYID", count: Int64(rows.count),
    examples: rows.prefix(limit).map { .init($0) },
    message: "\(counted(Int64(rows.count), "record")) of CloudKit \(rows.count == 1 ? "names" : "name") an entity that "
      + "Z_PRIMARYKEY does not know; a migration may stop at \(rows.count == 1 ? "it" : "them")",
    basis: .assumed)
}
