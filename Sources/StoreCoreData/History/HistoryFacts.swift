import StoreSQLite

/// Size and time span of persistent history (tables: `docs/format/store-layout.md` §8), without its contents.
package struct HistoryFacts: Sendable, Equatable {
  /// Rows of `ATRANSACTION`.
  package var transactions: Int64 = 0
  /// Rows of `ACHANGE`.
  package var changes: Int64 = 0
  /// Time of the oldest transaction, seconds since 2001-01-01 UTC.
  package var oldest: Double?
  /// Time of the newest transaction, seconds since 2001-01-01 UTC.
  package var newest: Double?

  /// Reads the two tables; nil if the store keeps no history.
  init?(reading connection: Connection, shape: Shape) throws {
    guard let transactions = shape.table(.transaction), shape.table(.change) != nil else { return nil }
    let column = transactions.has("ZTIMESTAMP") ? "ZTIMESTAMP" : "NULL"
    let times = try connection.prepare("SELECT \(column) FROM \(HistoryTable.transaction) NOT INDEXED")
    while try times.step() {
      self.transactions += 1
      guard times.kind(0) == .real || times.kind(0) == .integer else { continue }
      let time = times.double(0)
      oldest = min(oldest ?? time, time)
      newest = max(newest ?? time, time)
    }
    changes = try connection.count(HistoryTable.change.rawValue)
  }
}

extension Connection {
  /// The number of rows of a table.
  package func count(_ table: String) throws -> Int64 {
    // `count(*)` is a single instruction, which cannot be interrupted and never ends on a tree that contains itself.
    let statement = try prepare("SELECT count(1) FROM \(quotedIdentifier(table)) NOT INDEXED")
    return try statement.step() ? statement.int64(0) : 0
  }
}
