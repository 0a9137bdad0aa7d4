import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// Pages that SQLite does not write, or no longer: made by hand, with what is read from each.
@Suite struct HandmadePageTests {
  /// A database of pages of 512 bytes.
  private func database(_ sql: String) throws -> [UInt8] {
    let folder = try TemporaryFolder.inMemory()
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute("PRAGMA page_size=512; \(sql)")
    writer.close()
    return try contents(of: folder("a.sqlite"))
  }

  private func view(_ bytes: [UInt8]) throws -> PageView {
    PageView(try PageFiles(main: MemoryBytes(bytes), wal: nil, journal: nil))
  }

  private func put(_ words: [UInt32], at offset: Int, in bytes: inout [UInt8]) {
    for (index, word) in words.enumerated() {
      for byte in 0..<4 { bytes[offset + 4 * index + byte] = UInt8(truncatingIfNeeded: word >> (24 - 8 * byte)) }
    }
  }

  /// SQLite leaves the last six numbers of a trunk unused since 3.6.0, and reads them.
  @Test func aFullTrunkHasALeafForEveryNumber() throws {
    var bytes = try database("CREATE TABLE t(b); INSERT INTO t VALUES (zeroblob(70000)); DELETE FROM t;")
    let pages = UInt32(bytes.count / 512)
    try #require(pages >= 130)
    // Page 3 is the trunk; pages 4 to 129 are its 126 leaves, and the others are on no list.
    put([3, 127], at: 32, in: &bytes)
    put([0, 126] + (4...129), at: 2 * 512, in: &bytes)
    let list = try Freelist(view(bytes))
    #expect(list.trunks.map(\.leaves) == [126] && list.faults.count == 0)
    #expect((1...pages).filter(list.pages.contains) == Array(3...129))
    // One more than there is room for is no number of the list.
    put([127], at: 2 * 512 + 4, in: &bytes)
    let damaged = try Freelist(view(bytes))
    #expect(damaged.pages.count == 127)
    #expect(damaged.faults.first == [PageFault(page: 3, kind: .freelist)])
  }

  /// The right-most child of the root is the root: its rows are given once.
  @Test func aPageThatIsReachedTwiceIsEnteredOnce() throws {
    var bytes = try database(
      """
      CREATE TABLE t(b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
        INSERT INTO t SELECT zeroblob(100) FROM n;
      """)
    let whole = try rows(view(bytes))
    #expect(whole.keys == Array(1...20) && whole.faults == [])
    put([2], at: 512 + 8, in: &bytes)
    let circle = try rows(view(bytes))
    #expect(circle.faults == [PageFault(page: 2, kind: .visitedTwice)])
    #expect(circle.keys == Array(1...16))
  }

  /// SQLite leaves no page without a cell below a root, and refuses one.
  @Test func aPageWithoutACellBelowARootIsAFault() throws {
    var bytes = try database(
      """
      CREATE TABLE t(b); CREATE INDEX i ON t(b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO t SELECT zeroblob(100) FROM n;
      """)
    #expect(try view(bytes).entryCount(ofIndexAt: 3) == 40)
    let child = Int(bytes[512 + 11]) - 1
    bytes.replaceSubrange(child * 512..<child * 512 + 8, with: [13, 0, 0, 0, 0, 2, 0, 0])
    #expect(try rows(view(bytes)).faults == [PageFault(page: UInt32(child + 1), kind: .empty)])
    let last = Int(bytes[2 * 512 + 11]) - 1
    bytes.replaceSubrange(last * 512..<last * 512 + 8, with: [10, 0, 0, 0, 0, 2, 0, 0])
    #expect(try view(bytes).entryCount(ofIndexAt: 3) == nil)
  }

  /// A key is looked for by what the pages above its leaf say.
  @Test func aLeafWithKeysThatAreNotThoseOfItsPlaceIsAFault() throws {
    var bytes = try database(
      """
      CREATE TABLE t(b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO t SELECT zeroblob(100) FROM n;
      """)
    #expect(try rows(view(bytes)).faults == [])
    let cell = 512 + Int(bytes[512 + 12]) << 8 + Int(bytes[512 + 13])
    bytes[cell + 4] = 0
    #expect(try rows(view(bytes)).faults.map(\.kind) == [.order])
    bytes[cell + 4] = 6
    #expect(try rows(view(bytes)).faults.map(\.kind) == [.order])
  }

  /// Leaves that are not wanted are not read, but for the first, by which their depth is known.
  @Test func leavesThatAreNotWantedAreLeftOut() throws {
    let view = try view(
      database(
        """
        CREATE TABLE t(b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO t SELECT zeroblob(100) FROM n;
        """))
    func leaves(_ isWanted: ((UInt32) -> Bool)?) throws -> [UInt32] {
      var walk = BTreeWalk(view, root: 2)
      walk.leaves = isWanted
      var pages: [UInt32] = []
      try walk.run { entry in
        if pages.last != entry.page { pages.append(entry.page) }
        return true
      }
      return pages
    }
    let all = try leaves(nil)
    #expect(all.count > 400)
    #expect(try leaves { _ in false } == [all[0]])
    #expect(try leaves { $0 == all[300] || $0 == all[all.count - 1] } == [all[0], all[300], all[all.count - 1]])
  }

  private func rows(_ view: PageView) throws -> (keys: [Int64], faults: [PageFault]) {
    var walk = BTreeWalk(view, root: 2)
    var keys: [Int64] = []
    try walk.run { entry in
      keys.append(entry.cell.rowID ?? 0)
      return keys.count < 1000
    }
    return (keys, walk.faults.first)
  }

  /// Each commit of the log has its own size, the last one the smallest.
  @Test func aDatabaseThatBecameSmallerHasFewerPages() throws {
    let folder = try TemporaryFolder.inMemory()
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute(
      """
      PRAGMA page_size=512; PRAGMA auto_vacuum=FULL; PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
      CREATE TABLE t(b); INSERT INTO t VALUES (zeroblob(5000)); DELETE FROM t;
      """)
    let files = try PageFiles(DatabaseFiles(path: folder("a.sqlite")))
    #expect((0...3).map { PageView(files, commit: $0).pageCount } == [1, 3, 12, 3])
    #expect(PageView(files).pageCount == 3)
    #expect(try PageView(files).page(4) == nil)
  }

  /// A cell of three bytes takes four, and a freeblock that begins within another one is none.
  @Test func whatNoCellCoversIsUnclaimed() throws {
    var page = [UInt8](repeating: 0, count: 512)
    // A leaf of a table: first freeblock at 100, two cells, their content from 500 on; pointers to 504 and 500.
    page.replaceSubrange(0..<12, with: [13, 0, 100, 0, 2, 1, 0xf4, 0, 1, 0xf8, 1, 0xf4])
    page.replaceSubrange(500..<503, with: [1, 5, 1])
    page.replaceSubrange(504..<512, with: [6, 6, 2, 19, 97, 98, 99, 0])
    // 20 bytes at 100, and the next freeblock is said to be at 110.
    page.replaceSubrange(100..<104, with: [0, 110, 0, 20])
    page.replaceSubrange(110..<114, with: [0, 0, 0, 8])
    let geometry = try #require(PageGeometry(pageSize: 512))
    let anatomy = try page.withUnsafeBytes { bytes in
      let header = try #require(BTreePage(bytes, isFirst: false, usableSize: 512))
      return PageAnatomy(bytes, header: header, geometry: geometry)
    }
    #expect(anatomy.cells.map { $0.start..<$0.end } == [504..<512, 500..<503])
    #expect(anatomy.cells.map(\.rowID) == [6, 5])
    #expect(anatomy.unclaimed == [12..<500])
    #expect(anatomy.freeblocks == [100..<120])
  }
}
