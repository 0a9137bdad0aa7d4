import StoreScanning
import StoreCoreData
import StoreSQLite

/// The row a statement stands on, valid until the next step.
struct RowValues {
  fileprivate let values: Statement

  /// The integer in a column, by its index in the requested list; nil for NULL.
  func key(_ column: Int) -> Int64? {
    let value = values.int64(column)
    return value == 0 && values.isNull(column) ? nil : value
  }
}

extension Workbench {
  /// Calls `body` with every row whose `column` holds one of `keys`, in no particular order.
  ///
  /// Few keys of an indexed column are looked up one by one; for many the table is read once, row by row.
  func forEachRow(
    of table: String, columns: [String], where column: String, isIn keys: KeySet, body: (RowValues) throws -> Void
  ) throws {
    guard !keys.isEmpty, let shape = store.shape.tables[table], shape.has(column) else { return }
    let list = (columns + [column]).map { shape.has($0) ? quotedIdentifier($0) : "NULL" }.joined(separator: ", ")
    let source = "SELECT \(list) FROM \(quotedIdentifier(table))"
    guard try areFew(keys.count, table: table, column: column) else {
      let rows = try connection.prepare("\(source) NOT INDEXED")
      while try rows.step() {
        guard rows.kind(columns.count) == .integer, keys.contains(rows.int64(columns.count)) else { continue }
        try body(RowValues(values: rows))
      }
      return
    }
    let rows = try connection.prepare("\(source) WHERE \(quotedIdentifier(column)) = ?1")
    for key in keys {
      rows.reset()
      try rows.bind(key, at: 1)
      while try rows.step() { try body(RowValues(values: rows)) }
    }
  }

  /// Whether looking the keys up beats a full read: a look-up costs about as much as reading 16 rows.
  private func areFew(_ count: Int, table: String, column: String) throws -> Bool {
    guard try column == "Z_PK" || isIndexed(table, column: column) else { return false }
    let last = try connection.prepare("SELECT max(rowid) FROM \(quotedIdentifier(table))")
    guard try last.step() else { return false }
    return Int64(count) < last.int64(0) / 16
  }

  private func isIndexed(_ table: String, column: String) throws -> Bool {
    let indexes = try connection.prepare(
      """
      SELECT 1 FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS part
      WHERE list.partial = 0 AND part.seqno = 0 AND part.name = ?2
      """)
    try indexes.bind(table, at: 1)
    try indexes.bind(column, at: 2)
    return try indexes.step()
  }
}
