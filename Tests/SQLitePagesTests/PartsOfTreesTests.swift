import SQLitePages
import StoreSQLite
import TestSupport
import Testing

/// The parts of a tree, one behind the other, are the tree.
@Suite struct PartsOfTreesTests {
  private struct Entries: Equatable {
    var keys: [Int64] = []
    var payloads = 0
    var pages: Set<UInt32> = []

    init(_ walk: inout BTreeWalk) throws {
      var (keys, payloads): ([Int64], Int) = ([], 0)
      try walk.run { row in
        keys.append(row.cell.rowID ?? RecordHeader(row.payload)?.lastInteger(in: row.payload) ?? -1)
        payloads += row.payload.count
        return true
      }
      #expect(walk.faults.count == 0)
      (self.keys, self.payloads) = (keys, payloads)
      walk.pages.forEach { pages.insert($0) }
    }

    static func + (left: Self, right: Self) -> Self {
      var sum = left
      sum.keys += right.keys
      sum.payloads += right.payloads
      sum.pages.formUnion(right.pages)
      return sum
    }
  }

  /// A table and an index of so many rows, in pages of 512 bytes; every hundredth has overflow pages.
  private func database(_ folder: TemporaryFolder, rows: Int) throws -> PageView {
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute(
      """
      PRAGMA page_size=512;
      CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO note SELECT i * 3, printf('%0*d', CASE i % 100 WHEN 7 THEN 1300 ELSE 90 END, i * 7919 % \(rows)) FROM n;
      CREATE INDEX byTitle ON note (title);
      """)
    writer.close()
    return try PageView(PageFiles(DatabaseFiles(path: folder("a.sqlite"))))
  }

  private func roots(_ view: PageView) throws -> [UInt32] { try PageSchema(view).entries.map(\.root) }

  /// Trees of two, three and four levels.
  @Test(arguments: [700, 6_000, 40_000]) func togetherTheyAreTheTree(rows: Int) throws {
    let folder = try TemporaryFolder.inMemory()
    let view = try database(folder, rows: rows)
    for root in try roots(view) {
      var whole = BTreeWalk(view, root: root)
      let expected = try Entries(&whole)
      #expect(expected.keys.count == rows)
      let parts = try BTreeWalk.parts(view, root: root, isTable: nil)
      #expect(parts.count > 1 && parts.count <= 1_000, "\(parts.count)")
      var (sum, pages): (Entries?, PageSet) = (nil, PageSet(upTo: view.pageCount))
      for part in parts {
        var walk = BTreeWalk(PageView(view.map), root: root, part: part)
        let entries = try Entries(&walk)
        sum = sum.map { $0 + entries } ?? entries
        let isApart = pages.formUnion(walk.pages, sharing: walk.upperPages)
        #expect(isApart)
      }
      #expect(sum == expected)
      #expect(pages.count == expected.pages.count)
    }
  }

  /// A page that two parts have, and is none of the upper ones, is in the tree twice.
  @Test func aPageInTwoPartsIsNoticed() {
    var (one, other) = (PageSet(upTo: 100), PageSet(upTo: 100))
    for page: UInt32 in [2, 7, 8] { one.insert(page) }
    for page: UInt32 in [2, 8, 9] { other.insert(page) }
    var sum = one
    let isApart = sum.formUnion(other, sharing: [2])
    #expect(!isApart && sum.count == 4)
    var again = one
    let mayBeShared = again.formUnion(other, sharing: [2, 8])
    #expect(mayBeShared)
  }

  @Test func aSmallTreeHasNoParts() throws {
    let folder = try TemporaryFolder.inMemory()
    let view = try database(folder, rows: 100)
    for root in try roots(view) { #expect(try BTreeWalk.parts(view, root: root, isTable: nil).isEmpty) }
    #expect(try BTreeWalk.parts(view, root: 9_999, isTable: nil).isEmpty)
  }
}
