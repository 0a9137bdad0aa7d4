import CStoreSQLite
import Foundation
import SQLitePages
import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreScanning
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Rows that are read from pages are those that SQLite gives, with the same values, and so are the findings.
@Suite struct PageReadingTests {
  @Test(arguments: Fixture.readable) func findsTheSameInFixtures(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try fixture.build(in: folder)
    try expectSameFindings(path, fixture.options, "\(fixture)")
  }

  /// Pages are so small that most tables have several, and each of two threads has some rows.
  @Test(arguments: Fixture.readable) func findsTheSameInHalves(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try fixture.build(in: folder)
    let writer = try Connection(writing: path, create: false)
    // A damaged store stays as it is.
    guard (try? writer.execute("PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM")) != nil else { return }
    writer.close()
    try expectSameFindings(path, fixture.options, "\(fixture)")
  }

  @Test(.needsSharedData) func findsTheSameInRealStores() throws {
    for (index, entry) in Catalogue.stores.enumerated() where LongRuns.areWanted || index % 9 == 0 {
      try expectSameFindings(entry.path, DiagnosisOptions(integrity: .quick), "\(entry.slug)")
    }
  }

  private func expectSameFindings(_ path: String, _ options: DiagnosisOptions, _ label: Comment) throws {
    func found(_ rows: RowReading) throws -> ([Finding], [SkippedCheck]) {
      var options = options
      options.rows = rows
      let diagnosis = try diagnose(path: path, options: options)
      return (diagnosis.findings, diagnosis.skipped)
    }
    let expected = try found(.sqlite)
    for threads in 1...2 {
      let (findings, skipped) = try found(.pages(threads: threads))
      #expect(findings == expected.0, label)
      #expect(skipped == expected.1, label)
    }
  }

  /// Values of all kinds in columns of all kinds, pages of all sizes, whole and with some bytes changed.
  @Test(.timeLimit(.minutes(20))) func readsTheSameRows() throws {
    var (damaged, inPages) = (0, 0)
    for seed in LongRuns.seeds(60, whole: 6_000) {
      var random = SeededGenerator(seed: seed)
      let folder = try TemporaryFolder.inMemory()
      let store = try OddStore(at: folder.copyStore(Project.path("corpus/Notes.sqlite")), &random)
      if seed % 3 > 0 { try injure(store.path, &random) }
      guard let expected = try? Recording(store.path, .sqlite) else { continue }
      for threads in 1...2 {
        let own = try Recording(store.path, .pages(threads: threads))
        #expect(own.rows == expected.rows, "seed \(seed), \(store.description)")
        #expect(own.damage == expected.damage, "seed \(seed), \(store.description)")
        #expect(own.keys == expected.keys, "seed \(seed), \(store.description)")
      }
      damaged += expected.damage.isEmpty ? 0 : 1
      inPages += store.readsPages ? 1 : 0
    }
    #expect(damaged > 3)
    #expect(inPages > 30)
  }

  private func injure(_ path: String, _ random: inout SeededGenerator) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      // The odd table is the last. Most of what is on a page counts little; its head and the cells' heads count most.
      let blocks = bytes.count / 512
      let start = Int.random(in: blocks / 2..<max(2, blocks), using: &random) * 512
      let place = start + Int.random(in: 0..<(Bool.random(using: &random) ? 16 : 512), using: &random)
      if bytes.indices.contains(place) { bytes[place] = .random(in: 0...255, using: &random) }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Texts and numbers are converted to integers as SQLite does it.
  @Test func convertsAsSQLiteDoes() throws {
    let database = try Connection(writing: ":memory:", create: true)
    let ask = try database.prepare("SELECT ?1")
    let texts = [
      "", "12", " \t12abc", "-7", "+3", "- 3", "0x10", "9223372036854775807", "9223372036854775808",
      "-9223372036854775808", "-9223372036854775809", "99999999999999999999999", "-99999999999999999999999", "1.9",
      "1e3",
      "00000000000000000000005", "٣", "\u{b}8",
    ]
    for text in texts {
      ask.reset()
      try ask.bind(text, at: 1)
      #expect(try ask.step())
      var text = text
      text.withUTF8 { bytes in
        let value = StoredValue(.text, UnsafeRawBufferPointer(bytes))
        #expect(value.int64 == ask.int64(0), "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
    for number in [0, -0.0, 1.9, -1.9, 1e18, 1e19, -1e19, 9.2e18, .infinity, -.infinity, 1e-300] as [Double] {
      ask.reset()
      try ask.bind(number, at: 1)
      #expect(try ask.step())
      #expect(StoredValue(number).int64 == ask.int64(0), "\(number)")
    }
    #expect(StoredValue(Double.nan).kind == .null)
  }

  /// A payload that is put together takes at most so much memory; longer ones SQLite reads.
  @Test func leavesVeryLongValuesToSQLite() throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: path, create: false)
    try writer.execute(
      """
      PRAGMA journal_mode=DELETE;
      CREATE TABLE ODD (Z_PK INTEGER PRIMARY KEY, B BLOB);
      INSERT INTO ODD VALUES (1, zeroblob(\(TableRows.mostSpilled - 100))), (2, zeroblob(\(TableRows.mostSpilled))), (3, 'a');
      """)
    writer.close()
    let file = try #require(try Connection(reading: DatabaseFiles(path: path)).settledFile(leastBytes: 0))
    let root = try #require(try Connection(reading: DatabaseFiles(path: path)).schema().first { $0.name == "ODD" })
    let rows = try #require(
      TableRows(file, root: UInt32(root.rootPage), columns: [.init(.rowID), .init(.record(1))]))
    #expect(rows.next() == .row && rows.values[1].bytes.count == TableRows.mostSpilled - 100)
    #expect(rows.next() == .unclear)
    #expect(try Recording(path, .pages(threads: 1)) == Recording(path, .sqlite))
  }

  /// The record ends a byte before its payload does, and the row has fewer values than the table columns: SQLite calls that
  /// damage, and so the reader leaves it to SQLite.
  @Test func leavesARecordThatIsLongerThanItsHeaderToSQLite() throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try folder.store(
      """
      CREATE TABLE ODD (Z_PK INTEGER PRIMARY KEY, A VARCHAR);
      INSERT INTO ODD VALUES (1, 'first'), (2, 'fifth'), (3, 'third');
      ALTER TABLE ODD ADD COLUMN LATER VARCHAR
      """)
    #expect(try rows(path, [.init(.rowID), .init(.record(2))]) == [1, 2, 3])
    // The header of the second row says that its text has four bytes.
    try replace([0x17] + "fifth".utf8, by: [0x15] + "fifth".utf8, in: path)
    #expect(try rows(path, [.init(.rowID), .init(.record(2))]) == [1, nil])
    #expect(try rows(path, [.init(.rowID), .init(.record(1))]) == [1, 2, 3])
    #expect(try Recording(path, .sqlite).damage["ODD"] != nil)
    #expect(try Recording(path, .pages(threads: 1)) == Recording(path, .sqlite))
  }

  /// A long text of which only the kind is wanted is not put together, but the number behind it is read where it lies.
  @Test(arguments: [false, true]) func readsTheNumberBehindALongTextOfWhichTheKindIsWanted(ofKind: Bool) throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try folder.store(
      """
      PRAGMA page_size=512; VACUUM;
      CREATE TABLE ODD (Z_PK INTEGER PRIMARY KEY, A VARCHAR, N INTEGER);
      INSERT INTO ODD VALUES (1, replace(hex(zeroblob(500)), '00', 'yy'), 74565), (2, 'short', 3)
      """)
    let columns: [TableRows.Column] = [
      .init(.rowID), .init(.record(1), isOfKind: true), .init(.record(2), isOfKind: ofKind),
    ]
    #expect(try rows(path, columns) == [1, 2])
    if !ofKind { #expect(try rows(path, columns, value: 2) == [74565, 3]) }
    // The pages of the text lead nowhere.
    let pages = try Data(contentsOf: URL(fileURLWithPath: path)).count / 512
    for page in 0..<pages { try overwriteNextPage(page, full: UInt8(ascii: "y"), in: path) }
    #expect(try rows(path, Array(columns.prefix(2))) == [1, 2])
    #expect(try rows(path, columns) == (ofKind ? [1, 2] : [nil]))
    #expect(try Recording(path, .pages(threads: 1)) == Recording(path, .sqlite))
  }

  /// A real that is not on the leaf may be no number, and what its kind is then is left to SQLite.
  @Test func tellsTheKindOfNoNumberAsSQLiteDoes() throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try folder.store(
      """
      PRAGMA page_size=512; VACUUM;
      CREATE TABLE ODD (Z_PK INTEGER PRIMARY KEY, A VARCHAR, N REAL);
      INSERT INTO ODD VALUES (1, replace(hex(zeroblob(500)), '00', 'yy'), 12345.678), (2, 'short', 23456.789)
      """)
    for number in [12345.678, 23456.789] {
      try replace(bytes(of: number), by: bytes(of: .nan), in: path)
    }
    #expect(try rows(path, [.init(.rowID), .init(.record(2), isOfKind: true)]) == [nil])
    #expect(try Recording(path, .pages(threads: 1)) == Recording(path, .sqlite))
  }

  /// The keys of the rows, or the values of a column, and nil where the reader gives up.
  private func rows(_ path: String, _ columns: [TableRows.Column], value: Int = 0) throws -> [Int64?] {
    let database = try Connection(reading: DatabaseFiles(path: path))
    let file = try #require(database.settledFile(leastBytes: 0))
    let root = try #require(try database.schema().first { $0.name == "ODD" })
    let rows = try #require(TableRows(file, root: UInt32(root.rootPage), columns: columns))
    var found: [Int64?] = []
    while true {
      switch rows.next() {
      case .row: found.append(rows.values[value].int64)
      case .end: return found
      case .unclear: return found + [nil]
      }
    }
  }

  private func bytes(of number: Double) -> [UInt8] { withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) } }

  private func replace(_ old: [UInt8], by new: [UInt8], in path: String) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    data.replaceSubrange(try #require(data.firstRange(of: Data(old))), with: new)
    try data.write(to: URL(fileURLWithPath: path))
  }

  private func overwriteNextPage(_ page: Int, full byte: UInt8, in path: String) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = page * 512
    guard data[start + 4..<start + 512].allSatisfy({ $0 == byte }) else { return }
    data.replaceSubrange(start..<start + 4, with: [0x7f, 0xff, 0xff, 0xff])
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// What lies beside the file counts, and then SQLite reads.
  @Test func doesNotReadPagesBesideALog() throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: path, create: false)
    try writer.execute(
      "PRAGMA journal_mode=WAL; UPDATE Z_METADATA SET Z_VERSION = 2; UPDATE Z_METADATA SET Z_VERSION = 1")
    func settled() throws -> SettledFile? {
      try Connection(reading: DatabaseFiles(path: path)).settledFile(leastBytes: 0)
    }
    #expect(try settled() == nil)
    writer.close()
    #expect(try settled() != nil)
    #expect(try Connection(reading: DatabaseFiles(path: path)).settledFile() == nil)
  }
}

/// A store with a table of odd values.
private struct OddStore {
  let path: String
  let description: String
  let readsPages: Bool

  init(at path: String, _ random: inout SeededGenerator) throws {
    self.path = path
    let pageSize = [512, 1024, 4096, 16384, 65536].randomElement(using: &random) ?? 512
    let reserved = Bool.random(using: &random) ? 0 : Int32.random(in: 1...32, using: &random)
    let isLogged = Int.random(in: 0..<8, using: &random) == 0
    let writer = try Connection(writing: path, create: false)
    if isLogged {
      try writer.execute("PRAGMA journal_mode=WAL")
    } else {
      try writer.execute("PRAGMA journal_mode=DELETE; PRAGMA page_size=\(pageSize)")
      try writer.withHandle { handle in
        var bytes = reserved
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes)
      }
      try writer.execute("VACUUM")
    }
    readsPages = !isLogged
    let key = ["INTEGER PRIMARY KEY", "INTEGER", "INTEGER PRIMARY KEY DESC", "INT PRIMARY KEY"].randomElement(
      using: &random)
    try writer.execute(
      "CREATE TABLE ODD (A VARCHAR, Z_PK \(key ?? ""), Z_ENT INTEGER, F FLOAT, T TIMESTAMP, B BLOB, D DECIMAL, N)")
    description = "page \(pageSize), reserved \(reserved), log \(isLogged), key \(key ?? "")"
    try writer.execute("BEGIN")
    for number in 1...Int.random(in: 2...250, using: &random) {
      if number == 60 { try writer.execute("ALTER TABLE ODD ADD COLUMN LATER VARCHAR") }
      if number == 120, Bool.random(using: &random) {
        try writer.execute("ALTER TABLE ODD ADD COLUMN LAST REAL DEFAULT 7")
      }
      func value(_ longest: Int = 40) -> String { Self.value(&random, longest: longest) }
      let long = Int.random(in: 0..<20, using: &random) == 0 ? 3 * pageSize : 40
      try writer.execute(
        """
        INSERT INTO ODD (A, Z_PK, Z_ENT, F, T, B, D, N) VALUES (\(value(long)), \(number * 3), \(number % 3),
          \(value()), \(value()), \(value(long)), \(value()), \(value()))
        """)
    }
    try writer.execute("COMMIT")
    if Bool.random(using: &random) { try writer.execute("DELETE FROM ODD WHERE Z_PK % 5 = 1") }
    if !isLogged { writer.close() }
    kept = isLogged ? writer : nil
  }

  private let kept: Connection?

  private static func value(_ random: inout SeededGenerator, longest: Int) -> String {
    func bytes(_ least: UInt8, _ most: UInt8) -> String {
      (0..<Int.random(in: 0...longest, using: &random)).map { _ in
        String(0x100 + Int(UInt8.random(in: least...most, using: &random)), radix: 16).dropFirst()
      }.joined()
    }
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "NULL"
    case 1: return ["0", "1", "-1", "127", "-129", "32768"].randomElement(using: &random) ?? "0"
    case 2: return "\(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random))"
    case 3: return "\(Double.random(in: -1e6...1e6, using: &random))"
    case 4: return ["9e999", "-9e999", "2.0", "1e19"].randomElement(using: &random) ?? "0.5"
    case 5: return "CAST(x'\(bytes(0x20, 0x7e))' AS TEXT)"
    case 6: return "CAST(x'\(bytes(0, 255))' AS TEXT)"
    case 7: return "x'\(bytes(0, 255))'"
    default: return "'\(Int.random(in: 0...99, using: &random)) of them'"
    }
  }
}

/// All rows of some of a store's tables, as visitors see them.
private struct Recording: Equatable {
  var rows: [String: [String]] = [:]
  var damage: [String: String] = [:]
  var keys: [String: [Int64]] = [:]

  init(_ path: String, _ reading: RowReading) throws {
    let store = try Store(path: path)
    let scan = Scan(store, ScanOptions(integrity: .quick, rows: reading))
    let shapes = ["ODD", "ZNOTE", "ZFOLDER", "Z_METADATA"].compactMap { store.shape.tables[$0] }
    let recorders = shapes.compactMap { shape -> (TableScan, [RowRecorder])? in
      guard let table = scan.table(shape.name) else { return nil }
      let columns = shape.columns.map(\.name)
      // Two, so that there is something to be shared.
      return (
        table,
        [columns, columns.reversed()].map { columns in
          scan.visit(table, entities: nil, columns: columns, kinds: columns) { RowRecorder($0) }
        }
      )
    }
    try scan.read()
    for (table, recorders) in recorders {
      rows[table.name] = recorders.flatMap(\.rows)
      damage[table.name] = table.damage
      keys[table.name] = Array(table.allKeys)
    }
  }
}

private final class RowRecorder: RowVisitor {
  private(set) var rows: [String] = []
  private let indexes: [Int]

  init(_ indexes: [Int]) { self.indexes = indexes }

  override func forLaterRows() -> RowVisitor? { RowRecorder(indexes) }

  override func add(_ later: RowVisitor) { rows += (later as? RowRecorder)?.rows ?? [] }

  override func visit(_ row: Row) {
    let half = indexes.count / 2
    rows.append(
      "\(row.key): "
        + indexes.enumerated().map { position, index in
          guard position < half else { return "\(row.storedKind(index))" }
          let value = row[index]
          let content =
            switch value.kind {
            case .null: ""
            case .integer, .real: "\(value.double) \(value.double.bitPattern)"
            case .text, .blob: value.withBytes { "\(Array($0))" }
            }
          return "\(value.kind) \(value.int64) \(row.integer(index) as Any) \(row.isNull(index)) \(content)"
        }.joined(separator: "|"))
  }
}

extension TemporaryFolder {
  /// A small store, with what this adds, without a log.
  fileprivate func store(_ sql: String) throws -> String {
    let path = try copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: path, create: false)
    try writer.execute("PRAGMA journal_mode=DELETE; " + sql)
    writer.close()
    return path
  }
}
