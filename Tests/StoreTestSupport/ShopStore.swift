import StoreGenerator

/// A shop store of any size in which every value is valid: two shops, and `size` books, games and sales.
package struct ShopStore {
  package let path: String
  package let size: Int

  /// Keys in `ZITEM`.
  package var books: [Int64] { Array(1...Int64(size)) }
  /// Keys in `ZITEM`, after the books.
  package var games: [Int64] { Array(Int64(size) + 1...Int64(size) * 2) }
  /// Keys in `ZSALE`.
  package var sales: [Int64] { books }

  package init(at path: String, size: Int) throws {
    self.path = path
    self.size = size
    let store = try StoreWriter(
      creating: path, StoreDescription(model: try SampleModels.shop(), framework: 1526, usesWAL: false))
    try SampleStores.fillShop(store, books: size, games: size, sales: size)
    try store.finish()
  }
}
