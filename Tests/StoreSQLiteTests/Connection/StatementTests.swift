import CStoreSQLite
import StoreSQLite
import Testing

@Suite struct StatementTests {
  private func writer() throws -> (TemporaryFolder, Connection) {
    let folder = try TemporaryFolder()
    return (folder, try Connection(writing: folder.file("a.sqlite"), create: true))
  }

  @Test func readsEveryKindOfValue() throws {
    let (folder, writer) = try writer()
    try writer.execute("CREATE TABLE t(a, b, c, d, e); INSERT INTO t VALUES (NULL, -7, 1.5, 'äöü', x'00ff');")
    let row = try reading(folder).prepare("SELECT * FROM t")
    #expect(try row.step())
    #expect(row.columnCount == 5)
    #expect((0..<5).map(row.kind) == [.null, .integer, .real, .text, .blob])
    #expect(row.isNull(0) && !row.isNull(1))
    #expect(row.int64(1) == -7)
    #expect(row.double(2) == 1.5)
    #expect(row.string(3) == "äöü")
    #expect(row.blob(4) == [0, 255])
    #expect(row.string(0) == nil)
    #expect(row.blob(0) == nil)
    #expect(row.withBytes(0) { $0.count } == 0)
    #expect(try !row.step())
  }

  @Test(arguments: [-1, 5, 1_000_000, Int.max, Int.min])
  func aColumnThatDoesNotExistIsNull(column: Int) throws {
    let writer = try Connection(writing: ":memory:", create: true)
    let row = try writer.prepare("SELECT 1, 2")
    #expect(try row.step())
    #expect(row.kind(column) == .null)
    #expect(row.string(column) == nil)
  }

  @Test func bindsEveryKindOfValue() throws {
    let writer = try Connection(writing: ":memory:", create: true)
    let row = try writer.prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
    try row.bind(Int64.min, at: 1)
    try row.bind(2.5, at: 2)
    try row.bind("a\0b", at: 3)
    try row.bind("", at: 4)
    try row.bind([UInt8](), at: 5)
    try row.bind([1, 2] as [UInt8], at: 6)
    try row.bindNull(at: 7)
    #expect(try row.step())
    #expect((0..<7).map(row.kind) == [.integer, .real, .text, .text, .blob, .blob, .null])
    #expect(row.int64(0) == .min)
    #expect(row.string(2) == "a\0b")
    #expect(row.blob(5) == [1, 2])
    #expect(throws: SQLiteError.self) { try row.bind(1 as Int64, at: 8) }

    row.reset()
    try row.bind(nil as String?, at: 1)
    #expect(try row.step())
    #expect(row.isNull(0))
  }

  @Test func repairsTextThatIsNotValid() throws {
    let (folder, writer) = try writer()
    try writer.execute("CREATE TABLE t(a); INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT));")
    let row = try reading(folder).prepare("SELECT a FROM t")
    #expect(try row.step())
    #expect(row.string(0) == "a\u{fffd}b")
    #expect(row.withBytes(0) { Array($0) } == [0x61, 0xff, 0x62])
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func readsOtherEncodings(encoding: String) throws {
    let (folder, writer) = try writer()
    try writer.execute("PRAGMA encoding='\(encoding)'; CREATE TABLE t(a); INSERT INTO t VALUES ('añ😀');")
    let row = try reading(folder).prepare("SELECT a FROM t")
    #expect(try row.step())
    #expect(row.string(0) == "añ😀")
    let header = try DatabaseHeader(of: EvidenceFile(PosixPath(folder.file("a.sqlite"))))
    #expect(header.textEncoding == (encoding == "UTF-16le" ? .utf16LittleEndian : .utf16BigEndian))
  }

  @Test func acceptsExactlyOneStatement() throws {
    let writer = try Connection(writing: ":memory:", create: true)
    #expect(throws: SQLiteError.self) { try writer.prepare("") }
    #expect(throws: SQLiteError.self) { try writer.prepare("-- nothing") }
    #expect(throws: SQLiteError.self) { try writer.prepare("SELECT 1; SELECT 2") }
    // The second statement was compiled to notice it, and is finalized.
    #expect(try writer.withHandle { sqlite3_next_stmt($0, nil) } == nil)
    _ = try writer.prepare("SELECT 1; -- and no more")
    try writer.execute(" ; ;\n")
    try writer.execute(";; CREATE TABLE a(b);; -- one\n /* two */ ; CREATE TABLE c(d)")
    #expect(try writer.schema().map(\.name) == ["a", "c"])
  }

  @Test func tellsWhichStatementFailed() throws {
    let writer = try Connection(writing: ":memory:", create: true)
    let error = #expect(throws: SQLiteError.self) { try writer.prepare("SELECT nonsense") }
    #expect(error?.sql == "SELECT nonsense")
    #expect(error?.message == "no such column: nonsense")
    #expect(error?.code == 1)
  }

  @Test func tellsWhatWasChanged() throws {
    let writer = try Connection(writing: ":memory:", create: true)
    try writer.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES (41), (42);")
    #expect(writer.changes == 2)
  }

  @Test func quotesAnyName() throws {
    let writer = try Connection(writing: ":memory:", create: true)
    for name in ["plain", "with \"quotes\"", "select", "", "e\u{301}", "'; DROP TABLE t; --", "😀"] {
      try writer.execute("CREATE TABLE \(quotedIdentifier(name))(\(quotedIdentifier(name)))")
      #expect(try writer.columns(of: name).map(\.name) == [name])
    }
    #expect(quotedIdentifier("a\"b") == "\"a\"\"b\"")
  }
}
