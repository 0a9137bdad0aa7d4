import StoreGenerator

/// A shop store of any size in which every value is valid: two shops, and `size` books, games and sales.
struct ShopStore {
  let path: String
  let size: Int

  /// Keys in `ZITEM`.
  var books: [Int64] { Array(1...Int64(size)) }
  /// Keys in `ZITEM`, after the books.
  var games: [Int64] { Array(Int64(size) + 1...Int64(size) * 2) }
  /// Keys in `ZSALE`.
  var sales: [Int64] { books }

  init(at path: String, size: Int) throws {
    self.path = path
    self.size = size
    let store = try StoreWriter(
      creating: path, StoreDescription(model: try SampleModels.shop(), framework: 1526, usesWAL: false))
    try SampleStores.fillShop(store, books: size, games: size, sales: size)
    try store.finish()
  }
}
