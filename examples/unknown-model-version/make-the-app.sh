set -e
export GIT_AUTHOR_NAME="A Developer" GIT_AUTHOR_EMAIL=developer@example.com
export GIT_COMMITTER_NAME="A Developer" GIT_COMMITTER_EMAIL=developer@example.com
cp ../../corpus/Trips/2.0.store default.store && mkdir app && cp -R ../../corpus/Trips/Models app && git init -q -b main app && cd app &&
git add . && GIT_AUTHOR_DATE='2026-03-02T10:00:00Z' GIT_COMMITTER_DATE='2026-03-02T10:00:00Z' git commit -q -m 'Release 2.0' && git tag 2.0 &&
python3 -c '
for path in "Models/TripsV2.swift", "Models/Trip.swift":
    text = open(path).read()
    line = next(line for line in text.splitlines() if "isArchived" in line)
    rating = line.replace("isArchived: Bool = false", "rating: Int = 0")
    open(path, "w").write(text.replace(line, line + "\n" + rating))
' && GIT_AUTHOR_DATE='2026-04-13T09:30:00Z' GIT_COMMITTER_DATE='2026-04-13T09:30:00Z' git commit -q -a -m 'Rate trips' && cd .. &&
cat > crash.txt <<'LOG'
CoreData: error: Error Domain=NSCocoaErrorDomain Code=134504
"Cannot use staged migration with an unknown model version."
Fatal error: Could not create ModelContainer: SwiftDataError(_error: ...loadIssueModelContainer)
LOG
