import Foundation
import StoreSQLite
import TestSupport

/// Note 3 is deleted before the log; then four commits: note 1 changes, notes 2 and 5 are deleted, each with history, note 4
/// without. Texts of note 2 try to act on a page and on a spreadsheet.
func deletedNotes(in folder: TemporaryFolder) throws -> String {
  let workshop = try TemporaryFolder()
  let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
  let writer = try Connection(writing: origin, create: false)
  func deletion(of key: Int, _ transaction: Int, at time: Double) -> String {
    """
    BEGIN;
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZTIMESTAMP) VALUES (\(transaction), 16002, 1, 1, \(time));
    INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT \(900 + key), 16001, 1, 2, Z_ENT, Z_PK, \(transaction) FROM ZNOTE WHERE Z_PK = \(key);
    DELETE FROM ZNOTE WHERE Z_PK = \(key);
    COMMIT;
    """
  }
  try writer.execute(
    """
    PRAGMA journal_mode=WAL; PRAGMA secure_delete=0; PRAGMA wal_autocheckpoint=0;
    UPDATE ZNOTE SET ZTITLE = '=1+1</script><img src=x onerror=alert(1)>"', ZBODY = 'two' || char(10) || 'lines' WHERE Z_PK = 2;
    DELETE FROM ZNOTE WHERE Z_PK = 3;
    PRAGMA wal_checkpoint(TRUNCATE);
    UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
    \(deletion(of: 2, 2, at: 700_100_000.5))
    DELETE FROM ZNOTE WHERE Z_PK = 4;
    \(deletion(of: 5, 3, at: 700_200_000))
    """)
  let store = folder("Notes.sqlite")
  for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
  return store
}
