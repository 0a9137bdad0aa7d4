import StorePlatform
import StoreSQLite
import TestSupport

/// A database in WAL mode that is still open for writing, and copies of its files.
///
/// The writer has its own folder; the copy has no `-shm`, as evidence usually has none.
struct WALSample {
  let writerFolder: TemporaryFolder
  let writer: Connection

  /// Runs `sql` on a new database in WAL mode without automatic checkpoints.
  init(_ sql: String, pageSize: Int = 1024) throws {
    writerFolder = try TemporaryFolder()
    writer = try Connection(writing: writerFolder.file("a.sqlite"), create: true)
    try writer.execute("PRAGMA page_size=\(pageSize); PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;")
    try writer.execute(sql)
  }

  func execute(_ sql: String) throws { try writer.execute(sql) }

  var main: [UInt8] { get throws { try writerFolder.bytes("a.sqlite") } }
  var wal: [UInt8] { get throws { try writerFolder.bytes("a.sqlite-wal") } }

  /// A folder with `a.sqlite` and `a.sqlite-wal` as they are now, the latter changed by `injury`.
  func copy(_ injury: (inout [UInt8]) -> Void = { _ in }) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var wal = try wal
    injury(&wal)
    try folder.write(main, to: "a.sqlite")
    try folder.write(wal, to: "a.sqlite-wal")
    return folder
  }
}

/// A database in rollback mode in the middle of a transaction that has already written to the file.
struct HotJournalSample {
  let folder: TemporaryFolder
  /// `sum` over the rows before the transaction began.
  let original: [Int64]
  /// The database file before the transaction began.
  let originalMain: [UInt8]

  /// `synchronous` decides whether the journal has many headers (`FULL`) or one without a count (`OFF`).
  init(synchronous: String, transaction: String) throws {
    let writerFolder = try TemporaryFolder()
    let writer = try Connection(writing: writerFolder.file("a.sqlite"), create: true)
    try writer.execute(
      """
      PRAGMA page_size=1024; PRAGMA journal_mode=DELETE; PRAGMA synchronous=\(synchronous);
      CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO t SELECT i, i * i, printf('%0200d', i) FROM n;
      """)
    original = try sums(writer)
    originalMain = try writerFolder.bytes("a.sqlite")
    // With a cache of two pages, the transaction writes to the database file before it ends.
    try writer.execute("PRAGMA cache_size=2; PRAGMA cache_spill=1; BEGIN; \(transaction)")
    folder = try TemporaryFolder()
    try folder.write(writerFolder.bytes("a.sqlite"), to: "a.sqlite")
    try folder.write(writerFolder.bytes("a.sqlite-journal"), to: "a.sqlite-journal")
  }
}

/// Number of rows and the sums of two columns of table `t`.
func sums(_ connection: Connection) throws -> [Int64] {
  try integers("SELECT count(*), sum(b), sum(length(c)) FROM t", on: connection)
}

/// The values of the first row.
func integers(_ sql: String, on connection: Connection) throws -> [Int64] {
  let rows = try connection.prepare(sql)
  return try rows.step() ? (0..<rows.columnCount).map(rows.int64) : []
}

/// The values of the first column.
func column(_ sql: String, on connection: Connection) throws -> [String?] {
  let rows = try connection.prepare(sql)
  var values: [String?] = []
  while try rows.step() { values.append(rows.string(0)) }
  return values
}

/// Opens `a.sqlite` in a folder for reading.
func reading(_ folder: TemporaryFolder, _ policy: ReadPolicy = .init()) throws -> Connection {
  try Connection(reading: DatabaseFiles(path: folder.file("a.sqlite")), policy: policy)
}

/// The output of the `sqlite3` shell; nil if it fails or is missing. It may change the folder.
func shell(_ folder: TemporaryFolder, _ sql: String) -> String? {
  guard let run = Shell.run("sqlite3 '\(folder.file("a.sqlite"))' '\(sql)' 2>&1"), run.status == 0 else { return nil }
  return String(decoding: run.output, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
}

/// Whether there is a `sqlite3` shell to compare with.
let hasShell = Shell.run("command -v sqlite3 >/dev/null")?.status == 0

/// A WAL file that can be taken apart and put together again, written for tests from the description of the format.
struct WALFile {
  var bytes: [UInt8]
  let pageSize: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    pageSize = Int(word(bytes, 8))
  }

  var frames: Int { (bytes.count - 32) / (24 + pageSize) }

  func offset(_ frame: Int) -> Int { 32 + frame * (24 + pageSize) }

  /// Computes all checksums again, from big-endian or little-endian words.
  mutating func seal(bigEndian: Bool) {
    put(bigEndian ? 0x377f_0683 : 0x377f_0682, at: 0)
    var sums: (UInt32, UInt32) = (0, 0)
    add(0..<24, to: &sums, bigEndian)
    put(sums.0, at: 24)
    put(sums.1, at: 28)
    for start in (0..<frames).map(offset) {
      add(start..<start + 8, to: &sums, bigEndian)
      add(start + 24..<start + 24 + pageSize, to: &sums, bigEndian)
      put(sums.0, at: start + 16)
      put(sums.1, at: start + 20)
    }
  }

  mutating func put(_ value: UInt32, at offset: Int) { StoreSQLiteTests.put(value, at: offset, in: &bytes) }

  private func add(_ range: Range<Int>, to sums: inout (UInt32, UInt32), _ bigEndian: Bool) {
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let (first, second) = (word(bytes, offset), word(bytes, offset + 4))
      sums.0 &+= (bigEndian ? first : first.byteSwapped) &+ sums.1
      sums.1 &+= (bigEndian ? second : second.byteSwapped) &+ sums.0
    }
  }
}

/// The big-endian word at `offset`.
func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
  bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
}

/// Writes a big-endian word.
func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
  for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index))) }
}
