import Testing

@testable import StoreSQLite

/// A cell that begins in the last byte of its page is read beyond the end of the page, where there must be zeros.
@Suite struct PageSlackTests {
  @Test(arguments: [512, 4096, 65536]) func zerosLieBehindAPage(pageSize: Int) throws {
    let folder = try TemporaryFolder()
    let writer = try Connection(writing: folder.file("a.sqlite"), create: true)
    try writer.execute("PRAGMA page_size=\(pageSize); CREATE TABLE t(a); INSERT INTO t VALUES ('x'), ('y'), ('z')")
    writer.close()
    var bytes = try folder.bytes("a.sqlite")
    // The third cell pointer, after the eight bytes of the page header.
    let pointer = pageSize + 8 + 2 * 2
    bytes[pointer] = UInt8((pageSize - 1) >> 8)
    bytes[pointer + 1] = UInt8((pageSize - 1) & 0xFF)
    try folder.write(bytes, to: "a.sqlite")

    // This connection does not check cells when it reads a page; that check would refuse the page, but
    // `integrity_check` reads without it, too.
    let connection = try Connection(writing: folder.file("a.sqlite"), create: false)
    let last = try connection.prepare("SELECT max(rowid) FROM t")
    #expect(try last.step() && last.int64(0) == 0)
  }
}
