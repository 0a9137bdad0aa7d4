import StoreJSON
import StoreRecovery

/// Lines of the recovery of several stores: as of one, with the store's path.
extension Recovery {
  /// One row as a line of JSON, its end included, with the store's path.
  package static func line(_ row: RecoveredRow, of store: String) -> String {
    row.json.adding([("store", .string(store))]).lineText
  }

  /// The header of the table for several stores.
  package static var csvHeaderForSeveral: String { inserting("store", before: csvHeader) }

  /// One row as a line of a table, its end included, with the store's path in front.
  package static func csvLine(_ row: RecoveredRow, of store: String) -> String {
    inserting(AuditCSV.inert(store), before: csvLine(row))
  }

  private static func inserting(_ cell: String, before line: String) -> String {
    var first = AuditCSV.row([cell])
    while first.last?.isNewline == true { first.removeLast() }
    return "\(first),\(line)"
  }
}
