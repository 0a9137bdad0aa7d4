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
  private let versions: PageVersions
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
    let walHeader = try? WALHeader(try wal.read(at: 0, count: WALHeader.size))
    let header = try? DatabaseHeader(try main.read(at: 0, count: DatabaseHeader.size))
    let pageSize = walHeader?.pageSize ?? header?.pageSize ?? 4096
    versions = PageVersions(
      wal: wal, main: main, pageSize: pageSize, usableSize: pageSize - Int(header?.reservedBytes ?? 0))
  }

  /// Calls `body` with each commit from 1 on, and what it changed; nil where it or the one before cannot be read.
  ///
  /// - Parameter onRow: called with rows of watched tables before the commit that added or changed them.
  package mutating func run(
    onRow: (WatchedRow) -> Void, _ body: (WALHistory.Commit, CommitChanges?) throws -> Void
  ) throws {
    for commit in history.commits.dropFirst() {
      let before = history.commits[commit.number - 1]
      versions.begin(commit, pages: history.pages)
      if before.refusal == nil, commit.refusal == nil, try prepare(before, onRow) {
        let changes = try trees?.changes(in: versions, interest: interest, onRow: onRow)
        try body(commit, changes)
      } else {
        trees = nil
        try body(commit, nil)
      }
      versions.end()
    }
  }

  /// Reads the trees before a commit, unless they are known.
  private mutating func prepare(
    _ before: WALHistory.Commit, _ onRow: (WatchedRow) -> Void
  ) throws(FileError) -> Bool {
    if trees != nil { return true }
    guard builds < Self.mostBuilds else { return false }
    builds += 1
    trees = try Trees(reading: versions, written: Set(history.pages), interest: interest, onRow: onRow)
    return true
  }
}

/// The versions of pages before and after the commit that is looked at.
final class PageVersions {
  let usableSize: Int
  let pageSize: Int
  /// The pages that the commit writes, each with its last frame.
  private(set) var written: [UInt32: Int] = [:]
  private var frames: [UInt32: Int] = [:]
  private let wal: any ByteSource
  private let main: any ByteSource

  init(wal: any ByteSource, main: any ByteSource, pageSize: Int, usableSize: Int) {
    self.wal = wal
    self.main = main
    self.pageSize = pageSize
    self.usableSize = usableSize
  }

  /// Whether a version is the one before or after the commit.
  enum Moment { case before, after }

  func begin(_ commit: WALHistory.Commit, pages: [UInt32]) {
    for frame in commit.frames where pages.indices.contains(frame) && pages[frame] <= commit.databasePages {
      written[pages[frame]] = frame
    }
  }

  func end() {
    frames.merge(written) { _, new in new }
    written.removeAll(keepingCapacity: true)
  }

  /// The bytes of a page, or the first `count`; fewer at the end of the main file.
  func bytes(_ page: UInt32, _ moment: Moment, count: Int? = nil) throws(FileError) -> [UInt8] {
    guard page > 0 else { return [] }
    if let frame = moment == .after ? written[page] ?? frames[page] : frames[page] {
      let offset = Int64(WALHeader.size) + Int64(frame) * Int64(WALFrame.headerSize + pageSize)
      return try wal.read(at: offset + Int64(WALFrame.headerSize), count: min(count ?? pageSize, pageSize))
    }
    return try main.read(at: Int64(page - 1) * Int64(pageSize), count: min(count ?? pageSize, pageSize))
  }

  func page(_ number: UInt32, _ moment: Moment) throws(FileError) -> TreePage {
    TreePage(try bytes(number, moment), number: number, usableSize: usableSize)
  }

  /// What a page is, by its first byte.
  func kind(_ number: UInt32, _ moment: Moment) throws(FileError) -> TreePage.Kind {
    TreePage(try bytes(number, moment, count: 112), number: number, usableSize: usableSize).kind
  }
}
