import Foundation
import StoreSQLite
import TestSupport

/// Plants each kind of defect at different rows.
package struct ValuePlanting {
  package let database: Connection
  package private(set) var expected: [String: [Int64]] = [:]
  private let store: ShopStore
  private let files: TemporaryFolder
  private var random: SeededGenerator
  private var books: [Int64], games: [Int64], sales: [Int64]
  /// A table of ten rows has room for at most so many kinds of defects.
  private static let kindsOfATable = 10

  package init(_ store: ShopStore, _ seed: UInt64, files: TemporaryFolder) throws {
    self.store = store
    self.files = files
    random = SeededGenerator(seed: seed)
    database = try Connection(writing: store.path, create: false)
    books = store.books.shuffled(using: &random)
    games = store.games.shuffled(using: &random)
    sales = store.sales.shuffled(using: &random)
  }

  /// Takes up to a tenth of the rows, and at least one, that were not used before.
  private mutating func take(_ rows: WritableKeyPath<Self, [Int64]>) -> [Int64] {
    let count = Int.random(in: 1...max(1, store.size / Self.kindsOfATable), using: &random)
    let taken = self[keyPath: rows].prefix(count)
    self[keyPath: rows].removeFirst(taken.count)
    return Array(taken)
  }

  private mutating func plant(_ place: String, _ rows: [Int64], _ table: String, _ assignment: String) throws {
    for row in rows { try database.execute("UPDATE \(table) SET \(assignment) WHERE Z_PK = \(row)") }
    expected[place, default: []] += rows
  }

  package mutating func plantAll() throws {
    // The index would refuse duplicates.
    try database.execute("DROP INDEX Z_Item_UNIQUE_sku; BEGIN")
    try plantItems()
    try plantSales()
    try database.execute("COMMIT")
  }

  private mutating func plantItems() throws {
    try plant("SD501 Item.name", take(\.books) + take(\.games), "ZITEM", "ZNAME = NULL")
    try plant("SD501 Game.label", take(\.games), "ZITEM", "ZLABEL1 = NULL")
    try plant("SD503 Book.pages", take(\.books), "ZITEM", "ZPAGES = 'many'")
    try plant("SD504 Book.pages", take(\.books), "ZITEM", "ZPAGES = 32768")
    // A number too large for its type violates the validation rule as well.
    expected["SD507 Book.pages"] = expected["SD504 Book.pages"]
    try plant("SD507 Book.pages", take(\.books), "ZITEM", "ZPAGES = -1")
    try plant("SD507 Book.label", take(\.books), "ZITEM", "ZLABEL = 'a label of more than twenty'")
    try plant("SD507 Item.sku", take(\.books) + take(\.games), "ZITEM", "ZSKU = 'X-' || Z_PK")
    try plant("SD508 Item.name", take(\.games), "ZITEM", "ZNAME = CAST(x'4be47365' AS TEXT)")
    try plant("SD504 Game.isNew", take(\.games), "ZITEM", "ZISNEW = -1")
    // Each pair is a book and a game: siblings share the column, and so the constraint.
    let pairs = zip(take(\.books), take(\.games)).map { [$0, $1] }
    for pair in pairs {
      try plant("SD502 Item.sku", pair, "ZITEM", "ZSKU = 'AA-\(pair[0])'")
    }
    // The other skus are unique, and NULLs do not count as equal.
    for row in take(\.games) { try database.execute("UPDATE ZITEM SET ZSKU = NULL WHERE Z_PK = \(row)") }
  }

  private mutating func plantSales() throws {
    try plant("SD501 Sale.size.width", take(\.sales), "ZSALE", "ZWIDTH = NULL")
    try plant("SD503 Sale.soldAt", take(\.sales), "ZSALE", "ZSOLDAT = '2024-05-01'")
    try plant("SD504 Sale.rate", take(\.sales), "ZSALE", "ZRATE = -1e300")
    try plant("SD505 Sale.code", take(\.sales), "ZSALE", "ZCODE = zeroblob(17)")
    try plant("SD506 Sale.options", take(\.sales), "ZSALE", "ZOPTIONS = substr(ZOPTIONS, 1, 40)")
    try plant("SD507 Sale.soldAt", take(\.sales), "ZSALE", "ZSOLDAT = -1")
    try plant("SD508 Sale.page", take(\.sales), "ZSALE", "ZPAGE = 'a' || char(0)")
    try plant("SD601 Sale.receipt", take(\.sales), "ZSALE", reference("printf('%012X', Z_PK)"))
    try plant("SD603 Sale.receipt", take(\.sales), "ZSALE", "ZRECEIPT = x'ffd8ff'")
    // References to files that exist.
    for row in take(\.sales) {
      try database.execute("UPDATE ZSALE SET \(reference("'FFFFFFFFFFFF'")) WHERE Z_PK = \(row)")
    }
    let folder = files(".Shop_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try files.write([1], to: ".Shop_SUPPORT/_EXTERNAL_DATA/00000000-0000-4000-8000-FFFFFFFFFFFF")
  }

  private func reference(_ end: String) -> String {
    "ZRECEIPT = CAST(x'02' || '00000000-0000-4000-8000-' || \(end) || x'00' AS BLOB)"
  }
}
