set -e
python3 -c '
import sqlite3
store = sqlite3.connect("Notes.sqlite")
store.execute("UPDATE ZNOTE SET ZTITLE = ? WHERE Z_PK = 1", ("changed since",))
store.commit()
'
