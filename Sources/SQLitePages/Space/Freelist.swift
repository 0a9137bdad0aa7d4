import StoreSQLite

/// A page of the freelist that names others.
///
///     trunk page:  next trunk (4) | leaves on this page (4) | page of each leaf (4 each)
///
/// https://www.sqlite.org/fileformat2.html#the_freelist
struct FreelistTrunk {
  /// The next trunk; 0 at the end.
  let next: UInt32
  /// The number of leaves that the page states.
  let statedLeaves: Int
  /// The number of leaves that there is room for.
  let leafCount: Int
  private let bytes: UnsafeRawBufferPointer

  /// Reads a trunk from the bytes of its page.
  init(_ bytes: UnsafeRawBufferPointer, in geometry: PageGeometry) {
    self.bytes = bytes
    next = bytes.word(at: 0) ?? 0
    statedLeaves = Int(bytes.word(at: 4) ?? 0)
    let room = (min(bytes.count, geometry.usableSize) - Self.leavesStart) / 4
    leafCount = max(0, min(statedLeaves, room))
  }

  private static let leavesStart = 8

  /// The pages of the leaves.
  var leaves: some Sequence<UInt32> {
    (0..<leafCount).lazy.map { bytes.word(at: Self.leavesStart + 4 * $0) ?? 0 }
  }
}

/// The list of free pages.
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
    let first = try view.page(1)?.withUnsafeBytes { $0.word(at: DatabaseHeader.Offset.freelistFirst) } ?? 0
    var next = first
    while next != 0 {
      guard let bytes = try view.page(next), pages.insert(next) else {
        faults.add(next, .freelist)
        return
      }
      next = bytes.withUnsafeBytes { add(FreelistTrunk($0, in: view.files.geometry), page: next) }
    }
  }

  /// Adds a trunk and its leaves; the number of the next.
  private mutating func add(_ trunk: FreelistTrunk, page: UInt32) -> UInt32 {
    if trunk.leafCount < trunk.statedLeaves { faults.add(page, .freelist) }
    trunks.append((page, trunk.leafCount))
    for leaf in trunk.leaves where !pages.insert(leaf) { faults.add(leaf, .freelist) }
    return trunk.next
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

  /// The page of the map that has the entry of page `number`; nil for pages that have none.
  static func mapPage(of number: UInt32, _ geometry: PageGeometry) -> UInt32? {
    let map = geometry.pointerMapPage(for: number)
    return number > map && map > 0 ? map : nil
  }

  /// Reads the entry of page `number` from the bytes of its map page; nil where its type is unknown.
  ///
  /// "Each 5-byte ptrmap entry consists of one byte of "page type" information followed by a 4-byte big-endian page
  /// number." https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages
  package init?(of number: UInt32, in bytes: UnsafeRawBufferPointer, _ geometry: PageGeometry) {
    guard let map = Self.mapPage(of: number, geometry) else { return nil }
    let offset = 5 * Int(number - map - 1)
    guard offset + 5 <= min(geometry.usableSize, bytes.count), let kind = Kind(rawValue: bytes[offset]),
      let parent = bytes.word(at: offset + 1)
    else { return nil }
    self.kind = kind
    self.parent = parent
  }
}

extension PageView {
  /// The entry of page `number` in the pointer map; nil without a map, or where its type is unknown.
  package func pointerMapEntry(_ number: UInt32) throws(FileError) -> PointerMapEntry? {
    let geometry = files.geometry
    guard files.header.hasPointerMap, let map = PointerMapEntry.mapPage(of: number, geometry),
      let bytes = try page(map)
    else { return nil }
    return bytes.withUnsafeBytes { PointerMapEntry(of: number, in: $0, geometry) }
  }
}
