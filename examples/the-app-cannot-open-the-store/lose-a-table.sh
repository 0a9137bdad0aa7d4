set -e
rm -r Notes.xcdatamodeld && cp -R ../../corpus/Notes.xcdatamodeld . && sed 's/Notes 3/Notes 2/' ../../corpus/Notes.xcdatamodeld/.xccurrentversion > Notes.xcdatamodeld/.xccurrentversion && python3 -c '
import sqlite3
store = sqlite3.connect("Notes.sqlite")
store.execute("DROP TABLE ZTAG")
store.commit()
' && cat > crash.txt <<'LOG'
Error Domain=NSCocoaErrorDomain Code=256 "The file “Notes.sqlite” couldn’t be opened."
UserInfo={NSFilePath=/var/mobile/.../Notes.sqlite, NSSQLiteErrorDomain=1}
LOG
