import StoreSQLite

/// Goes through a b-tree in the order of its keys, without recursion.
///
/// A page that is reached a second time, lies outside the database or is of the wrong kind is a fault; the walk goes on
/// behind it. No page is entered twice, so that every walk ends.
package struct BTreeWalk {
  /// One entry: a row of a table, or a key of an index.
  package struct Entry {
    /// The page that has the cell.
    package var page: UInt32
    /// The cell.
    package var cell: Cell
    /// The whole payload, its overflow pages included. Valid until the next entry.
    package var payload: UnsafeRawBufferPointer
  }

  /// What was not as it should be.
  package private(set) var faults = PageFaults()
  /// The pages that belong to the tree, overflow pages included.
  package private(set) var pages: PageSet
  /// Those that other parts of the tree have as well; none where there are no parts.
  package private(set) var upperPages: [UInt32] = []

  /// Which leaves are wanted besides the first; nil for all. Pages that are as deep as the first leaf are taken for leaves, as in a
  /// sound tree.
  package var leaves: ((UInt32) -> Bool)?

  private let view: PageView
  private let geometry: PageGeometry
  private let root: UInt32
  private let expectsTable: Bool?
  private let part: Part?
  private var payload: [UInt8] = []

  /// Deeper than any tree in a file of 2^32 pages: "no more than 20" in SQLite (`BTCURSOR_MAX_DEPTH`).
  private static let maximumDepth = 20
  /// The largest payload put together from overflow pages.
  package static let maximumPayload = 256 << 20

  /// A walk through the tree with that root.
  ///
  /// - Parameters:
  ///   - isTable: whether the tree is one of rows; nil where the root decides.
  ///   - part: what of the tree is gone through; nil for all of it.
  package init(_ view: PageView, root: UInt32, isTable: Bool? = nil, part: Part? = nil) {
    self.view = view
    self.root = root
    self.part = part
    expectsTable = isTable
    geometry = view.files.geometry
    pages = PageSet(upTo: view.pageCount)
  }

  /// Calls `entry` for each entry, in order, until it returns false; and `page` for each b-tree page before its entries.
  ///
  /// - Parameter readsOverflow: whether payloads are put together, and entries left out of which a part is missing; if not,
  ///   each payload ends where its page does.
  package mutating func run(
    readsOverflow: Bool = true,
    page visit: (UInt32, UnsafeRawBufferPointer, BTreePage) throws -> Void = { _, _, _ in },
    entry: (Entry) throws -> Bool
  ) throws {
    var stack: [Level] = []
    var isTable = expectsTable
    // How many levels are above the leaves.
    var depthOfLeaves = Int.max
    guard var first = try enter(root, isTable: &isTable, depth: 0, visit) else { return }
    if let part {
      first.limit(to: part.root)
      upperPages.append(root)
    }
    stack.append(first)
    while let top = stack.indices.last {
      let step = stack[top].next
      guard step < stack[top].end else {
        stack.removeLast()
        continue
      }
      stack[top].next += 1
      let level = stack[top]
      if level.header.kind.isLeaf {
        if level.header.kind == .leafTable, !isBetweenItsBounds(level, below: stack.dropLast()) {
          faults.add(level.page, .order)
        }
        for index in 0..<level.header.cellCount {
          guard try give(level, index, readsOverflow: readsOverflow, entry) else { return }
        }
        stack.removeLast()
        continue
      }
      // Interior: child 0, cell 0, child 1, cell 1 ... right child.
      let (index, isCell) = (step / 2, step % 2 == 1)
      if isCell {
        guard level.header.kind == .interiorIndex, index < level.header.cellCount else { continue }
        guard try give(level, index, readsOverflow: readsOverflow, entry) else { return }
        continue
      }
      guard index <= level.header.cellCount else {
        stack.removeLast()
        continue
      }
      guard let child = child(index, of: level) else {
        faults.add(level.page, .cells(1))
        continue
      }
      if stack.count == depthOfLeaves, leaves?(child) == false { continue }
      if var below = try enter(child, isTable: &isTable, depth: stack.count, visit) {
        if stack.count == 1, step == part?.root.lowerBound, let steps = part?.child {
          below.limit(to: steps)
          upperPages.append(child)
        }
        if below.header.kind.isLeaf { depthOfLeaves = min(depthOfLeaves, stack.count) }
        stack.append(below)
      }
    }
  }

  /// Whether the keys of a leaf are those that the pages above it have on this way: a key is looked for by them.
  private func isBetweenItsBounds(_ leaf: Level, below path: ArraySlice<Level>) -> Bool {
    guard leaf.header.cellCount > 0, let first = key(0, of: leaf), let last = key(leaf.header.cellCount - 1, of: leaf)
    else { return true }
    for level in path {
      // The step is behind the child.
      let child = (level.next - 1) / 2
      if child > 0, let lower = key(child - 1, of: level), first <= lower { return false }
      if child < level.header.cellCount, let upper = key(child, of: level), last > upper { return false }
    }
    return true
  }

  private func key(_ index: Int, of level: Level) -> Int64? {
    level.bytes.withUnsafeBytes { bytes in
      level.header.cellOffset(index, in: bytes, usableSize: geometry.usableSize)
        .flatMap { Cell(bytes, at: $0, kind: level.header.kind, geometry: geometry) }?.rowID
    }
  }

  private struct Level {
    var page: UInt32
    var bytes: [UInt8]
    var header: BTreePage
    /// Of its steps the next one, and the one before which it ends.
    var next = 0
    var end = Int.max

    mutating func limit(to steps: Range<Int>) { (next, end) = (steps.lowerBound, steps.upperBound) }
  }

  private mutating func enter(
    _ number: UInt32, isTable: inout Bool?, depth: Int,
    _ visit: (UInt32, UnsafeRawBufferPointer, BTreePage) throws -> Void
  ) throws -> Level? {
    guard depth < Self.maximumDepth else {
      faults.add(number, .tooDeep)
      return nil
    }
    guard number >= 1, number <= view.pageCount, let bytes = try view.page(number) else {
      faults.add(number, .outOfRange)
      return nil
    }
    guard pages.insert(number) else {
      faults.add(number, .visitedTwice)
      return nil
    }
    let header = bytes.withUnsafeBytes { BTreePage($0, isFirst: number == 1, usableSize: geometry.usableSize) }
    guard let header, isTable == nil || isTable == header.kind.isTable else {
      faults.add(number, .notBTree(firstByte: bytes.first ?? 0))
      return nil
    }
    isTable = header.kind.isTable
    if !header.hasRoomForCells { faults.add(number, .cells(1)) }
    if depth > 0, header.cellCount == 0 { faults.add(number, .empty) }
    try bytes.withUnsafeBytes { try visit(number, $0, header) }
    return Level(page: number, bytes: bytes, header: header)
  }

  private func child(_ index: Int, of level: Level) -> UInt32? {
    guard index < level.header.cellCount else { return level.header.rightChild }
    return level.bytes.withUnsafeBytes { bytes in
      level.header.cellOffset(index, in: bytes, usableSize: geometry.usableSize).flatMap { bytes.word(at: $0) }
    }
  }

  private mutating func give(
    _ level: Level, _ index: Int, readsOverflow: Bool, _ entry: (Entry) throws -> Bool
  ) throws -> Bool {
    try level.bytes.withUnsafeBytes { bytes in
      guard let offset = level.header.cellOffset(index, in: bytes, usableSize: geometry.usableSize),
        let cell = Cell(bytes, at: offset, kind: level.header.kind, geometry: geometry)
      else {
        faults.add(level.page, .cells(1))
        return true
      }
      let local = UnsafeRawBufferPointer(rebasing: bytes[cell.payloadStart..<cell.payloadStart + cell.localSize])
      guard let overflow = cell.overflow else {
        return try entry(Entry(page: level.page, cell: cell, payload: local))
      }
      guard try collect(local, from: overflow, size: cell.payloadSize, keeps: readsOverflow) else {
        faults.add(level.page, .overflow(firstPage: overflow))
        // What is on the page is there all the same.
        return readsOverflow ? true : try entry(Entry(page: level.page, cell: cell, payload: local))
      }
      guard readsOverflow else { return try entry(Entry(page: level.page, cell: cell, payload: local)) }
      return try payload.withUnsafeBytes { try entry(Entry(page: level.page, cell: cell, payload: $0)) }
    }
  }

  /// Follows a chain of overflow pages; false where it does not have all bytes.
  private mutating func collect(
    _ local: UnsafeRawBufferPointer, from first: UInt32, size: Int, keeps: Bool
  ) throws -> Bool {
    payload.removeAll(keepingCapacity: true)
    guard !keeps || size <= Self.maximumPayload else { return false }
    if keeps { payload.append(contentsOf: local) }
    var chain = OverflowChain(first: first, count: size - local.count, in: geometry)
    while let next = chain.next {
      guard next >= 1, pages.insert(next), let page = try view.page(next) else { return false }
      page.withUnsafeBytes {
        let content = chain.take($0)
        if keeps { payload.append(contentsOf: content) }
      }
    }
    return true
  }
}

extension PageView {
  /// The row with that key in the table whose root is `root`, by descending the tree; nil where there is none, or the way
  /// to it is damaged.
  package func find(rowID: Int64, root: UInt32) throws -> (page: UInt32, cell: Cell, bytes: [UInt8])? {
    var number = root
    for _ in 0..<20 {
      guard let bytes = try page(number) else { return nil }
      let step: Descent? = bytes.withUnsafeBytes { page in
        let usable = files.geometry.usableSize
        guard let header = BTreePage(page, isFirst: number == 1, usableSize: usable), header.kind.isTable else {
          return nil
        }
        return descend(page, header, rowID)
      }
      switch step {
      case .child(let next): number = next
      case .found(let cell): return (number, cell, bytes)
      case nil: return nil
      }
    }
    return nil
  }

  private enum Descent {
    case child(UInt32)
    case found(Cell)
  }

  /// The first cell whose key is not below `rowID`.
  private func descend(_ page: UnsafeRawBufferPointer, _ header: BTreePage, _ rowID: Int64) -> Descent? {
    let usable = files.geometry.usableSize
    func cell(_ index: Int) -> Cell? {
      header.cellOffset(index, in: page, usableSize: usable)
        .flatMap { Cell(page, at: $0, kind: header.kind, geometry: files.geometry) }
    }
    var (low, high) = (0, header.cellCount)
    while low < high {
      let middle = (low + high) / 2
      guard let key = cell(middle)?.rowID else { return nil }
      if key < rowID { low = middle + 1 } else { high = middle }
    }
    if header.kind == .leafTable {
      guard low < header.cellCount, let found = cell(low), found.rowID == rowID else { return nil }
      return .found(found)
    }
    return low < header.cellCount ? cell(low)?.child.map(Descent.child) : .child(header.rightChild)
  }

  /// The payload of a cell of `page`, with its overflow pages as they are in this view; nil where the chain breaks.
  package func payload(of cell: Cell, in page: UnsafeRawBufferPointer) throws -> [UInt8]? {
    guard cell.payloadStart + cell.localSize <= page.count, cell.payloadSize <= BTreeWalk.maximumPayload else {
      return nil
    }
    var payload = Array(page[cell.payloadStart..<cell.payloadStart + cell.localSize])
    var chain = OverflowChain(cell, in: files.geometry)
    while let next = chain.next {
      guard let page = try self.page(next) else { return nil }
      page.withUnsafeBytes { payload.append(contentsOf: chain.take($0)) }
    }
    return payload
  }
}

extension PageView {
  /// The keys that a read of a table in order cannot show at the place where it stops: the next row's, where only that row
  /// is damaged; else all that the next page may have. `Int64.max` ends them where no later page is known.
  ///
  /// - Parameter key: the last key that was read; nil where none was.
  package func unreadableKeys(behind key: Int64?, root: UInt32) throws -> ClosedRange<Int64>? {
    let (next, isPast) = key.map { $0.addingReportingOverflow(1) } ?? (.min, false)
    guard !isPast else { return nil }
    var (number, last) = (root, Int64.max)
    for _ in 0..<20 {
      guard let bytes = try page(number) else { break }
      let step = bytes.withUnsafeBytes { page -> Way? in
        guard
          let header = BTreePage(page, isFirst: number == 1, usableSize: files.geometry.usableSize),
          header.kind.isTable
        else { return nil }
        // A leaf with a cell that cannot be read is refused as a whole.
        if header.kind.isLeaf, header.flaw(in: page, geometry: files.geometry) == .cell { return nil }
        return way(to: next, in: page, header)
      }
      switch step {
      case .row(let key): return key <= last ? key...key : next...max(next, last)
      case .child(let child, let bound):
        number = child
        if let bound { last = min(last, bound) }
      case nil: return next...max(next, last)
      }
    }
    return next...max(next, last)
  }

  private enum Way {
    case row(Int64)
    case child(UInt32, upTo: Int64?)
  }

  /// The first cell whose key is not below `key`; nil where there is none, or a cell before it cannot be read.
  private func way(to key: Int64, in page: UnsafeRawBufferPointer, _ header: BTreePage) -> Way? {
    for index in 0..<header.cellCount {
      guard let offset = header.cellOffset(index, in: page, usableSize: files.geometry.usableSize),
        let cell = Cell(page, at: offset, kind: header.kind, geometry: files.geometry), let own = cell.rowID
      else { return nil }
      guard own >= key else { continue }
      return cell.child.map { .child($0, upTo: own) } ?? .row(own)
    }
    return header.kind == .interiorTable ? .child(header.rightChild, upTo: nil) : nil
  }
}
