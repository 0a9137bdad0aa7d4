set -e
cp -R 'Notes.xcdatamodeld/Notes 3.xcdatamodel' 'Notes.xcdatamodeld/Notes 3 Bridge.xcdatamodel' && python3 -c '
bridge, new = ("Notes.xcdatamodeld/Notes 3%s.xcdatamodel/contents" % part for part in (" Bridge", ""))
model = open(new).read()
line = next(line for line in model.splitlines() if "name=\"uuid\"" in line)
old = line.replace("\"String\"", "\"UUID\"")
both = old + "\n" + line.replace("name=\"uuid\"", "name=\"uuidNew\"")
open(bridge, "w").write(model.replace(line, both).replace("VersionIdentifier=\"3\"", "VersionIdentifier=\"3 Bridge\""))
open(new, "w").write(model.replace(line, line.replace("name=\"uuid\"", "name=\"uuid\" renamingIdentifier=\"uuidNew\"")))
'
