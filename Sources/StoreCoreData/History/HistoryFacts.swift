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
  /// Numbers of transactions that were handed out and are not there any more: trimmed, or never saved.
  package var goneTransactions: [GoneNumbers] = []
  /// Likewise of changes.
  package var goneChanges: [GoneNumbers] = []

  /// Numbers of one table that were handed out and have no row.
  package struct GoneNumbers: Sendable, Equatable {
    /// All of them lie from here.
    package var first: Int64
    /// To here, itself one that may be.
    package var last: Int64
    /// How many of those in between are gone.
    package var count: Int64
  }

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
    goneTransactions = try Self.gone(.transaction, rows: self.transactions, in: connection)
    goneChanges = try Self.gone(.change, rows: changes, in: connection)
  }

  /// The numbers below, between and above those that are there, by the highest that `Z_PRIMARYKEY` says was handed out.
  private static func gone(_ table: HistoryTable, rows: Int64, in connection: Connection) throws -> [GoneNumbers] {
    guard
      let highest = try? connection.prepare("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(table.entityNumber)"),
      try highest.step(), highest.kind(0) == .integer
    else { return [] }
    let ever = highest.int64(0)
    let ends = try connection.prepare("SELECT min(Z_PK), max(Z_PK) FROM \(table)")
    guard ever > 0, ever <= EntityMap.Row.mostKeys, try ends.step() else { return [] }
    guard !ends.isNull(0) else { return [GoneNumbers(first: 1, last: ever, count: ever)] }
    let (first, last) = (ends.int64(0), ends.int64(1))
    // Numbers that no store hands out say nothing of what is gone.
    guard first >= 1, last <= EntityMap.Row.mostKeys else { return [] }
    var gone: [GoneNumbers] = []
    if first > 1 { gone.append(GoneNumbers(first: 1, last: first - 1, count: first - 1)) }
    let between = last - first + 1 - rows
    if between > 0 { gone.append(GoneNumbers(first: first, last: last, count: between)) }
    if ever > last { gone.append(GoneNumbers(first: last + 1, last: ever, count: ever - last)) }
    return gone
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
