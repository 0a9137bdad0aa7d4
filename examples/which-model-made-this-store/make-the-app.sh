set -e
export GIT_AUTHOR_NAME="A Developer" GIT_AUTHOR_EMAIL=developer@example.com
export GIT_COMMITTER_NAME="A Developer" GIT_COMMITTER_EMAIL=developer@example.com
mkdir app && cp -R ../../corpus/Notes.xcdatamodeld app/ && git init -q -b main app && cd app && git add . &&
GIT_AUTHOR_DATE='2026-03-02T10:00:00Z' GIT_COMMITTER_DATE='2026-03-02T10:00:00Z' git commit -q -m 'Release 2.0' &&
git tag 2.0 &&
sed 's/name="title" attr/name="title" optional="YES" attr/' 'Notes.xcdatamodeld/Notes 2.xcdatamodel/contents' > edited &&
mv edited 'Notes.xcdatamodeld/Notes 2.xcdatamodel/contents' &&
GIT_AUTHOR_DATE='2026-05-18T09:30:00Z' GIT_COMMITTER_DATE='2026-05-18T09:30:00Z' git commit -q -a -m 'Notes need no title'
