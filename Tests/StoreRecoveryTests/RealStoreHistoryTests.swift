import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Stores of real apps: what their history and their keys say was deleted, asked of SQLite.
@Suite struct RealStoreHistoryTests {
  /// Delete changes and keys that vanished, with what became of them.
  struct Tally {
    var changes = 0
    var joined = 0
    var withValues = 0
    var unresolved = 0
    var vanished: Int64 = 0
    var byGrade: [RecoveredRow.Grade: Int] = [:]
    var unlisted: Int64 = 0
  }

  @Test(.needsSharedData) func everyDeleteChangeAndEveryVanishedKeyIsAccountedForOnce() throws {
    var tally = Tally()
    for entry in Catalogue.real {
      let recovery = try recover(PosixPath(entry.path))
      let connection = try Connection(reading: DatabaseFiles(path: entry.path))
      let deleted = Dictionary(grouping: recovery.rows.filter { $0.kind == .deleted && $0.key != nil }) {
        "\($0.table ?? "") \($0.key ?? 0)"
      }
      let tables = Set(recovery.summary.map(\.table))
      for (name, results) in deleted where results.allSatisfy({ tables.contains($0.table ?? "") }) {
        #expect(results.count == 1, "\(entry.slug): \(name) is one object")
      }
      if entry.history_rows?["ACHANGE"] ?? 0 > 0 { try checkHistory(entry, connection, deleted, recovery, &tally) }
      try checkKeys(entry, connection, deleted, recovery, &tally)
    }
    print(
      "\(tally.changes) delete changes: \(tally.joined) with one proved result, \(tally.withValues) of those with values, "
        + "\(tally.unresolved) of entities or objects that a note names")
    print(
      "\(tally.vanished) vanished keys: \(tally.byGrade.map { "\($0.value) \($0.key)" }.sorted()), \(tally.unlisted) counted alone"
    )
    #expect(tally.changes == 741)
    #expect(tally.joined + tally.unresolved == tally.changes)
    #expect(tally.vanished > 0)
    #expect(Int64(tally.byGrade.values.reduce(0, +)) + tally.unlisted == tally.vanished)
  }

  private func checkHistory(
    _ entry: Catalogue.Entry, _ connection: Connection, _ deleted: [String: [RecoveredRow]], _ recovery: Recovery,
    _ tally: inout Tally
  ) throws {
    let statement = try connection.prepare("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE WHERE ZCHANGETYPE = 2")
    while try statement.step() {
      tally.changes += 1
      let (change, number, key) = (statement.int64(0), statement.int64(1), statement.int64(2))
      let witness = "delete change \(change) "
      let proved = deleted.values.joined().filter { row in row.witnesses.contains { $0.what.hasPrefix(witness) } }
      let name = entry.entities.first { $0.z_ent == number }?.name
      if let row = proved.first {
        tally.joined += 1
        tally.withValues += row.values.isEmpty ? 0 : 1
        #expect(proved.count == 1 && row.grade == .proved && row.key == key, "\(entry.slug): \(witness)")
        #expect(row.entity == name, "\(entry.slug): \(witness)")
      } else {
        tally.unresolved += 1
        #expect(recovery.notes.contains { $0.contains("change \(change) ") }, "\(entry.slug): \(witness)")
      }
    }
  }

  /// The keys from 1 to `Z_MAX` that a root entity's table does not have.
  private func checkKeys(
    _ entry: Catalogue.Entry, _ connection: Connection, _ deleted: [String: [RecoveredRow]], _ recovery: Recovery,
    _ tally: inout Tally
  ) throws {
    for table in recovery.summary where table.ever != nil {
      let count = try connection.prepare(
        "SELECT count(*) FROM \(quotedIdentifier(table.table)) WHERE Z_PK BETWEEN 1 AND ?")
      let largest = entry.entities.first { $0.name == table.name && $0.z_super == 0 }?.z_max ?? 0
      try count.bind(largest, at: 1)
      _ = try count.step()
      let vanished = max(0, largest - count.int64(0))
      tally.vanished += vanished
      let results = deleted.values.joined().filter {
        $0.table == table.table && ($0.key ?? 0) >= 1 && ($0.key ?? 0) <= largest
      }
      for result in results { tally.byGrade[result.grade, default: 0] += 1 }
      tally.unlisted += vanished - Int64(results.count)
      #expect(vanished - Int64(results.count) <= max(0, table.implied - 10_000), "\(entry.slug): \(table.name)")
      #expect(vanished >= results.count, "\(entry.slug): \(table.name)")
    }
  }
}
