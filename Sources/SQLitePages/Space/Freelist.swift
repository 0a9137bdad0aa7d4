import StoreSQLite

/// The list of free pages.
///
///     trunk page:  next trunk (4) | leaves on this page (4) | page of each leaf (4 each)
///
/// https://www.sqlite.org/fileformat2.html#the_freelist
package struct Freelist: Sendable {
  /// The trunk pages, in order.
  package private(set) var trunks: [(page: UInt32, leaves: Int)] = []
  /// All pages of the list, trunks included.
  package private(set) var pages: PageSet
  /// What was not as it should be.
  package private(set) var faults = PageFaults()

  /// Reads the list of a view.
  package init(_ view: PageView) throws(FileError) {
    pages = PageSet(upTo: view.pageCount)
    let first = try view.page(1)?.withUnsafeBytes { $0.number(32) } ?? 0
    var next = first
    while next != 0 {
      guard let bytes = try view.page(next), pages.insert(next) else {
        faults.add(next, .freelist)
        return
      }
      next = bytes.withUnsafeBytes { read($0, page: next, usableSize: view.files.geometry.usableSize) }
    }
  }

  /// Reads one trunk; the number of the next.
  private mutating func read(_ trunk: UnsafeRawBufferPointer, page: UInt32, usableSize: Int) -> UInt32 {
    let stated = Int(trunk.number(4) ?? 0)
    let count = min(stated, usableSize / 4 - 2)
    if count < stated { faults.add(page, .freelist) }
    trunks.append((page, count))
    for index in 0..<max(0, count) {
      guard let leaf = trunk.number(8 + 4 * index) else { break }
      if !pages.insert(leaf) { faults.add(leaf, .freelist) }
    }
    return trunk.number(0) ?? 0
  }
}

/// What the pointer map says of a page, in a database with auto-vacuum.
package struct PointerMapEntry: Equatable, Sendable {
  /// "1 rootpage, 2 freepage, 3 overflow1 (first page of a chain), 4 overflow2 (the following), 5 btree"
  package enum Kind: UInt8, Sendable {
    /// The root of a tree.
    case root = 1
    /// A free page.
    case free = 2
    /// The first page of an overflow chain; its parent is the page with the cell.
    case overflowFirst = 3
    /// A later page of a chain; its parent is the page before.
    case overflowNext = 4
    /// A page of a tree below its root.
    case tree = 5
  }

  /// What the page is.
  package var kind: Kind
  /// The page that leads to it; 0 for none.
  package var parent: UInt32
}

extension PageView {
  /// The entry of page `number` in the pointer map; nil without a map, or where its type is unknown.
  package func pointerMapEntry(_ number: UInt32) throws(FileError) -> PointerMapEntry? {
    let geometry = files.geometry
    guard files.header.largestRootPage != 0, number >= 3, !geometry.isPointerMap(number) else { return nil }
    let map = geometry.pointerMapPage(for: number)
    guard let bytes = try page(map), number > map else { return nil }
    let offset = 5 * Int(number - map - 1)
    return bytes.withUnsafeBytes { page in
      guard offset + 5 <= geometry.usableSize, let kind = PointerMapEntry.Kind(rawValue: page[offset]) else {
        return nil
      }
      return PointerMapEntry(kind: kind, parent: page.number(offset + 1) ?? 0)
    }
  }
}
