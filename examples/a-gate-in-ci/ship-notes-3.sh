set -e
cp ../../corpus/Notes.xcdatamodeld/.xccurrentversion Notes.xcdatamodeld
