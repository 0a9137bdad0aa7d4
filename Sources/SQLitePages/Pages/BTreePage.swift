import StoreSQLite

/// The header of a b-tree page.
///
///     offset  size  meaning
///      0       1    2 interior index, 5 interior table, 10 leaf index, 13 leaf table
///      1       2    first freeblock, 0 for none
///      3       2    cells
///      5       2    start of the cell content area, 0 for 65536
///      7       1    fragmented free bytes
///      8       4    right-most child, interior pages only
///
/// It begins at offset 100 on page 1. https://www.sqlite.org/fileformat2.html#b_tree_pages
package struct BTreePage: Equatable, Sendable {
  /// What a b-tree page holds.
  package enum Kind: UInt8, Sendable {
    /// Keys and children of an index.
    case interiorIndex = 2
    /// Row ids and children of a table.
    case interiorTable = 5
    /// Keys of an index.
    case leafIndex = 10
    /// Rows of a table.
    case leafTable = 13

    /// Whether there are no children.
    @inline(__always)
    package var isLeaf: Bool { self == .leafIndex || self == .leafTable }
    /// Bytes of the page's header.
    @inline(__always)
    var headerSize: Int { isLeaf ? smallestHeader : smallestHeader + 4 }
    /// Whether keys are row ids.
    package var isTable: Bool { self == .interiorTable || self == .leafTable }
  }

  /// What the page holds.
  package let kind: Kind
  /// Where the header begins: 100 on page 1, else 0.
  package let start: Int
  /// Offset of the first freeblock; 0 for none.
  package let firstFreeblock: Int
  /// The number of cells that the header states, at most as many as there is room for.
  package let cellCount: Int
  /// Where the cell content area begins.
  package let contentStart: Int
  /// Bytes in fragments of 1 to 3 bytes.
  package let fragmentedBytes: Int
  /// The right-most child of an interior page; 0 for a leaf.
  package let rightChild: UInt32

  /// Where the header of a page begins: behind that of the database on page 1.
  static func start(isFirst: Bool) -> Int { isFirst ? DatabaseHeader.size : 0 }

  /// Bytes of a header that has no right-most child.
  static let smallestHeader = 8

  /// What the first bytes of a page say that it holds; nil for no page of a tree.
  static func kind(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Kind? {
    let start = start(isFirst: isFirst)
    return page.count >= start + smallestHeader ? Kind(rawValue: page[start]) : nil
  }

  /// Reads the header of `page`; nil where the bytes are none.
  package init?(_ page: UnsafeRawBufferPointer, isFirst: Bool, usableSize: Int) {
    let start = Self.start(isFirst: isFirst)
    guard page.count >= start + 12, usableSize <= page.count, let kind = Self.kind(of: page, isFirst: isFirst),
      let firstFreeblock = page.half(at: start + 1), let cells = page.half(at: start + 3),
      let content = page.half(at: start + 5)
    else { return nil }
    self.kind = kind
    self.start = start
    self.firstFreeblock = firstFreeblock
    contentStart = content == 0 ? 65536 : content
    fragmentedBytes = Int(page[start + 7])
    rightChild = kind.isLeaf ? 0 : page.word(at: start + 8) ?? 0
    cellCount = min(cells, max(0, usableSize - start - kind.headerSize) / 2)
    hasRoomForCells = cells == cellCount
  }

  /// Whether the page has room for as many cell pointers as its header states.
  package let hasRoomForCells: Bool

  /// Where the cell pointers begin.
  @inline(__always)
  package var pointers: Int { start + kind.headerSize }

  /// Where the cell pointers end.
  @inline(__always)
  package var pointersEnd: Int { pointers + 2 * cellCount }

  /// The offset of cell `index` within the page; nil outside the page.
  @inline(__always)
  package func cellOffset(_ index: Int, in page: UnsafeRawBufferPointer, usableSize: Int) -> Int? {
    guard index >= 0, index < cellCount, let offset = page.half(at: pointers + 2 * index), offset >= pointersEnd,
      offset <= usableSize - 4
    else { return nil }
    return offset
  }
}

/// One cell of a b-tree page.
package struct Cell: Equatable, Sendable {
  /// Where the cell begins in its page.
  package var start: Int
  /// Where it ends.
  package var end: Int
  /// The child to the left; nil in a leaf.
  package var child: UInt32?
  /// The row id; nil in an index.
  package var rowID: Int64?
  /// Bytes of the payload; 0 in the interior of a table.
  package var payloadSize: Int
  /// Where the payload begins in the page.
  package var payloadStart: Int
  /// Bytes of the payload on the page.
  package var localSize: Int
  /// The first overflow page; nil where all is on the page.
  package var overflow: UInt32?

  /// Reads the cell at `offset`; nil where it is impossible or does not fit on the page.
  package init?(
    _ page: UnsafeRawBufferPointer, at offset: Int, kind: BTreePage.Kind, geometry: PageGeometry
  ) {
    let page = page.first(geometry.usableSize)
    var position = offset
    if !kind.isLeaf {
      guard let child = page.word(at: position) else { return nil }
      self.child = child
      position += 4
    }
    if kind == .interiorTable {
      guard let key = Varint(page, at: position) else { return nil }
      rowID = key.value
      (payloadSize, localSize, payloadStart) = (0, 0, position + key.length)
    } else {
      guard let size = Varint(page, at: position), size.value >= 0, let payload = Int(exactly: size.value),
        payload <= Int(Int32.max)
      else { return nil }
      position += size.length
      if kind == .leafTable {
        guard let key = Varint(page, at: position) else { return nil }
        rowID = key.value
        position += key.length
      }
      payloadSize = payload
      localSize = geometry.localSize(of: payload, isTableLeaf: kind == .leafTable)
      payloadStart = position
      if localSize < payload {
        guard let next = page.word(at: position + localSize) else { return nil }
        overflow = next
      }
    }
    start = offset
    end = payloadStart + localSize + (overflow == nil ? 0 : 4)
    guard end <= page.count else { return nil }
  }
}

extension BTreePage {
  /// Where the payload of the page's first cell begins; nil for a page without one.
  package func firstPayload(in page: UnsafeRawBufferPointer, geometry: PageGeometry) -> Int? {
    cellOffset(0, in: page, usableSize: geometry.usableSize)
      .flatMap { Cell(page, at: $0, kind: kind, geometry: geometry)?.payloadStart }
  }
}
