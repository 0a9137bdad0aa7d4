import SQLitePages

/// The cells of a leaf page of a table, also where its pointers are lost.
///
/// A page whose cells, free space and header fill it exactly is believed. In any other the cells are those that its pointers
/// lead to and those that follow each other in its content: of these one is sure where it ends at another cell, at a free block
/// or with the page, since bytes that were overwritten would end it elsewhere.
struct LeafCells {
  /// The cells by their key.
  private(set) var cells: [Found] = []
  /// Whether the page adds up.
  let isSound: Bool
  /// Whether the cells are all that the page has: it adds up, or they and the free space fill its content.
  private(set) var isComplete: Bool

  /// A cell.
  struct Found {
    var cell: Cell
    /// Whether all of it on this page is as it was written.
    var isSure: Bool
  }

  init(_ page: UnsafeRawBufferPointer, _ header: BTreePage, _ geometry: PageGeometry) {
    isSound = header.flaw(in: page, geometry: geometry) == nil
    isComplete = isSound
    let anatomy = PageAnatomy(page, header: header, geometry: geometry)
    if isSound {
      cells = anatomy.cells.map { Found(cell: $0, isSure: true) }
      return
    }
    var search = Search(page: page, header: header, geometry: geometry, freeblocks: anatomy.freeblocks)
    if let all = search.contentInOrder() {
      cells = all.map { Found(cell: $0, isSure: true) }
      isComplete = true
    } else {
      cells = search.cells(and: anatomy.cells)
    }
    cells.sort { ($0.cell.rowID ?? 0) < ($1.cell.rowID ?? 0) }
    removeDoubleKeys()
  }

  /// Leaves out what chance made a cell of: on a page that does not add up, those with keys out of the page's range.
  mutating func restrict(to keys: ClosedRange<Int64>) {
    guard !isSound else { return }
    let count = cells.count
    cells.removeAll { !keys.contains($0.cell.rowID ?? 0) }
    isComplete = isComplete && cells.count == count
  }

  /// From the first key to the last, of those cells that are sure where there are any; nil without a cell.
  var keys: ClosedRange<Int64>? {
    let (sureFirst, sureLast) = (cells.first(where: \.isSure), cells.last(where: \.isSure))
    guard let first = (sureFirst ?? cells.first)?.cell.rowID, let last = (sureLast ?? cells.last)?.cell.rowID,
      first <= last
    else { return nil }
    return first...last
  }

  /// The key in the middle; nil without a cell.
  var median: Int64? { cells.isEmpty ? nil : cells[cells.count / 2].cell.rowID }

  /// Up to eight cells from all over the page.
  var sample: [Cell] {
    let step = max(1, cells.count / 8)
    return stride(from: 0, to: cells.count, by: step).prefix(8).map { cells[$0].cell }
  }

  /// Of two cells with one key neither is sure.
  private mutating func removeDoubleKeys() {
    for index in cells.indices.dropFirst() where cells[index].cell.rowID == cells[index - 1].cell.rowID {
      cells[index].isSure = false
      cells[index - 1].isSure = false
    }
  }

  /// Looks for cells in the content of a page.
  private struct Search {
    let page: UnsafeRawBufferPointer
    let header: BTreePage
    let geometry: PageGeometry
    let freeblocks: [Range<Int>]
    private var record = Record()

    init(page: UnsafeRawBufferPointer, header: BTreePage, geometry: PageGeometry, freeblocks: [Range<Int>]) {
      (self.page, self.header, self.geometry, self.freeblocks) = (page, header, geometry, freeblocks)
    }

    /// The cells from the start of the content to the end of the page, one behind the other; nil where they, free blocks and
    /// fragments are not all there is, or are not as many as the header says.
    mutating func contentInOrder() -> [Cell]? {
      guard header.hasRoomForCells, header.contentStart >= header.pointersEnd else { return nil }
      var cells: [Cell] = []
      var (position, fragments) = (header.contentStart, 0)
      var blocks = freeblocks[...]
      while position < geometry.usableSize {
        if let block = blocks.first, block.lowerBound == position {
          position = block.upperBound
          blocks.removeFirst()
        } else if let cell = cell(at: position) {
          cells.append(cell)
          position = max(cell.end, position + 4)
        } else {
          position += 1
          fragments += 1
          guard fragments <= header.fragmentedBytes else { return nil }
        }
      }
      return cells.count == header.cellCount && fragments == header.fragmentedBytes && blocks.isEmpty ? cells : nil
    }

    /// Those cells that are records, and others that lie between them.
    mutating func cells(and pointed: [Cell]) -> [Found] {
      var byStart: [Int: Cell] = [:]
      for cell in pointed {
        if let whole = self.cell(at: cell.start) { byStart[cell.start] = whole }
      }
      var position = header.pointersEnd
      while position < geometry.usableSize {
        if let cell = cell(at: position), byStart[position] != nil || cell.payloadSize >= Self.smallest {
          byStart[position] = cell
          position = max(cell.end, position + 4)
        } else {
          position += 1
        }
      }
      let ends = Set(freeblocks.map(\.lowerBound)).union([geometry.usableSize])
      let all = byStart.values.sorted { $0.start < $1.start }
      return all.indices.map { index in
        let (cell, next) = (all[index], index + 1 < all.count ? all[index + 1].start : geometry.usableSize)
        let before = index > 0 ? all[index - 1].end : 0
        let isFollowed = next >= cell.end && next - cell.end <= 3 || ends.contains(cell.end)
        return Found(cell: cell, isSure: isFollowed && before <= cell.start)
      }
    }

    /// Fewer bytes are a record by chance.
    private static let smallest = 6

    /// A cell that begins there and holds a record of just its size.
    private mutating func cell(at position: Int) -> Cell? {
      guard let cell = Cell(page, at: position, kind: .leafTable, geometry: geometry), cell.payloadSize > 0,
        record.read(page, at: cell.payloadStart), record.size == cell.payloadSize, record.count > 0
      else { return nil }
      return cell
    }
  }
}
