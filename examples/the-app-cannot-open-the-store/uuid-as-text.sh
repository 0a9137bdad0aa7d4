set -e
cp ../../corpus/Notes.sqlite . && python3 -c '
versions = "Notes.xcdatamodeld/Notes %d.xcdatamodel/contents"
model = open(versions % 2).read()
model = model.replace("name=\"uuid\" optional=\"YES\" attributeType=\"UUID\"", "name=\"uuid\" optional=\"YES\" attributeType=\"String\"")
open(versions % 3, "w").write(model.replace("VersionIdentifier=\"2\"", "VersionIdentifier=\"3\""))
' && cat > crash.txt <<'LOG'
Unresolved error Error Domain=NSCocoaErrorDomain Code=134140
"Persistent store migration failed, missing mapping model."
UserInfo={reason=Can't find or automatically infer mapping model for migration, sourceModel=...}
LOG
