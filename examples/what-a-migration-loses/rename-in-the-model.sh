set -e
python3 -c '
path = "Notes.xcdatamodeld/Notes 3.xcdatamodel/contents"
model = open(path).read()
open(path, "w").write(model.replace("name=\"bodyText\"", "name=\"bodyText\" elementID=\"body\""))
'
