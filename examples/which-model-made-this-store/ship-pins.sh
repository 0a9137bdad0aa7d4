set -e
cd app && git checkout -q 2.0 && cd .. && mkdir -p Notes && cp -R app/Notes.xcdatamodeld Notes/ &&
cp released.json Notes/ && mkdir -p fixtures && cp ../../corpus/Notes.sqlite fixtures/2.0.sqlite
