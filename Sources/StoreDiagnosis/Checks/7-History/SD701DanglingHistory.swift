import StoreFindings
import StoreScanning
import StoreWords
import StoreCoreData

extension Check {
  static let danglingHistory = Check(
    .danglingHistory, "dangling-history", .warning, traits: [.missingRows],
    summary: "Persistent history names a transaction, an entity or a text that does not exist.",
    explanation: """
      ## What it looks for
      Rows of `ACHANGE` whose transaction is not in `ATRANSACTION`, or whose entity is not in `Z_PRIMARYKEY`; rows of
      `ATRANSACTION` whose author, bundle, context or process is not in `ATRANSACTIONSTRING`. Changes of rows that are
      gone are normal: they were deleted later.

      ## Why it matters
      Whoever reads the history (widgets, extensions, CloudKit export) may stumble over such a row. No real store has
      one: history was cut by other means than Core Data's, or the tables come from different stores.

      ## Example
      Row 12 of `ACHANGE` is of transaction 5, and `ATRANSACTION` begins with 9.

      ## What can be done
      History can be deleted by the app (`NSPersistentHistoryChangeRequest.deleteHistory`); consumers then begin anew.
      Look at the store's other findings first: it may have been put together from parts.
      """
  ) { check, scan in
    let references = historyReferences(scan)
    let changes = changedEntities(scan)
    return {
      references.compactMap { danglingKeys(check, in: $0, scan: scan) }
        + [changes.flatMap { unknownEntities(check, in: $0) }].compactMap(\.self)
    }
  }
}

private let transactionColumns = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]

private func historyReferences(_ scan: Scan) -> [HistoryReferences] {
  let places =
    [(HistoryTable.change, "ZTRANSACTIONID", HistoryTable.transaction)]
    + transactionColumns.map { (.transaction, $0, .transactionString) }
  return places.compactMap { holder, column, target in
    // Framework 851 has no table for the texts, and keeps them in the transactions (`docs/format/store-layout.md` §8).
    guard scan.store.shape.table(holder)?.has(column) == true, scan.store.shape.table(target) != nil,
      let table = scan.table(holder.rawValue), let targets = scan.table(target.rawValue)
    else { return nil }
    return scan.visit(table, entities: nil, columns: [column]) {
      HistoryReferences(from: table, column: column, to: targets, index: $0[0])
    }
  }
}

private func danglingKeys(_ check: Check, in references: HistoryReferences, scan: Scan) -> Finding? {
  guard references.target.damage == nil else { return nil }
  let keys = references.target.allKeys
  var rows = ExampleTally(limit: scan.exampleLimit)
  references.forEach { row, key in
    if !keys.contains(key) { rows.add(.init(row, ["key": .number(key)])) }
  }
  return rows.finding(
    check, table: references.table.name, column: references.column,
    message: "\(counted(rows.count, "row")) of \(references.table.name) \(rows.count == 1 ? "names" : "name") a row of "
      + "\(references.target.name) that does not exist")
}

/// The keys in a column of a history table.
private final class HistoryReferences: RowVisitor {
  let table: TableScan
  let column: String
  let target: TableScan
  private var log = NumberLog(width: 2)
  private let index: Int

  init(from table: TableScan, column: String, to target: TableScan, index: Int) {
    (self.table, self.column, self.target, self.index) = (table, column, target, index)
  }

  override func forLaterRows() -> RowVisitor? {
    HistoryReferences(from: table, column: column, to: target, index: index)
  }

  override func add(_ later: RowVisitor) { if let later = later as? HistoryReferences { log.append(later.log) } }

  override func visit(_ row: Row) {
    // Core Data writes 0 if there is no author.
    guard let key = row.integer(index), key != 0 else { return }
    log.append(row.key)
    log.append(key)
  }

  func forEach(_ body: (_ row: Int64, _ key: Int64) -> Void) {
    log.forEach { row in if let key = row[1] { body(row[0] ?? 0, key) } }
  }
}

private func changedEntities(_ scan: Scan) -> ChangedEntities? {
  guard scan.store.shape.table(.change)?.has("ZENTITY") == true, let table = scan.table(HistoryTable.change.rawValue)
  else { return nil }
  return scan.visit(table, entities: nil, columns: ["ZENTITY"]) {
    ChangedEntities(scan.store.entityMap, index: $0[0], limit: scan.exampleLimit)
  }
}

private func unknownEntities(_ check: Check, in changes: ChangedEntities) -> Finding? {
  changes.unknown.finding(
    check, table: HistoryTable.change.rawValue, column: "ZENTITY",
    message:
      "\(counted(changes.unknown.count, "row")) of ACHANGE \(changes.unknown.count == 1 ? "is" : "are") of an entity that "
      + "Z_PRIMARYKEY does not know")
}

/// Changes whose entity is not in `Z_PRIMARYKEY`.
private final class ChangedEntities: RowVisitor {
  private(set) var unknown: ExampleTally
  private let entityMap: EntityMap
  private let index: Int

  init(_ entityMap: EntityMap, index: Int, limit: Int) {
    (self.entityMap, self.index) = (entityMap, index)
    unknown = ExampleTally(limit: limit)
  }

  override func forLaterRows() -> RowVisitor? { ChangedEntities(entityMap, index: index, limit: unknown.limit) }

  override func add(_ later: RowVisitor) { if let later = later as? ChangedEntities { unknown.add(later.unknown) } }

  override func visit(_ row: Row) {
    guard let number = row.integer(index), entityMap[EntityID(number)] == nil else { return }
    unknown.add(.init(row.key, ["number": .number(number)]))
  }
}

extension ExampleTally {
  /// A finding at a column of a table that belongs to no entity of the model.
  fileprivate func finding(
    _ check: Check, table: String, column: String, message: @autoclosure () -> String
  ) -> Finding? {
    guard count > 0 else { return nil }
    return Finding(
      id: check.id, name: check.name, severity: check.severity, entity: nil, table: table, property: column,
      count: count, examples: examples, message: message(), blocks: [], remedies: [], basis: .observed)
  }
}
