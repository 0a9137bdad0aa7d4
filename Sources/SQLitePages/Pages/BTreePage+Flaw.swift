import StoreSQLite

/// Why a page does not show all its cells, although each one it shows can be read.
package enum PageFlaw: Equatable, Sendable {
  /// Its cells, its free space and its header do not add up to its size, so that a cell may be hidden, or shown twice.
  case space
  /// A cell cannot be read.
  case cell
  /// Its row ids do not ascend.
  case order
}

extension BTreePage {
  /// What is wrong with a page that says it is of a tree; nil where nothing is, or where it is no page of a tree.
  ///
  /// One pass over the cell pointers, as `quick_check` makes it: "The total amount of freespace on a page consists of the
  /// size of the unallocated region plus the total size of all freeblocks plus the number of fragmented free bytes."
  /// https://www.sqlite.org/fileformat2.html#b_tree_pages
  package static func flaw(
    of page: UnsafeRawBufferPointer, isFirst: Bool, geometry: PageGeometry
  ) -> PageFlaw? {
    guard let header = BTreePage(page, isFirst: isFirst, usableSize: geometry.usableSize) else { return nil }
    return header.flaw(in: page, geometry: geometry)
  }

  /// What is wrong with the page that has this header; nil where nothing is.
  package func flaw(in page: UnsafeRawBufferPointer, geometry: PageGeometry) -> PageFlaw? {
    guard hasRoomForCells else { return .cell }
    var bytes = 0
    var last = Int64.min
    for index in 0..<cellCount {
      guard let offset = cellOffset(index, in: page, usableSize: geometry.usableSize),
        let cell = Cell(page, at: offset, kind: kind, geometry: geometry)
      else { return .cell }
      bytes += max(cell.end - cell.start, PageAnatomy.smallestCell)
      guard let key = cell.rowID else { continue }
      if index > 0, key <= last { return .order }
      last = key
    }
    guard let free = freeBytes(in: page, usableSize: geometry.usableSize) else { return .space }
    return pointersEnd + bytes + free == geometry.usableSize ? nil : .space
  }

  /// The bytes that the page says are free; nil where its chain of freeblocks is broken.
  private func freeBytes(in page: UnsafeRawBufferPointer, usableSize: Int) -> Int? {
    guard contentStart >= pointersEnd, contentStart <= usableSize else { return nil }
    var free = contentStart - pointersEnd + fragmentedBytes
    var (position, last) = (firstFreeblock, contentStart - 1)
    while position != 0 {
      guard position > last, let next = page.half(at: position), let size = page.half(at: position + 2), size >= 4,
        position + size <= usableSize
      else { return nil }
      free += size
      last = position + size - 1
      position = next
    }
    return free
  }
}
