import StoreSQLite

/// The rows of a table in the order of its tree, read from the pages of a file that rests, without SQLite and without an
/// allocation for each row.
///
///     root -> interior pages -> leaf -> cell: payload size | row id | header | values
///
/// Every page, cell and record is held to what SQLite wants of it and to somewhat more. Where one is not so, the rows end
/// with `.unclear` before that page or row, and the reader lets SQLite say what it makes of it. A row's key has to be
/// greater than the one before, so that no tree is without end.
package final class TableRows {
  /// One column that is read of each row.
  package struct Column: Sendable {
    /// Where its value is.
    package enum Place: Sendable {
      /// Nowhere: each value is NULL.
      case none
      /// The row's key is its value.
      case rowID
      /// The value at this position of the record.
      case record(Int)
    }

    /// Where its value is.
    package var place: Place
    /// Whether integers are shown as reals: "a column with REAL affinity [...] forces integer values into floating point
    /// representation", and they are stored as integers all the same.
    package var showsReals: Bool
    /// Whether a record that ends before it stands for a value other than NULL.
    package var hasDefault: Bool
    /// Whether only the kind of the value is wanted.
    package var isOfKind: Bool

    /// A column.
    package init(_ place: Place, showsReals: Bool = false, hasDefault: Bool = false, isOfKind: Bool = false) {
      (self.place, self.showsReals, self.hasDefault, self.isOfKind) = (place, showsReals, hasDefault, isOfKind)
    }
  }

  /// What `next` came to.
  package enum Step { case row, end, unclear }

  // No other access is possible while a row is read, and checking for one costs more than reading it.
  /// The key of the row.
  @exclusivity(unchecked) package private(set) var rowID: Int64 = .min
  /// The values of the row, in the order of the columns.
  package let values: UnsafeMutablePointer<StoredValue>

  private let file: SettledFile
  private let columns: [Column]
  private let geometry: PageGeometry
  /// The columns whose values are in the record, by position.
  private let wanted: UnsafeMutableBufferPointer<Wanted>
  /// The columns whose values are the row's key.
  private let keyColumns: [Int]
  @exclusivity(unchecked) private var path: [Level] = []
  /// The levels of the tree above those of `path`.
  @exclusivity(unchecked) private var levelsAbove = 0
  /// Neighbouring pages that were read at once.
  private let window: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private var windowPages: Range<UInt32> = 0..<0
  /// The rows of the present leaf, of which `cellCount` are there; room for as many as a page can have.
  private let cells: UnsafeMutableBufferPointer<LeafCell>
  @exclusivity(unchecked) private var cellCount = 0
  @exclusivity(unchecked) private var position = 0
  @exclusivity(unchecked) private var page: UnsafeRawBufferPointer
  /// Room for a payload that is put together from overflow pages.
  @exclusivity(unchecked) private var spill = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private var isUnclear = false

  private struct Wanted {
    var position: Int
    var index: Int
    var showsReals: Bool
    var hasDefault: Bool
    var isOfKind: Bool
  }

  /// An interior page: its children, of which `next` comes next.
  private struct Level {
    var children: [UInt32]
    var next = 0
  }

  private struct LeafCell {
    var rowID: Int64
    var start: Int
    var size: Int
    var localSize: Int
  }

  /// "no more than 20" levels in SQLite (`BTCURSOR_MAX_DEPTH`); what is nearly as deep is left to it.
  private static let mostLevels = 16
  /// Bytes that are read at once.
  private static let windowBytes = 1 << 18
  /// Pages between two wanted ones that are read rather than left out.
  private static let widestGap: UInt32 = 4
  /// The largest payload that is put together; a row with a larger one is left to SQLite.
  package static let mostSpilled = 4 << 20

  /// The rows of the table with that root; nil where text is not UTF-8.
  package convenience init?(_ file: SettledFile, root: UInt32, columns: [Column]) {
    self.init(file, columns)
    guard file.header.textEncoding == .utf8, isReadable(root) else { return nil }
    path = [Level(children: [root])]
  }

  private init(_ file: SettledFile, _ columns: [Column]) {
    self.file = file
    self.columns = columns
    geometry = PageGeometry(file.header)
    let wanted = columns.enumerated().compactMap { index, column -> Wanted? in
      guard case .record(let position) = column.place else { return nil }
      return Wanted(
        position: position, index: index, showsReals: column.showsReals, hasDefault: column.hasDefault,
        isOfKind: column.isOfKind)
    }.sorted { ($0.position, $0.index) < ($1.position, $1.index) }
    self.wanted = .allocate(capacity: wanted.count)
    _ = self.wanted.initialize(fromContentsOf: wanted)
    cells = .allocate(capacity: Self.mostCells(geometry))
    keyColumns = columns.indices.filter { if case .rowID = columns[$0].place { true } else { false } }
    values = .allocate(capacity: max(columns.count, 1))
    values.initialize(repeating: .null, count: max(columns.count, 1))
    window = .allocate(byteCount: max(Self.windowBytes, geometry.pageSize), alignment: 16)
    page = UnsafeRawBufferPointer(rebasing: window[..<geometry.pageSize])
  }

  deinit {
    values.deallocate()
    wanted.deallocate()
    cells.deallocate()
    window.deallocate()
    spill.deallocate()
  }

  /// Goes to the next row. After `.end` or `.unclear` there is none.
  package func next() -> Step {
    while !isUnclear {
      if position < cellCount {
        position += 1
        if take(cells[position - 1]) { return .row }
        isUnclear = true
      } else if path.isEmpty {
        return .end
      } else if !enterLeaf() {
        isUnclear = true
      }
    }
    return .unclear
  }

  /// About how many pages the table has, as its first pages tell before the first row is read.
  package var estimatedPages: Int {
    var (count, child) = (1, path.first?.children.first)
    for _ in 0..<Self.mostLevels {
      guard let number = child, count < Int32.max, let level = interior(number) else { break }
      count *= level.children.count
      child = level.children.first
    }
    return count
  }
}

// MARK: Halves

extension TableRows {
  /// Gives about half of the rows, the later ones, to another reader, before the first row is read; nil where the table has
  /// too few pages for that, or one on the way to them is not as it should be.
  ///
  /// - Parameter least: how many neighbouring pages, each with all below it, have to be there, so that halves are about equal.
  package func divided(least: Int) -> TableRows? {
    guard path.count == 1, let all = path.first?.children, let (pages, depth) = level(of: least, below: all) else {
      return nil
    }
    let later = TableRows(file, columns)
    let middle = pages.count / 2
    path = [Level(children: Array(pages.prefix(middle)))]
    later.path = [Level(children: Array(pages.dropFirst(middle)))]
    (levelsAbove, later.levelsAbove) = (depth, depth)
    return later
  }

  /// The pages of the first level that has enough of them, and how many levels are above it.
  private func level(of least: Int, below roots: [UInt32]) -> (pages: [UInt32], depth: Int)? {
    var (pages, depth) = (roots, 0)
    while pages.count < max(least, 2) {
      var below: [UInt32] = []
      for number in pages {
        guard load(number, before: []),
          let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize), isPlain(header),
          header.kind == .interiorTable, let level = level(header, of: page)
        else { return nil }
        below += level.children
      }
      (pages, depth) = (below, depth + 1)
      guard depth < Self.mostLevels else { return nil }
    }
    return (pages, depth)
  }
}

// MARK: Pages

extension TableRows {
  /// Goes on to the next leaf; false where a page on the way is not as it should be. At the end of the tree the path is
  /// empty.
  private func enterLeaf() -> Bool {
    while let level = path.last {
      guard level.next < level.children.count else {
        path.removeLast()
        continue
      }
      path[path.count - 1].next += 1
      let number = level.children[level.next]
      guard load(number, before: level.children[(level.next + 1)...]) else { return false }
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize), isPlain(header) else {
        return false
      }
      switch header.kind {
      case .leafTable: return readCells(header)
      case .interiorTable:
        guard path.count + levelsAbove < Self.mostLevels, let below = self.level(header, of: page) else { return false }
        path.append(below)
      case .interiorIndex, .leafIndex: return false
      }
    }
    return true
  }

  /// Makes page `number` the present one, read together with those behind it that are wanted soon.
  private func load(_ number: UInt32, before following: ArraySlice<UInt32>) -> Bool {
    guard isReadable(number) else { return false }
    if !windowPages.contains(number) {
      var last = number
      for next in following {
        guard next > last, next - last <= Self.widestGap, next <= file.pageCount,
          Int(next - number + 1) * geometry.pageSize <= window.count
        else { break }
        last = next
      }
      windowPages = 0..<0
      let count = Int(last - number + 1) * geometry.pageSize
      let part = UnsafeMutableRawBufferPointer(rebasing: window[..<count])
      guard file.read(into: part, fromPage: number) else { return false }
      windowPages = number..<last + 1
    }
    let start = Int(number - windowPages.lowerBound) * geometry.pageSize
    page = UnsafeRawBufferPointer(rebasing: window[start..<start + geometry.pageSize])
    file.show(page, number: number)
    return true
  }

  /// Whether a page with that number may be part of a tree.
  private func isReadable(_ number: UInt32) -> Bool {
    number >= 1 && number <= file.pageCount && number != geometry.lockPage
  }

  /// Whether a page below the root has as many cells as one can have, and not none.
  private func isPlain(_ header: BTreePage) -> Bool {
    header.hasRoomForCells && header.cellCount > 0 && header.cellCount <= Self.mostCells(geometry)
  }

  /// `MX_CELL` in SQLite.
  private static func mostCells(_ geometry: PageGeometry) -> Int { (geometry.pageSize - 8) / 6 }

  /// The interior page with that number, read by itself.
  private func interior(_ number: UInt32) -> Level? {
    guard isReadable(number) else { return nil }
    var bytes = [UInt8](repeating: 0, count: geometry.pageSize)
    return bytes.withUnsafeMutableBytes { buffer in
      guard file.read(into: buffer, fromPage: number) else { return nil }
      let page = UnsafeRawBufferPointer(buffer)
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize),
        header.kind == .interiorTable, isPlain(header)
      else { return nil }
      return level(header, of: page)
    }
  }

  /// The children of an interior page; nil where a cell is not within it.
  private func level(_ header: BTreePage, of page: UnsafeRawBufferPointer) -> Level? {
    var children: [UInt32] = []
    children.reserveCapacity(header.cellCount + 1)
    for index in 0..<header.cellCount {
      // "iCellLast--" for a page that is no leaf.
      guard let offset = header.cellOffset(index, in: page, usableSize: geometry.usableSize),
        offset < geometry.usableSize - 4,
        let cell = Cell(page, at: offset, kind: .interiorTable, geometry: geometry), let child = cell.child
      else { return nil }
      children.append(child)
    }
    children.append(header.rightChild)
    return Level(children: children)
  }

  /// Reads where the rows of the present leaf are; false where a cell is not within it, since SQLite looks at all cells of
  /// a page before it shows one (`cell_size_check`).
  private func readCells(_ header: BTreePage) -> Bool {
    (cellCount, position) = (0, 0)
    guard header.cellCount <= cells.count else { return false }
    let page = page.first(geometry.usableSize)
    for index in 0..<header.cellCount {
      guard let offset = header.cellOffset(index, in: page, usableSize: geometry.usableSize),
        let size = Varint(page, at: offset), let rowID = Varint(page, at: offset + size.length),
        (1...Int64(Connection.longestValue)).contains(size.value)
      else { return false }
      let start = offset + size.length + rowID.length
      let local = geometry.localSize(of: Int(size.value), isTableLeaf: true)
      guard start + local + (local < Int(size.value) ? 4 : 0) <= page.count else { return false }
      cells.initializeElement(
        at: index, to: LeafCell(rowID: rowID.value, start: start, size: Int(size.value), localSize: local))
    }
    cellCount = header.cellCount
    return true
  }
}

// MARK: Records

extension TableRows {
  /// Makes a row the present one; false where its record is not as it should be.
  @inline(__always)
  private func take(_ cell: LeafCell) -> Bool {
    // The least of all keys is left to SQLite.
    guard cell.rowID > rowID else { return false }
    rowID = cell.rowID
    let local = UnsafeRawBufferPointer(rebasing: page[cell.start..<cell.start + cell.localSize])
    guard let length = Varint(local, at: 0), length.value >= length.length, length.value <= local.count else {
      return false
    }
    let end = Int(length.value)
    for column in keyColumns { values[column] = StoredValue(rowID) }
    var (type, offset, field, isSpilled) = (length.length, end, 0, false)
    var next = 0
    while next < wanted.count {
      guard type < end else {
        // "If a record has fewer values than the table has columns", the last columns have their defaults.
        guard type == end, offset == cell.size else { return false }
        while next < wanted.count {
          guard !wanted[next].hasDefault else { return false }
          values[wanted[next].index] = .null
          next += 1
        }
        return true
      }
      guard let code = Varint(local, at: type), let size = SerialType(code.value).size, code.value != 10,
        code.value != 11
      else { return false }
      let (after, isOver) = offset.addingReportingOverflow(size)
      guard !isOver, after <= cell.size else { return false }
      while next < wanted.count, wanted[next].position == field {
        let column = wanted[next]
        if after > local.count, size > 0 {
          if column.isOfKind {
            // Of a NaN SQLite tells one kind or another, as its value is asked for beside it or not.
            guard code.value != 7 else { return false }
            values[column.index] = kind(code.value, column.showsReals)
            next += 1
            continue
          }
          if !isSpilled, !collect(cell, local) { return false }
          isSpilled = true
          let whole = UnsafeRawBufferPointer(rebasing: spill[..<cell.size])
          values[column.index] = value(code.value, in: whole, at: offset, size, column.showsReals)
        } else {
          values[column.index] = value(code.value, in: local, at: offset, size, column.showsReals)
        }
        next += 1
      }
      (type, offset, field) = (type + code.length, after, field + 1)
    }
    return type <= end
  }

  /// A value of the kind of a type: where the bytes are not all on the leaf, SQLite tells the kind by the type alone
  /// (`OPFLAG_TYPEOFARG`).
  private func kind(_ code: Int64, _ showsReals: Bool) -> StoredValue {
    guard code < 12 else { return StoredValue(code & 1 == 0 ? .blob : .text, .init(start: nil, count: 0)) }
    return showsReals ? StoredValue(0.0 as Double) : StoredValue(0 as Int64)
  }

  /// The value of a type at an offset, where all its bytes are.
  @inline(__always)
  private func value(
    _ code: Int64, in payload: UnsafeRawBufferPointer, at offset: Int, _ size: Int, _ showsReals: Bool
  ) -> StoredValue {
    switch code {
    case 0: return .null
    case 7: return StoredValue(Double(bitPattern: UInt64(bitPattern: signed(payload, offset, size))))
    case ...9:
      let number = code < 8 ? signed(payload, offset, size) : code - 8
      return showsReals ? StoredValue(Double(number)) : StoredValue(number)
    default:
      return StoredValue(
        code & 1 == 0 ? .blob : .text, UnsafeRawBufferPointer(rebasing: payload[offset..<offset + size]))
    }
  }

  /// "big-endian twos-complement"
  @inline(__always)
  private func signed(_ payload: UnsafeRawBufferPointer, _ offset: Int, _ size: Int) -> Int64 {
    if size == 1 { return Int64(Int8(bitPattern: payload[offset])) }
    if size == 8 { return payload.bigEndian(Int64.self, at: offset) ?? 0 }
    var sum: Int64 = payload[offset] & 0x80 == 0 ? 0 : -1
    for position in offset..<offset + size { sum = sum << 8 | Int64(payload[position]) }
    return sum
  }

  /// Puts a payload together; false where an overflow page is not there, or there are too many.
  private func collect(_ cell: LeafCell, _ local: UnsafeRawBufferPointer) -> Bool {
    guard cell.size <= Self.mostSpilled, let first = page.word(at: cell.start + cell.localSize) else { return false }
    if spill.count < cell.size {
      spill.deallocate()
      spill = .allocate(byteCount: cell.size, alignment: 16)
    }
    spill.copyMemory(from: local)
    var (filled, chain) = (local.count, OverflowChain(first: first, count: cell.size - local.count, in: geometry))
    return withUnsafeTemporaryAllocation(byteCount: geometry.pageSize, alignment: 16) { buffer in
      while let number = chain.next {
        guard number >= 2, isReadable(number), file.read(into: buffer, fromPage: number) else {
          return false
        }
        file.show(UnsafeRawBufferPointer(buffer), number: number)
        let content = chain.take(UnsafeRawBufferPointer(buffer).first(geometry.usableSize))
        UnsafeMutableRawBufferPointer(rebasing: spill[filled...]).copyMemory(from: content)
        filled += content.count
      }
      return filled == cell.size
    }
  }
}
