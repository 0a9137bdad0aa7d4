set -e
# Three saves of an app, still in the write-ahead log: the store is copied while the app has it open.
python3 -c '
import shutil, sqlite3
store = sqlite3.connect("Notes.sqlite", isolation_level=None)
store.execute("PRAGMA journal_mode = WAL")
store.execute("PRAGMA wal_autocheckpoint = 0")
store.execute("PRAGMA secure_delete = OFF")
INSERTED, UPDATED, DELETED = 0, 1, 2

def save(key, time, author, changes, *statements):
    store.execute("BEGIN")
    for statement in statements: store.execute(statement)
    store.execute(
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZAUTHORTS, ZTIMESTAMP)"
        " VALUES (?, 16002, 1, 1, ?, ?)", (key, author, time))
    store.executemany(
        "INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZTRANSACTIONID, ZENTITY, ZCHANGETYPE, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE0)"
        " VALUES (16001, 1, ?, 3, ?, ?, ?, ?)", [(key, *change) for change in changes])
    store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (key, "TRANSACTION"))
    store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ACHANGE) WHERE Z_NAME = ?", ("CHANGE",))
    store.execute("COMMIT")

def uuid(key):
    return store.execute("SELECT ZUUID FROM ZNOTE WHERE Z_PK = ?", (key,)).fetchone()[0]

store.execute("INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 16003, 1, ?)", ("sync",))
store.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = ?", ("TRANSACTIONSTRING",))
store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
save(2, 702040000, None, [(UPDATED, 2, bytes([0x08]), None)],
    "UPDATE ZNOTE SET ZTITLE = \"Tickets\", Z_OPT = Z_OPT + 1 WHERE Z_PK = 2")
save(3, 702052800.5, 2, [(DELETED, key, None, uuid(key)) for key in (4, 8)],
    "DELETE FROM Z_3TAGS WHERE Z_3NOTES IN (4, 8)", "DELETE FROM ZNOTE WHERE Z_PK IN (4, 8)")
save(4, 702120300, None, [(UPDATED, 1, bytes([0x40]), None)],
    "UPDATE ZNOTE SET ZBODY = NULL, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
for file in ["Notes.sqlite", "Notes.sqlite-wal"]: shutil.copyfile(file, file + ".copy")
store.close()
'
mv Notes.sqlite.copy Notes.sqlite
mv Notes.sqlite-wal.copy Notes.sqlite-wal
