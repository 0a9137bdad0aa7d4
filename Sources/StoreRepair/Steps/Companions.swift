import StoreDiagnosis
import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

extension Workbench {
  /// Corrects the entity number beside a key where it is not that of the object the key leads to (SD403).
  func companions() throws -> Decision {
    let scan = scan()
    let columns = scan.keyColumns().filter { $0.place.companion != nil }
    try scan.read()
    var decision = Decision()
    for column in columns {
      guard let companion = column.place.companion else { continue }
      guard let targets = column.targets(scan) else {
        decision.obstacles.append(.damaged(by: .companions, column.place.relationship, table: column.place.table))
        continue
      }
      var rows = RowEdit.objects(column.place.table, set: [companion])
      column.forEachLink { link in
        guard column.hasWrongCompanion(link, among: targets) else { return }
        rows.add(link.row, set: [column.companion(for: link).map(SQLiteValue.integer) ?? .null])
      }
      guard rows.count > 0 else { continue }
      decision.operations.append(
        Operation(
          .companions,
          summary: "write the entity number beside \(counted(rows.count, "key")) of \(column.place.relationship)",
          entity: column.place.relationship.owner.name, property: column.place.relationship.layout.name, .rows(rows)))
    }
    return decision
  }
}
