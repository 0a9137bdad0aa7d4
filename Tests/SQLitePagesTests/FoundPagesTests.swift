import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// Pages are told in files without a header, at their own size, and in nothing else.
@Suite struct FoundPagesTests {
  @Test(arguments: [512, 1024, 4096, 16384, 65536]) func pagesAreFoundAtTheirOwnSize(pageSize: Int) throws {
    let folder = try TemporaryFolder()
    let database = try Connection(writing: folder("a.db"), create: true)
    try database.execute("PRAGMA page_size = \(pageSize); CREATE TABLE t (a, b); CREATE INDEX i ON t (a)")
    try database.execute(
      "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 20000) INSERT INTO t SELECT x, 'text ' || x FROM n"
    )
    var bytes = try contents(of: folder("a.db"))
    for number in 0..<pageSize { bytes[number] = 0 }
    let found = try #require(try FoundPages(in: EvidenceFile(PosixPath(folder.write(bytes, to: "b.db")))))
    #expect(found.pageSize == pageSize)
    #expect(found.count >= bytes.count / pageSize - 2 && !found.holdMetadata)
  }

  @Test(arguments: 1...20) func otherBytesHaveNone(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let bytes = (0..<1 << 20).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    #expect(try FoundPages(in: EvidenceFile(PosixPath(folder.write(bytes, to: "b")))) == nil)
  }
}
