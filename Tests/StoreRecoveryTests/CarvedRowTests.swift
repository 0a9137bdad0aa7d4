import SQLitePages
import StoreSQLite
import Testing

@testable import StoreRecovery

/// One row in the free space of a page, made by hand: what is taken for a row of the table, and what is not.
@Suite struct CarvedRowTests {
  private func template(_ last: String = "ZTITLE VARCHAR") throws -> RowTemplate {
    let definition = try #require(
      TableDefinition(
        sql: "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(last))"))
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
    return try found([UInt8(record.count), key] + record, range: 8..<512, template())
  }

  /// The rows that are found in a range of a page which is empty but for some bytes from 300 on.
  private func found(_ bytes: [UInt8], range: Range<Int>, _ template: RowTemplate) throws -> [CarvedCell] {
    var page = [UInt8](repeating: 0, count: 512)
    page.replaceSubrange(300..<300 + bytes.count, with: bytes)
    let carver = Carver(templates: [template], geometry: try #require(PageGeometry(pageSize: 512)), encoding: .utf8)
    return page.withUnsafeBytes { carver.rows(in: $0, range: range, owner: 0, freeblocks: []) }
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

  /// A row of 60 bytes begins in the UUID of one before it, and its own end was written over: what it covers is lost. A key
  /// that was never given is no row's.
  @Test func theEndInWhichAnotherRowBeginsIsLost() throws {
    func lost(key: UInt8) throws -> [Range<Int>] {
      let uuid: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 60, key, 5, 0, 1, 1, 118, 3, 1]
      return try found([23, 5, 5, 0, 1, 1, 44, 3, 1] + uuid, range: 8..<340, template("ZUUID BLOB")).map(\.lost)
    }
    #expect(try lost(key: 6) == [14..<23])
    #expect(try lost(key: 10) == [0..<0])
  }

  /// A row that begins in one value and ends in another was written over both; one that a value holds is that value.
  @Test func aRowOverTwoValuesIsOneAndARowInAValueIsNone() throws {
    let inner: [UInt8] = [10, 6, 6, 0, 1, 1, 16, 0, 3, 1, 7, 8]
    let template = try template("ZUUID BLOB, ZDATA BLOB")
    // Values of 8 bytes and of 16, of which the inner row has the last 4 and the first 8, or none of the former.
    let outer: [UInt8] = [32, 5, 6, 0, 1, 1, 28, 44, 4, 1]
    let over = try found(outer + [1, 2, 3, 4] + inner + [9, 9, 9, 9, 9, 9, 9, 9], range: 8..<340, template)
    #expect(over.map(\.key) == [5, 6] && over.map(\.lost) == [12..<32, 0..<0])
    let within = try found(outer + [1, 2, 3, 4, 5, 6, 7, 8] + inner + [9, 9, 9, 9], range: 8..<340, template)
    #expect(within.map(\.key) == [5] && within.map(\.lost) == [0..<0])
  }

  /// A freed row whose length and key are gone is not read from a wrong byte on, where it has dates like none; where its
  /// freed block is just as long, it is one.
  @Test(arguments: [(700_000_000.5, UInt8(0), 1), (-5.4e23, 0, 0), (1e-280, 0, 0), (0, 0, 1), (-5.4e23, 17, 1)])
  func anImpossibleDateIsNoRow(_ date: Double, _ size: UInt8, _ rows: Int) throws {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: date.bitPattern >> (56 - 8 * $0)) }
    let template = try template("ZDATE TIMESTAMP")
    #expect(try found([0, 0, 0, size, 1, 1, 7, 3, 1] + bytes, range: 300..<340, template).count == rows)
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

  /// The last bytes of a UUID look like the head of a freed block, and the row behind it could begin there as well, where keys
  /// may take three bytes.
  @Test func aValueBeforeAnotherRowIsNotLost() throws {
    var template = try template("ZUUID BLOB")
    template.largestKey = 20_000
    let uuid: [UInt8] = [1, 2, 3, 4, 5, 6, 0, 0]
    func row(_ key: UInt8) -> [UInt8] { [15, key, 5, 0, 1, 1, 28, 3, 1] + uuid }
    let rows = try found(row(5) + row(6), range: 8..<340, template)
    #expect(rows.map(\.key) == [5, 6] && rows.map(\.lost) == [0..<0, 0..<0])
  }

  /// A row was freed in the data of one before it, and its own end was written over by a row that is there: the head of its
  /// freed block is as long as it was. Data in which no such row begins are whole.
  @Test(arguments: [(UInt8(68), UInt8(3), 14), (69, 3, 0), (68, 5, 0)])
  func theEndOfARowInWhichAnotherWasFreedIsLost(_ size: UInt8, _ entity: UInt8, _ lost: Int) throws {
    var template = try template("ZDATA BLOB")
    template.largestKey = 20_000
    // Data of 24 bytes, of which the last 14 are the beginning of a row with data of 57.
    let outer: [UInt8] = [31, 5, 5, 0, 1, 1, 60, 3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    let inner: [UInt8] = [0, 0, 0, size, 5, 0, 1, 1, 126, entity, 1, 9, 9, 9]
    let rows = try found(outer + inner, range: 8..<333, template)
    #expect(rows.map(\.key) == [5] && rows.map(\.lost.count) == [lost])
  }
}
