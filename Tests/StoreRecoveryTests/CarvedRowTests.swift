import SQLitePages
import StoreSQLite
import Testing

@testable import StoreRecovery

/// One row in the free space of a page, made by hand: what is taken for a row of the table, and what is not.
@Suite struct CarvedRowTests {
  private func template() throws -> RowTemplate {
    let definition = try #require(
      TableDefinition(
        sql: "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR)"))
    var template = RowTemplate(table: "ZNOTE", root: 2, definition: definition)
    template.coreData = .init(entityColumn: 1, entities: [3, 4], versionColumn: 2)
    template.largestKey = 9
    return template
  }

  /// The rows that are found where a cell with these values begins at byte 300 of an empty page.
  private func found(
    key: UInt8 = 5, entity: UInt8 = 3, version: UInt8 = 1, title: String = "abcd"
  ) throws -> [CarvedCell] {
    // Length, row id, header of five bytes: NULL, two numbers of one byte, text.
    let title = Array(title.utf8)
    let record = [5, 0, 1, 1, UInt8(13 + 2 * title.count), entity, version] + title
    var page = [UInt8](repeating: 0, count: 512)
    page.replaceSubrange(300..<302 + record.count, with: [UInt8(record.count), key] + record)
    let carver = Carver(
      templates: [try template()], geometry: try #require(PageGeometry(pageSize: 512)), encoding: .utf8)
    return page.withUnsafeBytes { carver.rows(in: $0, range: 8..<512, owner: 0, freeblocks: []) }
  }

  @Test func aWholeRowIsFoundWithItsKey() throws {
    let rows = try found()
    #expect(rows.map(\.key) == [5] && rows.map { $0.start..<$0.end } == [300..<313])
    #expect(try found(entity: 4, version: 200 >> 1, title: "Zürich").map(\.key) == [5])
  }

  /// The key is believed only where it can have been given; the row stays one without.
  @Test func aKeyThatWasNeverGivenIsNone() throws {
    #expect(try found(key: 9).map(\.key) == [9])
    #expect(try found(key: 10).map(\.key) == [nil])
  }

  @Test func anEntityOfAnotherTableIsNoRow() throws { #expect(try found(entity: 5).isEmpty) }

  /// The first save makes `Z_OPT` 1.
  @Test func aVersionThatIsNeverGivenIsNoRow() throws { #expect(try found(version: 0).isEmpty) }

  @Test func controlCharactersAreNoText() throws {
    #expect(try found(title: "ab\u{1}d").isEmpty)
    #expect(try found(title: "ab\td").count == 1)
  }

  /// Rows that are older than a column have fewer values.
  @Test func rowsTeachHowManyValuesThereAre() throws {
    var template = try template()
    #expect(template.counts == [4])
    for payload: [UInt8] in [[4, 0, 1, 1, 3, 1], [5, 0, 1, 1, 13, 3, 1], [9, 9]] {
      payload.withUnsafeBytes { template.learn($0) }
    }
    #expect(template.counts == [3, 4])
  }
}
