set -e
mkdir -p drafts && cp -R ../../corpus/Notes.xcdatamodeld drafts/ &&
sed -i.old 's/inverseName="folder" inverseEntity="Note"/inverseName="tags" inverseEntity="Note"/' "drafts/Notes.xcdatamodeld/Notes 2.xcdatamodel/contents" &&
rm "drafts/Notes.xcdatamodeld/Notes 2.xcdatamodel/contents.old"
