import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Stores of real apps: SQLite, which knows nothing of carving, says which rows are live.
@Suite struct RealStoreRecoveryTests {
  @Test(.needsSharedData) func callsNoLiveRowDeleted() throws {
    var (rows, proved) = (0, 0)
    for entry in Catalogue.real {
      let recovery = try recover(PosixPath(entry.path))
      let connection = try Connection(reading: DatabaseFiles(path: entry.path))
      // One deletion for each object, and no more of them than keys that are not in use.
      let objects = recovery.objects
      let gone = objects.filter { $0.fate == .deleted || $0.fate == .implied }
      let keys = gone.compactMap {
        $0.rows.last.map { "\(recovery.rows[$0].table ?? "") \(recovery.rows[$0].key ?? -1)" }
      }
      #expect(Set(keys).count == keys.count, "\(entry.slug)")
      #expect(objects.map(\.number) == Array((0...objects.count).dropFirst()), "\(entry.slug)")
      #expect(objects.flatMap(\.rows).sorted() == Array(recovery.rows.indices), "\(entry.slug)")
      for table in recovery.summary {
        guard let ever = table.ever else { continue }
        let count = gone.count { $0.rows.last.map { recovery.rows[$0].table } == table.table }
        #expect(
          Int64(count) <= max(0, ever - table.live), "\(entry.slug): \(table.name) \(count) of \(ever) - \(table.live)")
        #expect(
          Int64(table.proved + table.shown) + table.implied <= max(0, ever - table.live), "\(entry.slug): \(table.name)"
        )
      }
      for row in recovery.rows where row.isLink {
        let isOfNothing = row.values.allSatisfy(\.value.isNull)
        #expect(!isOfNothing && row.table?.hasPrefix("Z_RT_") != true, "\(entry.slug): \(row.table ?? "")")
      }
      for row in recovery.rows {
        // A dropped table has no live rows.
        if let table = row.table, recovery.droppedTables.contains(table) { continue }
        rows += 1
        proved += row.grade == .proved ? 1 : 0
        guard let table = row.table, row.table?.hasPrefix("Z_") != true else { continue }
        let key = row.key
        if row.kind == .deleted, let key {
          let statement = try connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) WHERE Z_PK = ?")
          try statement.bind(key, at: 1)
          #expect(try !statement.step(), "\(entry.slug): \(table) \(key) exists")
        }
        if !row.values.isEmpty { #expect(try !isLive(row, table, connection), "\(entry.slug): \(table) \(row)") }
      }
    }
    print("\(rows) rows recovered from real stores, \(proved) proved")
    #expect(proved >= 600)
  }

  /// Whether a live row has all the values that were found.
  private func isLive(_ row: RecoveredRow, _ table: String, _ connection: Connection) throws -> Bool {
    let values = row.values.filter { $0.column != "Z_PK" || row.key != nil }
    // A column of before, which no live row has.
    let names = Set(
      try connection.schema().filter { $0.name == table }.flatMap {
        ($0.sql ?? "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      })
    guard values.allSatisfy({ names.contains(Substring($0.column)) }) else { return false }
    let terms = values.map { "\(quotedIdentifier($0.column)) IS ?" }.joined(separator: " AND ")
    let statement = try connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) WHERE \(terms)")
    for (index, value) in values.enumerated() { try statement.bind(value.value, at: index + 1) }
    return try statement.step()
  }
}
