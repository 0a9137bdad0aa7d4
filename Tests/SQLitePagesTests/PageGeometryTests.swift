import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// How much of a payload stays on its page, and which pages hold no rows: worked out by hand, and beside SQLite for every
/// length.
@Suite struct PageGeometryTests {
  /// Pages of 4096 bytes: X = 4061 for tables and 1002 for indexes, M = 489, and 4092 bytes on each overflow page.
  @Test(
    arguments: [
      (4061, 4061, true), (4062, 489, true), (489 + 4092, 489, true), (490 + 4092, 490, true),
      // The rest just fits, and is one byte too long.
      (4061 + 4092, 4061, true), (4062 + 4092, 489, true), (489 + 2 * 4092, 489, true),
      (1002, 1002, false), (1003, 489, false), (1002 + 4092, 1002, false), (1003 + 4092, 489, false), (0, 0, false),
    ])
  func keepsAsMuchAsSQLiteDoes(_ payload: Int, _ local: Int, _ isTableLeaf: Bool) throws {
    let geometry = try #require(PageGeometry(pageSize: 4096))
    #expect(geometry.localSize(of: payload, isTableLeaf: isTableLeaf) == local)
  }

  @Test(arguments: [512, 1024]) func everyLengthOfAValueIsRead(_ pageSize: Int) throws {
    let folder = try TemporaryFolder.inMemory()
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute(
      """
      PRAGMA page_size=\(pageSize); PRAGMA journal_mode=OFF;
      CREATE TABLE rows (value BLOB); CREATE TABLE keys (value BLOB PRIMARY KEY, more) WITHOUT ROWID;
      CREATE TABLE least (value); INSERT INTO least VALUES (NULL);
      INSERT INTO least (rowid, value) VALUES (-5, 'nine bytes'), (\(Int64.min), 1), (\(Int64.max), 2);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1600)
        INSERT INTO rows SELECT randomblob(i) FROM n;
      INSERT INTO keys SELECT value, rowid FROM rows WHERE rowid < 1200;
      """)
    let files = try DatabaseFiles(path: folder("a.sqlite"))
    #expect(try differences(PageView(PageFiles(files)), Connection(reading: files)) == [])
  }

  /// The page with the byte at 1 GiB.
  @Test(arguments: [(512, 2_097_153), (1024, 1_048_577), (4096, 262_145), (65_536, 16_385)] as [(Int, UInt32)])
  func theLockPageIsThatAtOneGibibyte(_ pageSize: Int, _ page: UInt32) throws {
    #expect(try #require(PageGeometry(pageSize: pageSize)).lockPage == page)
  }

  /// A page of 4096 bytes has entries for 819 pages; with pages of 1024 bytes a map page would be the lock page.
  @Test func pagesOfThePointerMapLieBeforeThoseTheyTellOf() throws {
    let geometry = try #require(PageGeometry(pageSize: 4096))
    #expect([1, 2, 3, 821, 822, 823, 1641, 1642].map(geometry.pointerMapPage) == [0, 2, 2, 2, 822, 822, 822, 1642])
    #expect((1...1642).filter(geometry.isPointerMap) == [2, 822, 1642])
    let small = try #require(PageGeometry(pageSize: 1024))
    #expect((1_048_570...1_048_590).filter(small.isPointerMap) == [1_048_578])
    #expect([1_048_576, 1_048_578, 1_048_579].map(small.pointerMapPage) == [1_048_372, 1_048_578, 1_048_578])
  }
}
