import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Changes that were trimmed from the history, of which only bytes are left.
@Suite struct TrimmedHistoryTests {
  /// Note 2 was made, changed and deleted. A note 77, whose deletion is there too, cannot have been: keys were given up to 3.
  @Test func whatWasTrimmedStillProves() throws {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"),
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), keepsHistory: true, usesWAL: false))
    for title in ["first", "second", "third"] { try store.insert("Note", ["title": .text(title)]) }
    try store.database.execute(
      """
      PRAGMA secure_delete=0;
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 10), (16002, 'TRANSACTION', 0, 10);
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
        VALUES (1, 16002, 1, 700000000.5), (2, 16002, 1, 700000100.5), (3, 16002, 1, 700000200.5);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (1, 16001, 1, 0, 1, 2, 1), (2, 16001, 1, 1, 1, 2, 2), (3, 16001, 1, 2, 1, 2, 3),
          (4, 16001, 1, 2, 1, 77, 3);
      DELETE FROM ZNOTE WHERE Z_PK = 2; DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
      """)
    try store.finish()
    let recovery = try recover(PosixPath(folder("Notes.sqlite")))
    let notes = recovery.rows.filter { $0.table == "ZNOTE" && $0.key != nil }
    #expect(notes.map(\.key) == [2] && notes.map(\.grade) == [.proved])
    let row = try #require(notes.first)
    var absent = RecoveredRow.Witness(
      shows: .absent, what: "delete change 3 in transaction 3, trimmed from the history", time: 700_000_200.5)
    (absent.isTrimmed, absent.isDeletion) = (true, true)
    #expect(row.witnesses.filter { $0.shows == .absent } == [absent])
    #expect(row.bracket.before == 700_000_200.5)
  }
}
