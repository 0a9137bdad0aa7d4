import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Keys of rows that lost theirs, and rows that cannot be deleted objects.
@Suite struct KeyInferenceTests {
  /// Notes 1 to 8 in one page, of which some are deleted; a short row loses its key.
  private func recovered(
    of count: Int = 8, deleting keys: [Int64], _ statements: String = ""
  ) throws -> [RecoveredRow] {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"),
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), usesWAL: false))
    for number in 1...count { try store.insert("Note", ["title": .text("title \(number)")]) }
    let list = keys.map { "\($0)" }.joined(separator: ", ")
    try store.database.execute("PRAGMA secure_delete=0; DELETE FROM ZNOTE WHERE Z_PK IN (\(list)); \(statements)")
    try store.finish()
    return try recover(PosixPath(folder("Notes.sqlite"))).rows.filter { $0.table == "ZNOTE" && $0.grade != .implied }
  }

  private func title(_ row: RecoveredRow) -> String? {
    guard case .text(let bytes)? = row.values.first(where: { $0.column == "ZTITLE" })?.value else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aFreedCellBetweenTwoOthersHasTheKeyBetweenTheirs() throws {
    let rows = try recovered(deleting: [3, 6])
    #expect(rows.map(\.key) == [3, 6] && rows.map(title) == ["title 3", "title 6"])
    #expect(rows.allSatisfy { $0.keySource == .place && $0.kind == .deleted && $0.grade == .shown })
  }

  /// Two neighbours that were freed one by one, each a block of its own or one block of both.
  @Test func severalBetweenTwoOthersAreInTheOrderOfTheirPlaces() throws {
    let rows = try recovered(deleting: [4, 5])
    #expect(rows.filter { $0.key != nil }.allSatisfy { title($0) == "title \($0.key ?? 0)" }, "\(rows)")
  }

  /// Of keys that no store gives, the numbers between them are more than can be counted.
  @Test func betweenTheLeastAndTheGreatestKeyNothingIsDecided() throws {
    let keys = ["-9223372036854775000", "5", "9000000000000000000", "9000000000000000001", "9000000000000000002"]
    let values = keys.map { "(\($0), 1, 1, 'title \($0)')" }.joined(separator: ", ")
    let rows = try recovered(
      of: 1, deleting: [1],
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES \(values); DELETE FROM ZNOTE WHERE Z_PK = 5")
    #expect(rows.allSatisfy { $0.keySource != .place }, "\(rows)")
  }

  /// Of three cells the keys may ascend by chance.
  @Test func fewCellsDecideNothing() throws {
    let rows = try recovered(of: 4, deleting: [2])
    #expect(rows.map(title) == ["title 2"] && rows.map(\.key) == [nil] && rows.map(\.keySource) == [nil])
  }

  /// At the end of the keys there is no cell behind, and the space of one that went is in use again.
  @Test func whatIsNotBetweenTwoOthersStaysUnknown() throws {
    #expect(try recovered(deleting: [8]).allSatisfy { $0.key == nil || $0.keySource == nil })
    let reused = try recovered(
      deleting: [3, 4], "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (9, 1, 1, 'title 9')")
    #expect(reused.filter { $0.keySource == .place }.allSatisfy { title($0) == "title \($0.key ?? 0)" })
  }

  /// An update that needs more room frees the old cell: all keys are in use, so it is of an object that lives.
  @Test func whereAllKeysAreInUseNothingIsDeleted() throws {
    let rows = try recovered(
      deleting: [],
      "UPDATE ZNOTE SET ZTITLE = 'a title that is a good deal longer than before', Z_OPT = 2 WHERE Z_PK = 5;")
    #expect(rows.map(\.kind) == [.earlierVersion] && rows.map(title) == ["title 5"])
  }

  @Test(arguments: [
    ("CREATE INDEX X ON ZNOTE (ZCREATEDAT COLLATE BINARY ASC)", ["ZCREATEDAT"]),
    ("CREATE UNIQUE INDEX \"X\" ON \"ZNOTE\" (\"ZA\", ZB)", ["ZA", "ZB"]),
    ("CREATE INDEX X ON ZNOTE (lower(ZA))", []), ("CREATE INDEX X ON ZNOTE (ZA) WHERE ZB > 1", []),
  ]) func theColumnsOfAnIndex(sql: String, columns: [String]) {
    #expect(PageRecovery.columns(ofIndex: sql) == columns)
  }

  /// Of two rows with the same values an entry that is left decides nothing. Elsewhere the key behind the values counts where
  /// the entry's header is there, or it begins and ends where freed entries do: what stands behind the beginning of a longer
  /// value, or behind a value in a row, is no key.
  @Test func whatStandsBehindTheValuesOfAnEntryIsTheKey() {
    let bytes: [UInt8] = [0x41, 0xc6, 0x4e, 0x6d, 0x80, 0, 0, 0]
    let value = IndexNeedles.Value(types: [7], bytes: bytes)
    func keys(_ page: [UInt8], freeblocks: [Range<Int>] = []) -> Set<Int64>? {
      var needles = IndexNeedles()
      needles.add(value, row: 7)
      page.withUnsafeBytes { needles.search($0, range: 0..<page.count, freeblocks: freeblocks) }
      return needles.seen.first?.keys
    }
    let rest = [UInt8](repeating: 0xff, count: 8)
    #expect(keys([0, 13, 3, 7, 2] + bytes + [0x01, 0x2c] + rest) == [300])
    // Freed: the next block and its size are written over the header.
    let freed = [9, 9] + [0, 0, 0, 14] + bytes + [0x01, 0x2c] + rest
    #expect(keys(freed, freeblocks: [2..<16]) == [300])
    #expect(keys(freed) == nil && keys([0, 0, 9, 9, 9] + bytes + [0x20, 0x6a] + rest) == nil)
    var needles = IndexNeedles()
    needles.add(value, row: 7)
    needles.add(value, row: 8)
    ([0, 13, 3, 7, 2] + bytes + [0x01, 0x2c] + rest).withUnsafeBytes {
      needles.search($0, range: 0..<$0.count, freeblocks: [])
    }
    #expect(needles.seen.isEmpty)
  }
}
