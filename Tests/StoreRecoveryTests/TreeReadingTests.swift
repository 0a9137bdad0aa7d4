import SQLitePages
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Trees that are read in parts, each on a thread of its own, and the keys that are kept of them.
@Suite struct TreeReadingTests {
  private func template(_ view: PageView) throws -> RowTemplate {
    let entry = try #require(PageSchema(view).entries.first { $0.type == "table" })
    let definition = try #require(entry.sql.flatMap { TableDefinition(sql: $0) })
    return RowTemplate(table: entry.name, root: entry.root, definition: definition)
  }

  /// Objects of two entities, one of them in each key that three divides, without those in every hundred.
  private func database(_ folder: TemporaryFolder, _ more: String = "") throws -> String {
    let writer = try Connection(writing: folder("a.sqlite"), create: true)
    try writer.execute(
      """
      PRAGMA page_size=512;
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO ZNOTE SELECT i, 1 + (i / 40 % 2), 1, printf('%090d', i) FROM n WHERE i % 100 <> 5; \(more)
      """)
    writer.close()
    return folder("a.sqlite")
  }

  private func read(_ path: String) throws -> (parts: Int, rows: TreeSummary, faults: Int) {
    let view = try PageView(PageFiles(DatabaseFiles(path: path)))
    let template = try template(view)
    let geometry = view.files.geometry
    let tree = try TreeReading(view, root: template.root ?? 0, isTable: true) {
      try TreeSummary(&$0, template, geometry: geometry)
    }
    var rows = TreeSummary(template)
    for part in tree.parts { rows.add(part) }
    return (tree.parts.count, rows, tree.faults.count)
  }

  @Test func partsSayWhatTheWholeTreeSays() throws {
    let folder = try TemporaryFolder.inMemory()
    let path = try database(folder)
    let (parts, rows, faults) = try read(path)
    let view = try PageView(PageFiles(DatabaseFiles(path: path)))
    var walk = BTreeWalk(view, root: try template(view).root ?? 0, isTable: true)
    let whole = try TreeSummary(&walk, template(view), geometry: view.files.geometry)
    #expect(parts > 1 && faults == 0 && rows.count == 8_910)
    #expect(rows.count == whole.count && rows.keys == whole.keys && rows.largest == whole.largest)
    #expect(rows.leaves == whole.leaves && rows.leaves.count == 2)
    #expect(rows.template.masks == whole.template.masks && rows.template.counts == whole.template.counts)
    #expect(rows.flawed == nil && rows.disorder == nil)
    var keys: [Int64] = []
    for bits in try #require(rows.liveKeys) { bits.forEach { keys.append($0) } }
    #expect(keys == (1...9_000).filter { $0 % 100 != 5 })
  }

  /// A leaf that hangs in the tree twice is met in two parts: which of them has its rows is said by one reading of all.
  @Test func aDamagedTreeIsReadInOne() throws {
    let folder = try TemporaryFolder.inMemory()
    var bytes = try contents(of: database(folder))
    // The first page below the root whose children are leaves: its second child is also the last but one.
    let page = try #require(
      stride(from: 512, to: bytes.count, by: 512).first { start in
        bytes[start] == 5 && bytes[start + 4] > 20
      })
    func cell(_ index: Int) -> Int { page + Int(bytes[page + 12 + 2 * index]) << 8 + Int(bytes[page + 13 + 2 * index]) }
    let count = Int(bytes[page + 4])
    for offset in 0..<4 { bytes[cell(count - 2) + offset] = bytes[cell(1) + offset] }
    let (parts, rows, faults) = try read(folder.write(bytes, to: "b.sqlite"))
    #expect(parts == 1 && faults > 0 && rows.count < 8_910)
  }

  @Test func keysThatLieFarFromEachOtherAreNotKept() {
    var bits = KeyBits()
    let isNear = [-3, 0, 1, 64, 65, 4_000].map { bits.add($0) }
    #expect(!isNear.contains(false))
    var keys: [Int64] = []
    bits.forEach { keys.append($0) }
    #expect(keys == [1, 64, 65, 4_000])
    let isFar = [9_000_000, .max, 2].map { !bits.add($0) }
    #expect(!isFar.contains(false))
    var last = KeyBits()
    let isAdded = [.max, .max - 64].map { last.add($0) }
    #expect(isAdded == [true, false])
    keys = []
    last.forEach { keys.append($0) }
    #expect(keys == [.max])
  }
}
