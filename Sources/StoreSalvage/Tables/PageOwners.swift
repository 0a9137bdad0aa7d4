import SQLitePages
import StoreRecovery
import StoreSQLite

/// Which table each page with rows belongs to.
///
///     trees       from the roots down; where a page above is damaged, the keys below it are missing
///     the rest    leaves that nothing leads to: by the pointer map or pages above them to a root, else by their rows
///
/// A leaf that nothing leads to is taken only where keys are missing: elsewhere it is free, or of an older state.
struct PageOwners {
  private(set) var tables: [SalvageTable]
  /// Leaves with rows that are not taken, and why.
  private(set) var doubtful: [DoubtfulLeaf] = []
  /// Whether rows may be on pages that cannot be read, or are missing: not where the pointer map says of each such page that it
  /// is of another kind.
  private(set) var mayHideRows = false
  /// Pages of nothing but zeros among those that no tree leads to; counted where keys are missing.
  private(set) var blankPages = 0
  /// Pages of trees that were reached.
  private(set) var reached: PageSet
  private let view: PageView
  private let map: TrustedPointerMap
  private let geometry: PageGeometry
  /// Pages that are known to be free.
  let free: PageSet

  /// A leaf that is not taken.
  struct DoubtfulLeaf {
    var page: UInt32
    /// The place of the table its rows look like; nil where that is not clear.
    var table: Int?
    var why: Why

    enum Why { case olderState, severalTables, noTable }

    /// Whether it is not known whose rows it has.
    var isUnclear: Bool { why != .olderState }
  }

  /// - Throws: `FileError`.
  init(_ evidence: SalvageEvidence, tables: [SalvageTable]) throws {
    (view, map) = (evidence.view, evidence.map)
    self.tables = tables
    geometry = view.files.geometry
    reached = PageSet(upTo: view.pageCount)
    free = try Self.freePages(view, map)
    try walkTrees()
    // Where nothing is missing, what nothing leads to is free.
    if self.tables.contains(where: { !$0.missing.isEmpty }) {
      try assignRest()
      mayHideRows = try hidesRows()
    }
    for table in self.tables.indices { markContested(table) }
  }

  /// Whether pages of tables are damaged, or missing.
  var isDamaged: Bool { tables.contains { !$0.missing.isEmpty || $0.leaves.contains(where: \.isDamaged) } }

  // MARK: Trees

  private static let everything = Int64.min...Int64.max

  /// A page of a table's tree, and the keys that its rows can have.
  private struct Place {
    var page: UInt32
    var table: Int
    var keys: ClosedRange<Int64>
  }

  /// Goes down all trees at once, level by level and each level in the order of the file: pages of several tables lie between each
  /// other, and tree by tree the file would be read as often as it has large tables.
  private mutating func walkTrees() throws {
    let asked = AskedTemplates(tables.map(\.template))
    var level: [Place] = []
    for table in tables.indices {
      if let root = tables[table].root {
        level.append(Place(page: root, table: table, keys: Self.everything))
      } else {
        tables[table].missing = [Self.everything]
      }
    }
    while !level.isEmpty {
      var next: [Place] = []
      for place in level.sorted(by: { ($0.page, $0.table) < ($1.page, $1.table) }) {
        try look(at: place, asked, below: &next)
      }
      level = next
    }
    for table in tables.indices {
      tables[table].leaves.sort { ($0.bounds.lowerBound, $0.page) < ($1.bounds.lowerBound, $1.page) }
      tables[table].missing.sort { $0.lowerBound < $1.lowerBound }
    }
  }

  private mutating func look(at place: Place, _ asked: AskedTemplates, below level: inout [Place]) throws {
    let table = place.table
    guard place.page >= 1, place.page <= view.pageCount, !reached.contains(place.page), !free.contains(place.page),
      let bytes = try view.page(place.page)
    else {
      tables[table].missing.append(place.keys)
      return
    }
    let found = bytes.withUnsafeBytes {
      look(at: $0, place.page, below: place.keys, isRoot: place.page == tables[table].root, table, asked)
    }
    switch found {
    case .nothing: tables[table].missing.append(place.keys)
    case .empty: reached.insert(place.page)
    case .leaf(let keys):
      reached.insert(place.page)
      let flaw = bytes.withUnsafeBytes { BTreePage.flaw(of: $0, isFirst: place.page == 1, geometry: geometry) }
      tables[table].leaves.append(
        .init(page: place.page, keys: keys, bounds: place.keys, way: .tree, isDamaged: flaw != nil))
    case .children(let children):
      reached.insert(place.page)
      level += children.map { Place(page: $0.page, table: table, keys: $0.keys) }
    }
  }

  private enum Found {
    case nothing
    case empty
    case leaf(ClosedRange<Int64>)
    case children([(page: UInt32, keys: ClosedRange<Int64>)])
  }

  private func look(
    at page: UnsafeRawBufferPointer, _ number: UInt32, below bounds: ClosedRange<Int64>, isRoot: Bool, _ table: Int,
    _ asked: AskedTemplates
  ) -> Found {
    guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize), header.kind.isTable
    else {
      return .nothing
    }
    guard header.kind == .leafTable else {
      guard header.flaw(in: page, geometry: geometry) == nil, header.cellCount > 0 else { return .nothing }
      return .children(children(of: header, in: page, bounds))
    }
    if header.cellCount == 0 { return isRoot && header.flaw(in: page, geometry: geometry) == nil ? .empty : .nothing }
    var cells = LeafCells(page, header, geometry)
    cells.restrict(to: bounds)
    guard let keys = cells.keys, bounds.contains(keys.lowerBound), bounds.contains(keys.upperBound),
      !isOfAnother(table, cells, page, asked)
    else { return .nothing }
    return .leaf(keys)
  }

  private func children(
    of header: BTreePage, in page: UnsafeRawBufferPointer, _ bounds: ClosedRange<Int64>
  ) -> [(page: UInt32, keys: ClosedRange<Int64>)] {
    var children: [(page: UInt32, keys: ClosedRange<Int64>)] = []
    var lower = bounds.lowerBound
    for index in 0..<header.cellCount {
      guard let offset = header.cellOffset(index, in: page, usableSize: geometry.usableSize),
        let cell = Cell(page, at: offset, kind: header.kind, geometry: geometry), let child = cell.child,
        let key = cell.rowID, key >= lower
      else { continue }
      children.append((child, lower...key))
      guard key < .max else { return children }
      lower = key + 1
    }
    children.append((header.rightChild, lower...max(lower, bounds.upperBound)))
    return children
  }

  /// Whether no row of a leaf can be of this table, and all could be of one other: the page is of another state of the file.
  private func isOfAnother(
    _ table: Int, _ cells: LeafCells, _ page: UnsafeRawBufferPointer, _ asked: AskedTemplates
  ) -> Bool {
    let sample = cells.sample
    guard !sample.isEmpty, !sample.contains(where: { fits($0, page, table, asked) }) else { return false }
    return tables.indices.contains { other in
      asked[other].isOfCoreData && sample.allSatisfy { fits($0, page, other, asked) }
    }
  }

  private func fits(_ cell: Cell, _ page: UnsafeRawBufferPointer, _ table: Int, _ asked: AskedTemplates) -> Bool {
    var record = Record()
    return record.read(page, at: cell.payloadStart) && record.size == cell.payloadSize && asked[table].admits(record)
      && asked[table].agrees(record, in: page, at: cell.payloadStart)
  }

  // MARK: Free pages

  /// What the list of free pages and the pointer map say is free; where the list is damaged, or leads to a page that is used,
  /// only what the map says.
  private static func freePages(_ view: PageView, _ map: TrustedPointerMap) throws -> PageSet {
    let list = try Freelist(view)
    var free = list.faults.count == 0 ? list.pages : PageSet(upTo: view.pageCount)
    guard view.files.header.hasPointerMap, view.pageCount >= 3 else { return free }
    for number in 3...view.pageCount {
      if try map.entry(number)?.kind == .free { free.insert(number) }
    }
    return free
  }

  // MARK: Leaves that nothing leads to

  private struct Group {
    /// How many rows that were looked at fit each table.
    var fits: [Int: Int] = [:]
    var rows = 0
    var leaves: [Leaf] = []

    struct Leaf {
      var page: UInt32
      var keys: ClosedRange<Int64>
      /// A key that is the leaf's own, where chance may have made some of a page that does not add up.
      var median: Int64
      var isDamaged: Bool
    }
  }

  /// A leaf that nothing leads to, and how many of the rows that were looked at fit which tables.
  private struct LooseLeaf {
    var leaf: Group.Leaf
    var rows: Int
    var fits: [(table: Int, rows: Int)]
  }

  private mutating func assignRest() throws {
    guard view.pageCount >= 2 else { return }
    let (loose, parents) = try readRest()
    let roots = Dictionary(
      tables.enumerated().compactMap { index, table in table.root.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    var groups: [UInt32: Group] = [:]
    for found in loose {
      guard let top = try top(above: found.leaf.page, parents) else { continue }
      groups[top, default: Group()].leaves.append(found.leaf)
      groups[top]?.rows += found.rows
      for (table, rows) in found.fits { groups[top]?.fits[table, default: 0] += rows }
    }
    for (top, group) in groups.sorted(by: { $0.key < $1.key }) {
      if let table = roots[top] {
        add(group, to: table, by: .pages)
      } else {
        add(group, below: top)
      }
    }
  }

  /// Reads the pages that nothing leads to, once: the leaves, and for each page the page above it.
  private mutating func readRest() throws -> (leaves: [LooseLeaf], parents: [UInt32: UInt32]) {
    let asked = AskedTemplates(tables.map(\.template))
    var leaves: [LooseLeaf] = []
    var parents: [UInt32: UInt32] = [:]
    for number in 1...view.pageCount where !reached.contains(number) && !free.contains(number) {
      guard let bytes = try view.page(number) else { continue }
      if bytes.allSatisfy({ $0 == 0 }) { blankPages += 1 }
      bytes.withUnsafeBytes { page in
        guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize) else { return }
        if header.kind == .leafTable {
          if let leaf = looseLeaf(number, page, header, asked) { leaves.append(leaf) }
        } else if header.kind == .interiorTable, header.flaw(in: page, geometry: geometry) == nil {
          for child in children(of: header, in: page, Self.everything) { parents[child.page] = number }
        }
      }
    }
    return (leaves, parents)
  }

  private func looseLeaf(
    _ number: UInt32, _ page: UnsafeRawBufferPointer, _ header: BTreePage, _ asked: AskedTemplates
  ) -> LooseLeaf? {
    let cells = LeafCells(page, header, geometry)
    guard let keys = cells.keys, let median = cells.median else { return nil }
    let sample = cells.sample
    let fits = tables.indices.compactMap { table -> (table: Int, rows: Int)? in
      let rows = sample.count { self.fits($0, page, table, asked) }
      return rows > 0 ? (table, rows) : nil
    }
    return LooseLeaf(
      leaf: .init(page: number, keys: keys, median: median, isDamaged: !cells.isSound), rows: sample.count, fits: fits)
  }

  /// The highest page that is known above a page; nil for one that the pointer map says is none of a tree.
  private func top(above number: UInt32, _ parents: [UInt32: UInt32]) throws -> UInt32? {
    var top = number
    for _ in 0..<20 {
      switch try map.entry(top) {
      case .some(let entry) where entry.kind == .tree: top = entry.parent
      case .some(let entry) where entry.kind == .root: return top
      case .some: return top == number ? nil : top
      case nil:
        guard let parent = parents[top], parent != top else { return top }
        top = parent
      }
    }
    return top
  }

  /// Finds the table of a group by its rows.
  private mutating func add(_ group: Group, below top: UInt32) {
    // One cell in ten may be damaged.
    let fitting = group.fits.filter { $0.value * 10 >= group.rows * 9 }.keys.sorted()
    let wanting = fitting.filter { table in group.leaves.allSatisfy { missingKeys($0, in: table) != nil } }
    let candidates = wanting.isEmpty ? fitting : wanting
    // Rows say by their entity's number which table is theirs.
    let certain = candidates.filter { tables[$0].template.coreData != nil }
    let best = certain.isEmpty ? candidates : certain
    guard let table = best.first else {
      doubtful += group.leaves.map { .init(page: $0.page, table: nil, why: .noTable) }
      return
    }
    guard best.count == 1 else {
      doubtful += group.leaves.map { .init(page: $0.page, table: nil, why: .severalTables) }
      return
    }
    add(group, to: table, by: .rows)
    tables[table].tops.insert(top)
  }

  private mutating func add(_ group: Group, to table: Int, by way: SalvageTable.Way) {
    for leaf in group.leaves {
      if let keys = missingKeys(leaf, in: table) {
        tables[table].leaves.append(
          .init(page: leaf.page, keys: keys, bounds: keys, way: way, isDamaged: leaf.isDamaged))
      } else {
        doubtful.append(.init(page: leaf.page, table: table, why: .olderState))
      }
    }
  }

  /// Which keys of a leaf are missing in a table: all, and of a damaged leaf those around its own; nil where they are not missing.
  private func missingKeys(_ leaf: Group.Leaf, in table: Int) -> ClosedRange<Int64>? {
    let keys = leaf.isDamaged ? leaf.median...leaf.median : leaf.keys
    return tables[table].missing.first { $0.lowerBound <= keys.lowerBound && keys.upperBound <= $0.upperBound }
      .map { leaf.isDamaged ? leaf.keys.clamped(to: $0) : keys }
  }

  // MARK: Pages that cannot be read

  private func hidesRows() throws -> Bool {
    guard view.files.header.hasPointerMap, view.pageCount >= 3 else { return true }
    let taken = Set(tables.flatMap(\.leaves).map(\.page))
    var above: Set<UInt32> = []
    var unread: [UInt32] = []
    for number in 3...view.pageCount where !geometry.isPointerMap(number) && number != geometry.lockPage {
      guard let entry = try map.entry(number) else { return true }
      if entry.kind == .tree { above.insert(entry.parent) }
      guard entry.kind == .tree || entry.kind == .root, !reached.contains(number), !taken.contains(number) else {
        continue
      }
      let isRead = try view.page(number)?.withUnsafeBytes { page in
        guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize) else { return false }
        return header.flaw(in: page, geometry: geometry) == nil
      }
      if isRead != true { unread.append(number) }
    }
    // Above leaves there is no leaf.
    if unread.contains(where: { !above.contains($0) }) { return true }
    let header = view.files.header
    // A header that was made has no version; what the map then has entries of behind the last page is cut off.
    guard header.sqliteVersion == 0 else { return header.pageCount > view.pageCount && header.isPageCountValid }
    return try map.entry(view.pageCount.addingReportingOverflow(1).partialValue) != nil
  }

  /// Whether the pointer map says that a page is the root of a tree.
  func isRoot(_ page: UInt32) throws -> Bool { try map.entry(page)?.kind == .root }

  /// The keys that rows of a leaf can have: those between the leaves around it.
  func room(of leaf: SalvageTable.Leaf, in table: Int) -> ClosedRange<Int64> {
    var (first, last) = (Int64.min, Int64.max)
    for other in tables[table].leaves where other.page != leaf.page {
      if other.keys.upperBound < leaf.keys.lowerBound { first = max(first, other.keys.upperBound + 1) }
      if other.keys.lowerBound > leaf.keys.upperBound { last = min(last, other.keys.lowerBound - 1) }
    }
    return first...last
  }

  // MARK: Older states

  /// Leaves of one tree have no keys in common ranges.
  private mutating func markContested(_ table: Int) {
    let order = tables[table].leaves.indices.sorted {
      tables[table].leaves[$0].keys.lowerBound < tables[table].leaves[$1].keys.lowerBound
    }
    // It meets one before it where any of those reaches it, and one behind it where it reaches the next.
    var furthest: Int64?
    for (place, index) in order.enumerated() {
      let keys = tables[table].leaves[index].keys
      let next = place + 1 < order.count ? tables[table].leaves[order[place + 1]].keys.lowerBound : nil
      let meetsBefore = furthest.map { $0 >= keys.lowerBound } ?? false
      let meetsNext = next.map { $0 <= keys.upperBound } ?? false
      tables[table].leaves[index].isContested = meetsBefore || meetsNext
      furthest = max(furthest ?? .min, keys.upperBound)
    }
  }
}
