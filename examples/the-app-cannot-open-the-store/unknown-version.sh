set -e
rm -r Notes.xcdatamodeld && cp -R ../../corpus/Notes.xcdatamodeld . && cd Notes.xcdatamodeld && rm -r 'Notes 3.xcdatamodel' &&
sed 's/Notes 3/Notes 2/' .xccurrentversion > new && mv new .xccurrentversion && cd 'Notes 2.xcdatamodel' &&
sed 's/<attribute name="title"/<attribute name="mood" optional="YES" attributeType="String"\/>&/' contents > new &&
mv new contents && cat > ../../crash.txt <<'LOG'
CoreData: error: Error Domain=NSCocoaErrorDomain Code=134504
"Cannot use staged migration with an unknown model version."
NotesApp.swift:21: Fatal error: the persistent store could not be loaded
LOG
