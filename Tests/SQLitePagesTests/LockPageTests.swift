import Foundation
import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// Databases over 1 GiB, whose trees, overflow chains, freelist and pointer map go round the page that holds the locks.
/// Their files are sparse: what lies before that page was never written.
@Suite struct LockPageTests {
  /// With pages of 1,024 bytes the lock page is where a page of the pointer map would be.
  @Test(arguments: [(65536, 0, "UTF-8"), (1024, 2, "UTF-16le"), (4096, 2, "UTF-16be")])
  func isReadAndReplayedAroundTheLockPage(pageSize: Int, vacuum: Int, encoding: String) throws {
    var story = try GiantDatabase(pageSize: pageSize, vacuum: vacuum, encoding: encoding)
    // A chain, then a tree, across the lock page.
    try story.write("INSERT INTO t VALUES (2, 1, \(text(5 * pageSize)))")
    try story.write((3..<60).map { "INSERT INTO t VALUES (\($0), \(1 + $0 % 2), \(text(pageSize / 3)))" })
    #expect(try story.pages > story.lockPage)
    // The last character alone: no page but that of the chain is written.
    try story.write("UPDATE t SET b = substr(b, 1, \(5 * pageSize - 1)) || '8' WHERE Z_PK = 2")
    try story.write("INSERT INTO u SELECT b FROM t WHERE Z_PK > 40")
    try story.write("DELETE FROM t WHERE Z_PK BETWEEN 5 AND 30; DELETE FROM t WHERE Z_PK = 2")
    try story.write("INSERT INTO t VALUES (70, 1, \(text(3 * pageSize)))")
    try story.judge("the log over a file that ends before the lock page", unplaced: vacuum == 0 ? 1 : 0)

    // The lock page is zeros in the main file now, and a later commit is smaller.
    try story.checkpoint()
    try story.write("UPDATE t SET Z_ENT = 3 WHERE Z_PK = 1")
    try story.write("DELETE FROM t WHERE Z_PK > 3; DELETE FROM u")
    if vacuum == 2 {
      try story.write("PRAGMA incremental_vacuum", changesRows: false)
      #expect(try story.pages < story.lockPage)
    }
    try story.write("INSERT INTO t VALUES (80, 1, \(text(8 * pageSize, of: "x")))")
    try story.judge("the log over a file that goes on behind it", unplaced: 0)
  }

  @Test func theMapLeavesTheLockPageOut() throws {
    let geometry = try #require(PageGeometry(pageSize: 1024))
    #expect(geometry.lockPage == 1_048_577)
    let pages = geometry.pointerMapPages(upTo: 1_048_600)
    #expect(Array(pages.suffix(2)) == [1_048_372, 1_048_578])
    #expect(!geometry.isPointerMap(1_048_577) && geometry.isPointerMap(1_048_578))
    #expect(geometry.pointerMapPage(for: 1_048_579) == 1_048_578)
    // Where the database ends with the lock page, the map does not begin anew.
    #expect(Array(geometry.pointerMapPages(upTo: 1_048_577).suffix(1)) == [1_048_372])
  }

  /// A text of so many characters. A page that is written as it was before would count as one that a checkpoint copied.
  private func text(_ length: Int, of letter: String = "0") -> String {
    "replace(printf('%0\(length)d', 7), '0', '\(letter)')"
  }
}

/// A database whose next pages lie just before the lock page, with what it held after each commit of its log.
private struct GiantDatabase {
  let lockPage: Int
  private let folder: TemporaryFolder
  private let writer: Connection
  private var rows: [[String: [Int64: StoredRow]]] = []

  init(pageSize: Int, vacuum: Int, encoding: String) throws {
    folder = try TemporaryFolder.inMemory()
    let path = folder("a.sqlite")
    let small = try Connection(writing: path, create: true)
    try small.execute(
      """
      PRAGMA encoding='\(encoding)'; PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=\(vacuum);
      CREATE TABLE t(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, b VARCHAR); CREATE TABLE u(b VARCHAR);
      INSERT INTO t VALUES (1, 1, 'first');
      """)
    small.close()
    lockPage = 1_073_741_824 / pageSize + 1
    // The header says how many pages there are; those that are added are never asked for.
    let pages = UInt32(lockPage - 3)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 28)
    try file.write(contentsOf: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
    try file.truncate(atOffset: UInt64(pages) * UInt64(pageSize))
    try file.close()
    writer = try Connection(writing: path, create: false)
    try writer.execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA secure_delete=0;")
    rows = [try storedRows(of: writer)]
  }

  /// The number of pages.
  var pages: Int {
    get throws {
      let statement = try writer.prepare("PRAGMA page_count")
      return try statement.step() ? Int(statement.int64(0)) : 0
    }
  }

  mutating func write(_ sql: String, changesRows: Bool = true) throws {
    try writer.execute(changesRows ? "BEGIN; \(sql); COMMIT" : sql)
    rows.append(try storedRows(of: writer))
  }

  mutating func write(_ statements: [String]) throws { try write(statements.joined(separator: "; ")) }

  mutating func checkpoint() throws {
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rows = [try storedRows(of: writer)]
  }

  /// Holds pages, commits and what commits changed against SQLite.
  func judge(_ when: String, unplaced: Int) throws {
    let files = try DatabaseFiles(path: folder("a.sqlite"))
    let log = try #require(files.wal)
    let history = try WALHistory(of: log, over: files.main)
    #expect(history.commits.compactMap(\.refusal) == [], "\(when): \(history.commits.map(\.databasePages))")
    try #require(history.commits.count == rows.count, "\(when)")
    let pages = try PageFiles(files)
    for commit in history.commits {
      var policy = ReadPolicy()
      policy.walBytes = history.length(upTo: commit)
      let connection = try Connection(reading: files, policy: policy)
      let view = PageView(pages, commit: commit.number)
      let found = try differences(view, connection)
      #expect(found.isEmpty, "\(when), commit \(commit.number): \(found.prefix(3))")
    }
    let freelist = try Freelist(PageView(pages))
    #expect(freelist.pages.count == Int(pages.header.freelistCount) && freelist.faults.count == 0, "\(when)")
    #expect(!freelist.pages.contains(UInt32(lockPage)), "\(when)")

    var notPlaced = 0
    var replay = try CommitReplay(
      of: log, over: files.main, history: history,
      interest: RowInterest(tagColumn: "Z_ENT", watched: [], watchedBefore: []))
    try replay.run(onRow: { _ in }) { commit, changes in
      let changes = try #require(changes)
      notPlaced += changes.unplacedPages
      guard changes.unplacedPages == 0 else { return }
      #expect(
        changes.rows == difference(rows[commit.number - 1], rows[commit.number]), "\(when), commit \(commit.number)")
      #expect(changes.damagedTables.isEmpty, "\(when), commit \(commit.number)")
    }
    #expect(notPlaced == unplaced, "\(when)")
  }
}
