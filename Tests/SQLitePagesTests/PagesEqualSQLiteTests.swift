import CStoreSQLite
import Foundation
import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// What SQLite can read, pages read alike.
@Suite struct PagesEqualSQLiteTests {
  @Test(.needsSharedData) func realStores() throws {
    for entry in Catalogue.real {
      let files = try DatabaseFiles(path: entry.path)
      let pages = try PageFiles(files)
      let connection = try Connection(reading: files)
      let found = try differences(PageView(pages), connection)
      #expect(found.isEmpty, "\(entry.slug): \(found.prefix(3))")
    }
    #expect(Catalogue.real.count == 65)
  }

  @Test func bundledStores() throws {
    let folder = Project.path("corpus")
    let stores = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    var count = 0
    for store in stores where store.hasSuffix(".sqlite") || store.hasSuffix(".store") {
      let files = try DatabaseFiles(path: folder + "/" + store)
      let found = try differences(PageView(PageFiles(files)), Connection(reading: files))
      #expect(found.isEmpty, "\(store): \(found.prefix(3))")
      count += 1
    }
    #expect(count >= 8)
  }

  @Test func generatedDatabases() throws {
    for seed in LongRuns.seeds(40, whole: 200) {
      let sample = try GeneratedDatabase(seed: seed)
      let files = try DatabaseFiles(path: sample.path)
      let pages = try PageFiles(files)
      let found = try differences(PageView(pages), Connection(reading: files))
      #expect(found.isEmpty, "seed \(seed), \(sample.description): \(found.prefix(3))")
      // The same at commits of the log: SQLite reads a log that was cut there.
      let commits = pages.frames?.commits ?? 0
      for commit in Set([0, 1, commits / 2, max(0, commits - 1)]) where commit < commits {
        let copy = try sample.copy(cutAfter: commit, frames: pages.frames)
        let cut = try DatabaseFiles(path: copy("a.sqlite"))
        let found = try differences(PageView(pages, commit: commit), Connection(reading: cut))
        #expect(found.isEmpty, "seed \(seed), commit \(commit), \(sample.description): \(found.prefix(3))")
      }
      let freelist = try Freelist(PageView(pages))
      #expect(freelist.pages.count == Int(pages.header.freelistCount), "seed \(seed)")
      #expect(try unexplained(PageView(pages), freelist).isEmpty, "seed \(seed), \(sample.description)")
    }
  }

  /// Every remainder that decides how much of a payload stays on its page, for tables and for keys, once with one overflow
  /// page and once with two.
  @Test(arguments: [0, 8]) func payloadsOfEveryLength(reserved: Int) throws {
    let folder = try TemporaryFolder.inMemory()
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute("PRAGMA page_size=512")
    try writer.withHandle { handle in
      var bytes = Int32(reserved)
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    }
    try writer.execute(
      """
      CREATE TABLE t (a BLOB); CREATE TABLE k (a BLOB PRIMARY KEY) WITHOUT ROWID;
      WITH RECURSIVE n(i) AS (SELECT 20 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) INSERT INTO t SELECT randomblob(i) FROM n;
      INSERT INTO k SELECT a FROM t;
      """)
    let files = try DatabaseFiles(path: folder("a.sqlite"))
    let pages = try PageFiles(files)
    #expect(pages.geometry.usableSize == 512 - reserved)
    let found = try differences(PageView(pages), Connection(reading: files))
    #expect(found.isEmpty, "\(found.prefix(3))")
  }

  /// Pages that neither a tree, the freelist, the pointer map nor the lock explains.
  private func unexplained(_ view: PageView, _ freelist: Freelist) throws -> [UInt32] {
    let schema = try PageSchema(view)
    var known = schema.pages
    for entry in schema.entries where entry.root > 0 {
      var walk = BTreeWalk(view, root: entry.root)
      try walk.run { _ in true }
      for page in 1...max(1, view.pageCount) where walk.pages.contains(page) { known.insert(page) }
    }
    let geometry = view.files.geometry
    let hasMap = view.files.header.largestRootPage != 0
    return (1...max(1, view.pageCount)).filter { page in
      !known.contains(page) && !freelist.pages.contains(page) && !(hasMap && geometry.isPointerMap(page))
    }
  }
}

/// A database with random tables and rows, of which some are changed and deleted.
struct GeneratedDatabase {
  let folder: TemporaryFolder
  let description: String
  private let writer: Connection

  /// The main file.
  var path: String { folder("a.sqlite") }

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    folder = try TemporaryFolder.inMemory()
    writer = try Connection(writing: folder("a.sqlite"), create: true)
    let pageSize = [512, 1024, 4096, 8192, 16384, 32768, 65536][Int(seed % 7)]
    let reserved = [0, 0, 8, 32][Int(seed / 2 % 4)]
    let encoding = ["UTF-8", "UTF-16le", "UTF-16be"][Int(seed % 3)]
    let vacuum = Int(seed / 3 % 3)
    let isWAL = seed % 4 != 0
    description = "page \(pageSize), reserved \(reserved), \(encoding), auto-vacuum \(vacuum), WAL \(isWAL)"
    try writer.execute("PRAGMA page_size=\(pageSize); PRAGMA encoding='\(encoding)'; PRAGMA auto_vacuum=\(vacuum);")
    try writer.withHandle { handle in
      var bytes = Int32(reserved)
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
    }
    if isWAL { try writer.execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;") }
    try fill(&random, pageSize: pageSize)
  }

  private func fill(_ random: inout SeededGenerator, pageSize: Int) throws {
    try writer.execute(
      """
      CREATE TABLE notes (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, title VARCHAR, score FLOAT, body BLOB);
      CREATE TABLE "odd, name" ([a b] TEXT DEFAULT 'x,y)', "c""d" NUMERIC(10, 2) NOT NULL, e);
      CREATE TABLE links (a INTEGER, b TEXT, c REAL, PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE TABLE wide (\((0..<90).map { "c\($0) INT" }.joined(separator: ", ")));
      CREATE INDEX byTitle ON notes (title, score);
      """)
    for _ in 0..<6 {
      try writer.execute("BEGIN")
      for _ in 0..<Int.random(in: 5...60, using: &random) { try writer.execute(statement(&random, pageSize)) }
      try writer.execute("COMMIT")
    }
  }

  private func statement(_ random: inout SeededGenerator, _ pageSize: Int) -> String {
    let long = Int.random(in: 0...pageSize * 3, using: &random)
    let key = Int.random(in: 1...200, using: &random)
    let number = Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
    return switch Int.random(in: 0..<12, using: &random) {
    case 0...3:
      "INSERT INTO notes (Z_ENT, title, score, body) VALUES (\(key), 'title \(number) äé', \(key % 3 == 0 ? "\(key)" : "0.1"), randomblob(\(key)))"
    case 4: "INSERT INTO notes (title, body) VALUES (printf('%*s', \(long), 'ü'), randomblob(\(long)))"
    case 5:
      "INSERT INTO \"odd, name\" VALUES (NULL, \(number), x'00ff'), ('\(number)', 1.5, printf('%*s', \(long), ''))"
    case 6...7: "INSERT OR REPLACE INTO links VALUES (\(key), printf('%*s', \(key * 5), '\(number)'), \(key))"
    case 8: "INSERT INTO wide (c0, c89) VALUES (\(number), \(key))"
    case 9: "UPDATE notes SET title = 'changed \(number)' WHERE Z_PK = \(key)"
    case 10: "DELETE FROM notes WHERE Z_PK BETWEEN \(key) AND \(key + 5)"
    default: "DELETE FROM links WHERE a = \(key)"
    }
  }

  /// A copy whose log ends after that commit.
  func copy(cutAfter commit: Int, frames: FrameList?) throws -> TemporaryFolder {
    let copy = try TemporaryFolder.inMemory()
    try copy.write(contents(of: path), to: "a.sqlite")
    let kept = frames?.frames.count { ($0.commit ?? .max) <= commit } ?? 0
    let log = try contents(of: path + "-wal")
    try copy.write(Array(log.prefix(32 + kept * (frames?.frameSize ?? 0))), to: "a.sqlite-wal")
    return copy
  }
}
