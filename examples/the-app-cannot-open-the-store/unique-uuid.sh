set -e
rm -r Notes.xcdatamodeld && cp -R ../../corpus/Notes.xcdatamodeld . && python3 -c '
import sqlite3
store = sqlite3.connect("Notes.sqlite")
for copy, note in [(11, 3), (17, 3), (8, 6)]:
    store.execute("UPDATE ZNOTE SET ZUUID = (SELECT ZUUID FROM ZNOTE WHERE Z_PK = ?) WHERE Z_PK = ?", (note, copy))
store.commit()
versions = "Notes.xcdatamodeld/Notes %d.xcdatamodel/contents"
model = open(versions % 2).read()
unique = "<uniquenessConstraints><uniquenessConstraint><constraint value=\"uuid\"/></uniquenessConstraint></uniquenessConstraints>"
model = model.replace("<fetchIndex name=\"byCreationDate\">", unique + "<fetchIndex name=\"byCreationDate\">")
open(versions % 3, "w").write(model.replace("VersionIdentifier=\"2\"", "VersionIdentifier=\"3\""))
' && cat > crash.txt <<'LOG'
Unresolved error Error Domain=NSCocoaErrorDomain Code=134111 UserInfo={
reason=Cannot migrate store in-place: constraint violation during attempted migration,
NSUnderlyingError={Error Domain=NSSQLiteErrorDomain Code=19 "UNIQUE constraint failed: ZNOTE.ZUUID"}}
LOG
