import StoreCoreData
import StoreFindings
import StoreScanning
import StoreWords

extension Check {
  static let objectWithoutRecord = Check(
    .objectWithoutRecord, "object-without-record", .note, traits: [.rows, .missingRows],
    summary: "CloudKit's mirroring has no record of an object.",
    explanation: """
      ## What it looks for
      In a mirrored store: objects that no row of `ANSCKRECORDMETADATA` names, by entity and key.

      ## Why it matters
      At the next mirrored opening they are sent to the account that is signed in then, even when the history no longer has
      their insertion. Deleted before that, they leave nothing on the server. Entities of a configuration that is not
      mirrored never have records. Seen by others, not in a store of ours: it is assumed.

      ## Example
      `ZNOTE` has a row 9, and `ANSCKRECORDMETADATA` has none with its entity and 9.

      ## What can be done
      Nothing is wrong in itself. Look before rows are restored or merged into such a store: what has no record goes up as
      new. `rows --cloudkit` shows each object's state and the name of its record.
      """,
    lookAtSubject: { check, subject in
      let scan = subject.scan
      guard let visitor = subject.mirror.records() else { return { [] } }
      let tables = scan.objectTables()
      return {
        guard visitor.table.damage == nil else { return [] }
        return tables.flatMap { objects -> [Finding] in
          let known = KeySet((visitor.records.byTable[objects.table.name] ?? []).lazy.map(\.key))
          let kinds = scan.map.kinds(of: objects.root.id).sorted().compactMap { scan.map.entity($0) }
          return kinds.compactMap {
            withoutRecord(check, of: $0, in: objects.table, known: known, limit: scan.exampleLimit)
          }
        }
      }
    })
}

private func withoutRecord(
  _ check: Check, of entity: EntityLayout, in table: TableScan, known: KeySet, limit: Int
) -> Finding? {
  var rows = ExampleTally(limit: limit)
  for key in table.keys(of: [entity.id]) where !known.contains(key) { rows.add(.init(key)) }
  var finding = check.finding(
    of: entity, rows: rows,
    message:
      "\(counted(rows.count, "object")) of \(quoted(entity.name)) \(rows.count == 1 ? "has" : "have") no record of "
      + "CloudKit: sent as new at the next mirrored opening")
  finding?.basis = .assumed
  return finding
}
