/// What of a b-tree page is in use, and what is left over between.
///
///     header | cell pointers | gap | cell | freeblock | cell | fragment | cell | reserved
///
/// Freeblocks and fragments are not believed: `unclaimed` is what no cell covers, whatever the chain of freeblocks says.
package struct PageAnatomy: Sendable {
  /// The cells that could be read, in the order of their pointers.
  package private(set) var cells: [Cell] = []
  /// The number of pointers that lead to no cell.
  package private(set) var unreadableCells = 0
  /// Byte ranges that belong to no cell, ascending; the gap behind the pointers is among them.
  package private(set) var unclaimed: [Range<Int>] = []
  /// The freeblocks of the chain, in its order.
  package private(set) var freeblocks: [Range<Int>] = []

  /// Takes `page` apart.
  package init(_ page: UnsafeRawBufferPointer, header: BTreePage, geometry: PageGeometry) {
    cells.reserveCapacity(header.cellCount)
    for index in 0..<header.cellCount {
      guard let offset = header.cellOffset(index, in: page, usableSize: geometry.usableSize),
        let cell = Cell(page, at: offset, kind: header.kind, geometry: geometry)
      else {
        unreadableCells += 1
        continue
      }
      cells.append(cell)
    }
    findUnclaimed(from: header.pointersEnd, to: geometry.usableSize)
    followFreeblocks(page, header: header, usableSize: geometry.usableSize)
  }

  /// "A freeblock requires at least 4 bytes of space": a cell that is smaller takes 4 bytes all the same.
  static let smallestCell = 4

  private mutating func findUnclaimed(from first: Int, to end: Int) {
    var position = first
    // Start and end in one number: cells are large, and often in order already.
    for span in cells.map({ $0.start << 32 | $0.end }).sorted() {
      let (start, cellEnd) = (span >> 32, span & 0xffff_ffff)
      if start > position { unclaimed.append(position..<start) }
      position = max(position, max(cellEnd, start + Self.smallestCell))
    }
    if position < end { unclaimed.append(position..<end) }
  }

  /// "The first 2 bytes of a freeblock are a big-endian integer which is the offset in the b-tree page of the next
  /// freeblock in the chain, or zero if the freeblock is the last on the chain. The third and fourth bytes of each
  /// freeblock form a big-endian integer which is the size of the freeblock in bytes, including the 4-byte header.
  /// Freeblocks are always connected in order of increasing offset."
  private mutating func followFreeblocks(_ page: UnsafeRawBufferPointer, header: BTreePage, usableSize: Int) {
    var (position, last) = (header.firstFreeblock, header.pointersEnd - 1)
    while position > last, let next = page.half(at: position), let size = page.half(at: position + 2), size >= 4,
      position + size <= usableSize
    {
      freeblocks.append(position..<position + size)
      last = position + size - 1
      position = next
    }
  }
}
