import StoreSQLite

/// Goes through the commits of a write-ahead log and finds the rows that each of them changed, in time proportional to
/// the log.
///
/// Of each commit only the pages that it wrote are read, before and after. A row that was moved to another page is gone
/// from one and new on another page of the same commit. So rows are compared in three steps: within each page, then
/// among what is left of all pages of a table, by rowid; what is in neither pair was removed or added.
///
/// To know which table a leaf belongs to, the parents of pages are kept and brought up to date with each interior page
/// that is written. A subtree that an interior page has lost is read as it was before: freed pages are not written.
package struct CommitReplay {
  private let history: WALHistory
  private let pages: CommitPages
  private let interest: RowInterest
  private var trees: Trees?
  private var builds = 0

  /// How often all interior pages are read anew, after commits that cannot be read.
  private static let mostBuilds = 16

  /// - Throws: `FileError` when the main file cannot be read.
  package init(
    of wal: any ByteSource, over main: any ByteSource, history: WALHistory, interest: RowInterest
  ) throws(FileError) {
    self.history = history
    self.interest = interest
    pages = try CommitPages(wal: wal, main: main, pageSize: history.pageSize)
  }

  /// Calls `body` with each commit from 1 on, and what it changed; nil where it or the one before cannot be read.
  ///
  /// - Parameter onRow: called with rows of watched tables before the commit that added or changed them.
  package mutating func run(
    onRow: (WatchedRow) -> Void, _ body: (WALHistory.Commit, CommitChanges?) throws -> Void
  ) throws {
    for commit in history.commits.dropFirst() {
      let before = history.commits[commit.number - 1]
      try pages.begin(commit, pages: history.pages)
      if before.refusal == nil, commit.refusal == nil, try prepare(before, onRow) {
        let changes = try trees?.changes(in: pages, interest: interest, onRow: onRow)
        try body(commit, changes)
      } else {
        trees = nil
        try body(commit, nil)
      }
      pages.end()
    }
  }

  /// Reads the trees before a commit, unless they are known.
  private mutating func prepare(
    _ before: WALHistory.Commit, _ onRow: (WatchedRow) -> Void
  ) throws(FileError) -> Bool {
    if trees != nil { return true }
    guard builds < Self.mostBuilds else { return false }
    builds += 1
    trees = try Trees(reading: pages, written: Set(history.pages), interest: interest, onRow: onRow)
    return true
  }
}
