import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// The oracle: a database is written, checkpointed and looked at after each commit; what was there then is compared with
/// what is offered later, from the files alone. Text is stored in each of the three encodings.
@Suite struct CommitReplayTests {
  @Test(arguments: LongRuns.seeds(20, whole: 100))
  func offersOnlyCommitsThatEqualTheirSnapshots(seed: UInt64) throws {
    var story = try WrittenStory(seed: seed)
    for _ in 0..<45 { try story.step() }
    try story.judge(withRows: true)
    // Refusing everything would be right too; what could be known has to be offered.
    #expect(story.offered > 0 && story.known > 0)
    #expect(story.offered * 3 >= story.known, "\(story.offered) of \(story.known) offered")
    print("seed \(seed): \(story.judged) commits judged, \(story.known) could be known, \(story.offered) offered")
  }
}

/// A database that is written step by step, with what it held after each commit of its present log.
private struct WrittenStory {
  private(set) var judged = 0
  private(set) var known = 0
  private(set) var offered = 0

  private let folder: TemporaryFolder
  private let writer: Connection
  private var reader: Connection?
  private var random: SeededGenerator
  private let seed: UInt64
  /// The content before the first commit of the log and after each of them.
  private var snapshots: [Int] = []
  private var images: [Int] = []
  private var lastImage = 0
  private var rows: [[String: [Int64: StoredRow]]] = []
  private var salts: [UInt32] = []
  private var lastContent = 0
  private var lastRows: [String: [Int64: StoredRow]] = [:]
  private var tables = 0

  init(seed: UInt64) throws {
    self.seed = seed
    folder = try TemporaryFolder.inMemory()
    random = SeededGenerator(seed: seed)
    writer = try Connection(writing: folder("a.sqlite"), create: true)
    let pageSize = [512, 1024, 4096].randomElement(using: &random) ?? 4096
    try writer.execute(
      """
      PRAGMA encoding='\(["UTF-8", "UTF-16le", "UTF-16be"][Int(seed % 3)])';
      PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=\(Int.random(in: 0...2, using: &random));
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA secure_delete=\(Bool.random(using: &random) ? 1 : 0);
      """)
    lastContent = try content(of: try reading(try files()))
    lastImage = try image(files(), walBytes: nil)
    try write("CREATE TABLE t(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, b, c)")
    try write("CREATE INDEX i ON t(b)")
  }

  /// One random transaction, checkpoint, or reader that comes or goes.
  mutating func step() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: try write(insert)
    case 6..<9:
      try write("UPDATE t SET b = \(small), c = \(value) WHERE Z_PK % 7 = \(Int.random(in: 0..<7, using: &random))")
    case 9: try write("UPDATE t SET b = b; UPDATE t SET Z_ENT = 3 WHERE Z_PK = \(key)")
    case 10..<12: try write("DELETE FROM t WHERE Z_PK BETWEEN \(key) AND \(key) + 20")
    case 12: try write("DELETE FROM t WHERE Z_PK = \(key); \(insert)")
    case 13:
      try write(["DELETE FROM t", "PRAGMA incremental_vacuum(5)", "REINDEX"].randomElement(using: &random) ?? "")
    case 14:
      tables += 1
      try write("CREATE TABLE u\(tables)(Z_PK INTEGER PRIMARY KEY, b); INSERT INTO u\(tables) SELECT Z_PK, b FROM t")
    case 15 where tables > 0:
      try write(
        [
          "DROP TABLE u\(tables)", "ALTER TABLE u\(tables) RENAME TO v\(tables)", "ALTER TABLE t ADD COLUMN n\(tables)",
        ].randomElement(using: &random) ?? "")
      tables = 0
    case 16:
      reader = reader == nil ? try Connection(writing: folder("a.sqlite"), create: false) : nil
      try reader?.execute("BEGIN; SELECT count(*) FROM sqlite_master")
    default:
      let kind = ["PASSIVE", "PASSIVE", "FULL", "RESTART", "TRUNCATE"].randomElement(using: &random) ?? "PASSIVE"
      // With a reader the others wait for it, and fail.
      try? writer.execute("PRAGMA wal_checkpoint(\(reader == nil ? kind : "PASSIVE"))")
      try judge(withRows: false)
    }
  }

  private var key: Int { mutating get { Int.random(in: 1...120, using: &random) } }
  private var small: Int { mutating get { Int.random(in: 0..<5, using: &random) } }
  private var value: String {
    mutating get {
      "printf('%0\(Int.random(in: 1...(Int.random(in: 0..<6, using: &random) == 0 ? 5000 : 60), using: &random))d', \(small))"
    }
  }
  private var insert: String {
    mutating get {
      "INSERT OR REPLACE INTO t(Z_PK, Z_ENT, b, c) SELECT \(key) + value, 1 + value % 2, \(small), \(value) "
        + "FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < \(small * 4)) SELECT value FROM n)"
    }
  }

  /// Runs one transaction, and takes down what is there afterwards.
  private mutating func write(_ sql: String) throws {
    let isPragma = sql.hasPrefix("PRAGMA")
    do {
      try writer.execute(isPragma ? sql : "BEGIN; \(sql); COMMIT")
    } catch {
      try? writer.execute("ROLLBACK")
    }
    let files = try files()
    let wal = try WAL(scanning: MemoryBytes(files.wal))
    let header = try? wal.header.get()
    if salts != header.map({ [$0.salt1, $0.salt2] }) ?? [] {
      salts = header.map { [$0.salt1, $0.salt2] } ?? []
      snapshots = [lastContent]
      images = [lastImage]
      rows = [lastRows]
    }
    let connection = try reading(files)
    lastContent = try content(of: connection)
    lastRows = try storedRows(of: connection)
    lastImage = try image(files, walBytes: nil)
    if wal.commits >= snapshots.count {
      #expect(wal.commits == snapshots.count, "seed \(seed): one commit a step")
      snapshots.append(lastContent)
      images.append(lastImage)
      rows.append(lastRows)
    }
  }

  /// Compares what is offered from the files as they are now with what was taken down.
  mutating func judge(withRows: Bool) throws {
    let files = try files()
    let history = try WALHistory(of: MemoryBytes(files.wal), over: MemoryBytes(files.main))
    guard history.commits.count > 1 else { return }
    try #require(history.commits.count == snapshots.count, "seed \(seed)")
    for commit in history.commits {
      var policy = ReadPolicy()
      policy.walBytes = history.length(upTo: commit)
      let now = try? content(
        of: Connection(reading: MemoryBytes(files.main), wal: MemoryBytes(files.wal), policy: policy))
      let isRight = now == snapshots[commit.number]
      judged += 1
      known += try image(files, walBytes: policy.walBytes) == images[commit.number] ? 1 : 0
      offered += commit.refusal == nil ? 1 : 0
      if commit.refusal == nil {
        #expect(isRight, "seed \(seed): commit \(commit.number) of \(history.commits.count - 1)")
      }
    }
    guard withRows else { return }
    var replay = try CommitReplay(
      of: MemoryBytes(files.wal), over: MemoryBytes(files.main), history: history,
      interest: RowInterest(tagColumn: "Z_ENT", watched: [], watchedBefore: []))
    try replay.run(onRow: { _ in }) { commit, changes in
      guard let changes else { return }
      let expected = difference(rows[commit.number - 1], rows[commit.number])
      // Long values on pages of their own are only placed where there is a pointer map.
      guard changes.unplacedPages == 0 else { return }
      #expect(changes.rows == expected, "seed \(seed): commit \(commit.number)")
      #expect(changes.damagedTables.isEmpty, "seed \(seed): commit \(commit.number)")
    }
  }

  /// A digest of all pages of the database.
  private func image(_ files: (main: [UInt8], wal: [UInt8]), walBytes: Int64?) throws -> Int {
    let main = MemoryBytes(files.main)
    let log = MemoryBytes(files.wal)
    let wal = try WAL(scanning: LeadingBytes(log, count: walBytes ?? log.size))
    guard let image = CheckpointedFile(main: main, wal: wal) else {
      // The main file may have grown since.
      let pages = (try? DatabaseHeader(of: main)).map { Int($0.pageCount) * $0.pageSize } ?? 0
      return Array(files.main.prefix(pages)).hashValue
    }
    return try image.read(at: 0, count: Int(image.size)).hashValue
  }

  private func files() throws -> (main: [UInt8], wal: [UInt8]) {
    (try contents(of: folder("a.sqlite")), (try? contents(of: folder("a.sqlite-wal"))) ?? [])
  }

  private func reading(_ files: (main: [UInt8], wal: [UInt8])) throws -> Connection {
    try Connection(reading: MemoryBytes(files.main), wal: MemoryBytes(files.wal))
  }
}
