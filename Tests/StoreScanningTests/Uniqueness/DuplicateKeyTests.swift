@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreScanning
import StoreCoreData
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Duplicates are told from values that only look alike, with `--unique`, and when the hashes do not fit in memory.
@Suite struct DuplicateKeyTests {
  @Test func countsVariantsApart() throws {
    let finding = try #require(
      try found(
        names: ["Work", "Work", " Work", "work ", "WORK", "Café", "CAFE\u{301}", nil, nil, "alone"], unique: "Shop.name"
      ))
    #expect(finding.line == "SD502 warning Shop.name 2 [1, 2]")
    #expect(
      finding.message == "2 rows of ZSHOP have 1 value of 'Shop.name' in common; 1 more would be equal without white "
        + "space at the ends; 2 more would be equal without case; 2 more would be equal in one Unicode form; 2 rows with "
        + "NULL equal no other")
    #expect(finding.remedies.map(\.recipe) == ["dedupe: [{entity: Shop, by: [name]}]"])
  }

  @Test func whatOnlyLooksAlikeIsANote() throws {
    let finding = try #require(try found(names: ["Work", "work", "other"], unique: "Shop.name"))
    #expect(finding.line == "SD502 note Shop.name 2 []")
    #expect(finding.remedies.map(\.recipe) == ["dedupe: [{entity: Shop, by: [name], compare: normalized}]"])
  }

  @Test(arguments: [["a", "b"], [nil, nil], []] as [[String?]])
  func differentValuesAreNone(_ names: [String?]) throws {
    #expect(try found(names: names, unique: "Shop.name") == nil)
  }

  @Test func severalPropertiesAreUniqueTogether() throws {
    let folder = try TemporaryFolder()
    let store = try ShopStore(at: folder("Shop.sqlite"), size: 6)
    try run("UPDATE ZSALE SET ZRATE = Z_PK % 2, ZAMOUNT = Z_PK % 3", store.path)
    func line(_ key: String) throws -> String? { try finding(store.path, key)?.line }
    #expect(try line("Sale.rate,amount") == nil)
    #expect(try line("Sale.rate") == "SD502 warning Sale.rate 6 [1, 3, 5, 2, 4]")
    #expect(try line("Sale.shop,rate") == "SD502 warning Sale.shop,rate 6 [1, 3, 5, 2, 4]")
    #expect(try line("Sale.size.width") == "SD502 warning Sale.size.width 6 [1, 2, 3, 4, 5]")
  }

  @Test(arguments: [
    ("Trip.name", "no entity 'Trip' in this store; it has 'Book', 'Game', 'Item', 'Sale', 'Shop'"),
    ("Shop.nme", "no attribute or to-one relationship 'nme' in 'Shop'; it has 'name'"),
    ("Shop.sales", "no attribute or to-one relationship 'sales' in 'Shop'; it has 'name'"),
  ])
  func aNameThatIsNotThereIsRefused(_ key: String, _ message: String) throws {
    let key = try #require(UniqueKey(key))
    #expect(
      performing: { try diagnose(path: Project.path("corpus/Shop.sqlite"), options: DiagnosisOptions(unique: [key])) },
      throws: { "\($0)" == message })
  }

  @Test(arguments: ["Shop", "Shop.", ".name", "Shop.a,", ""])
  func whatIsNoKeyIsNil(_ text: String) { #expect(UniqueKey(text) == nil) }

  /// Comparing the hashes in several parts finds the same.
  @Test(arguments: [2, 7, 64, 100_000])
  func findsTheSameInParts(_ mostRows: Int) throws {
    let folder = try TemporaryFolder()
    let store = try ShopStore(at: folder("Shop.sqlite"), size: 500)
    try run("UPDATE ZSALE SET ZAMOUNT = Z_PK % 499, ZPAGE = 'Page ' || (Z_PK % 100 / 99)", store.path)
    let opened = try Store(path: store.path)
    let scan = Scan(opened, ScanOptions())
    let table = try #require(scan.table("ZSALE"))
    let amounts = scan.visit(table, entities: nil, columns: ["ZAMOUNT"]) {
      DuplicateKeys(table: table, columns: ["ZAMOUNT"], indexes: $0, mostRows: mostRows)
    }
    let pages = scan.visit(table, entities: nil, columns: ["ZPAGE", "ZRATE"]) {
      DuplicateKeys(table: table, columns: ["ZPAGE", "ZRATE"], indexes: $0, mostRows: mostRows)
    }
    try scan.read()
    let some = try amounts.duplicates(opened.connection, exampleLimit: 5)
    #expect(some[.exact] == 2 && some.groups == 1 && some.examples.map(\.row) == [1, 500])
    let all = try pages.duplicates(opened.connection, exampleLimit: 3)
    #expect(all[.exact] == 500 && all.groups == 2 && all.examples.map(\.row) == [1, 2, 3])
  }

  /// Texts that any comparison takes for equal must have equal hashes, also with these lookalikes of ASCII.
  @Test func onlyThreeCharactersAreCanonicallyASCII() {
    let ascii = Set((0..<128).compactMap(Unicode.Scalar.init).map { String($0) })
    let lookalikes = (128...0x10ffff).compactMap { Unicode.Scalar($0 as UInt32) }.filter { ascii.contains(String($0)) }
    #expect(lookalikes.map(\.value) == [0x37e, 0x1fef, 0x212a])
  }

  private func found(names: [String?], unique: String) throws -> Finding? {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Shop.sqlite"))
    let database = try Connection(writing: path, create: false)
    try database.execute("DELETE FROM ZSHOP; UPDATE ZSALE SET ZSHOP = NULL")
    let insert = try database.prepare("INSERT INTO ZSHOP (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 5, 1, ?)")
    for (number, name) in names.enumerated() {
      insert.reset()
      try insert.bind(Int64(number + 1), at: 1)
      try insert.bind(name, at: 2)
      _ = try insert.step()
    }
    database.close()
    return try finding(path, unique)
  }

  private func finding(_ path: String, _ unique: String) throws -> Finding? {
    let options = DiagnosisOptions(unique: [try #require(UniqueKey(unique))])
    return try diagnose(path: path, options: options, with: [.duplicateKey]).findings.first
  }

  private func run(_ sql: String, _ path: String) throws {
    let database = try Connection(writing: path, create: false)
    try database.execute(sql)
    database.close()
  }
}
