set -e
python3 -c '
path = "Notes.xcdatamodeld/Notes 3.xcdatamodel/contents"
model = open(path).read()
required = "name=\"modifiedAt\" attributeType=\"Date\""
open(path, "w").write(model.replace(required, required + " defaultDateTimeInterval=\"0\""))
'
