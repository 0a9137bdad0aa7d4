/// The overflow pages of one cell, followed page by page by whoever reads them.
///
///     while let number = chain.next, let page = try view.page(number) {
///       page.withUnsafeBytes { payload.append(contentsOf: chain.take($0)) }
///     }
///     // Whole if `chain.next` is nil.
///
/// A chain that returns to itself ends with the payload: each page takes some of what is left.
package struct OverflowChain {
  /// The page that comes next, 0 where the chain ends too early; nil where nothing is left of the payload.
  package var next: UInt32? { left > 0 ? page : nil }
  /// Whether the last page that was taken names none behind it, as the final page of a chain does.
  package var isEnded: Bool { page == 0 }
  /// Bytes of the payload on the pages to come.
  package private(set) var left: Int
  private var page: UInt32
  private let capacity: Int

  /// The chain of `count` bytes that begins with `page`.
  package init(first page: UInt32, count: Int, in geometry: PageGeometry) {
    self.page = page
    left = count
    capacity = geometry.usableSize - Self.contentStart
  }

  /// The chain of a cell; it is at its end where all is on the cell's page.
  package init(_ cell: Cell, in geometry: PageGeometry) {
    self.init(
      first: cell.overflow ?? 0, count: cell.overflow == nil ? 0 : cell.payloadSize - cell.localSize, in: geometry)
  }

  /// Takes the payload on `bytes`, which have to be those of page `next`, and goes on to the page after it.
  ///
  /// "The first four bytes of each overflow page are a big-endian integer which is the page number of the next page in the
  /// chain, or zero for the final page in the chain. The fifth byte through the last usable byte are used to hold overflow
  /// content." https://www.sqlite.org/fileformat2.html#ovflpgs
  package mutating func take(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let content = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(Self.contentStart).prefix(min(left, capacity)))
    left -= content.count
    // Too short for any content: nothing would ever come.
    page = content.isEmpty ? 0 : bytes.word(at: 0) ?? 0
    return content
  }

  /// Where the payload begins on an overflow page.
  package static let contentStart = 4
}
