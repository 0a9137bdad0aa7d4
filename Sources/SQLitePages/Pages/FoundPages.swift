import StoreSQLite
import StoreText

/// Pages of trees in a file whose header does not say that it is a database, or does not say how its pages are divided.
///
/// A page of a tree is told from other bytes by its sum: cells, free space and header fill it exactly, which the bytes of
/// another kind, or of another page size, do by less than chance.
package struct FoundPages: Equatable, Sendable {
  /// Bytes of a page.
  package let pageSize: Int
  /// How many pages of trees with cells there are in what was looked at.
  package let count: Int
  /// Whether Core Data's metadata are in them.
  package let holdMetadata: Bool

  /// The most bytes of the file that are looked at.
  private static let most: Int64 = 16 << 20
  /// Fewer pages may be chance.
  private static let fewest = 2

  /// Looks for pages in the first 16 MiB of a file; nil where there are none.
  package init?(in source: some ByteSource) throws(FileError) {
    let bytes = try source.read(at: 0, count: Int(clamping: min(source.size, Self.most)))
    var best: (pageSize: Int, count: Int)?
    var pageSize = 512
    while pageSize <= 65536 {
      let count = bytes.withUnsafeBytes { Self.pages(in: $0, pageSize: pageSize) }
      if count >= Self.fewest, count > best?.count ?? 0 { best = (pageSize, count) }
      pageSize *= 2
    }
    guard let best else { return nil }
    (self.pageSize, count) = best
    holdMetadata = bytes.firstRange(ofBytes: Array("NSStoreModelVersionHashes".utf8)) != nil
  }

  /// How many pages of trees with cells the first 16 MiB have where pages have `pageSize` bytes.
  package static func count(in source: some ByteSource, pageSize: Int) throws(FileError) -> Int {
    let bytes = try source.read(at: 0, count: Int(clamping: min(source.size, most)))
    return bytes.withUnsafeBytes { pages(in: $0, pageSize: pageSize) }
  }

  private static func pages(in bytes: UnsafeRawBufferPointer, pageSize: Int) -> Int {
    guard let geometry = PageGeometry(pageSize: pageSize) else { return 0 }
    var (count, start) = (0, 0)
    while start + pageSize <= bytes.count {
      let page = UnsafeRawBufferPointer(rebasing: bytes[start..<start + pageSize])
      if let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize), header.cellCount > 0,
        header.flaw(in: page, geometry: geometry) == nil
      {
        count += 1
      }
      start += pageSize
    }
    return count
  }
}
