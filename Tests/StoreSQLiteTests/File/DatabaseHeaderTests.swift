import StoreSQLite
import Testing

@Suite struct DatabaseHeaderTests {
  private func header(_ sql: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let writer = try Connection(writing: folder.file("a.sqlite"), create: true)
    try writer.execute(sql)
    writer.close()
    return try Array(folder.bytes("a.sqlite").prefix(100))
  }

  @Test func readsEveryField() throws {
    let bytes = try header(
      """
      PRAGMA page_size=2048; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA user_version=7;
      PRAGMA application_id=99; CREATE TABLE t(a); CREATE TABLE u(a); DROP TABLE u;
      """)
    let header = try DatabaseHeader(bytes)
    #expect(header.pageSize == 2048)
    #expect(header.isWAL && header.writeVersion == 2 && header.readVersion == 2)
    #expect(header.reservedBytes == 0)
    #expect(header.pageCount == 4)
    #expect(header.isPageCountValid)
    #expect(header.freelistCount == 1 && header.freelistFirst == 4)
    #expect(header.schemaCookie == 3)
    #expect(header.schemaFormat == 4)
    #expect(header.largestRootPage == 3)
    #expect(header.incrementalVacuum)
    #expect(header.textEncoding == .utf8)
    #expect(header.userVersion == 7)
    #expect(header.applicationID == 99)
    #expect(header.sqliteVersion >= 3_000_000)
  }

  @Test func readsTheLargestPageSize() throws {
    #expect(try DatabaseHeader(header("PRAGMA page_size=65536; CREATE TABLE t(a)")).pageSize == 65536)
  }

  @Test(arguments: [
    (0, 0x00, DatabaseHeader.Invalid.notSQLite),
    (15, 0x01, .notSQLite),
    (16, 0x11, .pageSize(0x1100)),
    (16, 0x01, .pageSize(0x0100)),
    (16, 0x00, .pageSize(0)),
    (21, 63, .payloadFractions(63, 32, 32)),
    (23, 31, .payloadFractions(64, 32, 31)),
  ])
  func refusesWhatSQLiteRefuses(offset: Int, byte: UInt8, reason: DatabaseHeader.Invalid) throws {
    var bytes = try header("CREATE TABLE t(a)")
    bytes[offset] = byte
    #expect(throws: reason) { try DatabaseHeader(bytes) }
  }

  @Test func refusesTooManyReservedBytes() throws {
    var bytes = try header("PRAGMA page_size=512; CREATE TABLE t(a)")
    bytes[20] = 32
    #expect(try DatabaseHeader(bytes).reservedBytes == 32)
    bytes[20] = 33
    #expect(throws: DatabaseHeader.Invalid.reservedBytes(33)) { try DatabaseHeader(bytes) }
  }

  @Test func refusesEveryTruncation() throws {
    let bytes = try header("CREATE TABLE t(a)")
    for length in 0..<100 {
      #expect(throws: DatabaseHeader.Invalid.tooShort(bytes: length)) {
        try DatabaseHeader(Array(bytes.prefix(length)))
      }
    }
  }
}
