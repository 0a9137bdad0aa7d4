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
  private let asked: AskedTemplates
  /// Pages that are known to be free.
  let free: PageSet

  /// A leaf that is not taken.
  struct DoubtfulLeaf {
    var page: UInt32
    /// The place of the table its rows look like; nil where that is not clear.
    var table: Int?
    var why: Why
    /// The leaf, of a table that is known.
    var leaf: SalvageTable.Leaf?

    enum Why { case olderState, severalTables, noTable }

    /// Whether it is not known whose rows it has.
    var isUnclear: Bool { why != .olderState }
  }

  /// - Parameter tally: counts the rows of each leaf while it is read.
  /// - Throws: `FileError`, and what `tally` throws.
  init(_ evidence: SalvageEvidence, tables: [SalvageTable], tally: (any LeafCounter)? = nil) throws {
    (view, map) = (evidence.view, evidence.map)
    self.tables = tables
    asked = AskedTemplates(tables.map(\.template))
    geometry = view.files.geometry
    reached = PageSet(upTo: view.pageCount)
    free = try Self.freePages(view, map)
    let seen = try walkTrees(tally)
    // Where nothing is missing, what nothing leads to is free.
    if self.tables.contains(where: { !$0.missing.isEmpty }) {
      let rest = try seen ?? readRest(tally)
      assign(rest)
      mayHideRows = try hidesRows(rest)
      if let tally { try countRest(tally) }
    }
    for table in self.tables.indices { markContested(table) }
  }

  /// Whether pages of tables are damaged, or missing.
  var isDamaged: Bool { tables.contains { !$0.missing.isEmpty || $0.leaves.contains(where: \.isDamaged) } }

  // MARK: Trees

  /// A page of a table's tree, and the keys that its rows can have.
  private struct Place {
    var page: UInt32
    /// The page that leads to it; 0 for a root.
    var parent: UInt32
    var table: Int
    var level: Int
    var keys: ClosedRange<Int64>

    func precedes(_ other: Self) -> Bool { (page, level, table) < (other.page, other.level, other.table) }
  }

  /// Goes down all trees at once: first to the pages above the leaves, which are few, then over the leaves in the order of the
  /// file. Pages of several tables lie between each other, and tree by tree the file would be read as often as it has large tables.
  ///
  /// - Returns: the pages that nothing leads to, where all had to be read.
  private mutating func walkTrees(_ tally: (any LeafCounter)?) throws -> LooseLeaves? {
    var level: [Place] = []
    for table in tables.indices {
      if let root = tables[table].root {
        level.append(Place(page: root, parent: 0, table: table, level: 0, keys: Int64.min...Int64.max))
      } else {
        tables[table].missing = [Int64.min...Int64.max]
      }
    }
    var leaves: [Place] = []
    while !level.isEmpty {
      var next: [Place] = []
      for place in level.sorted(by: { $0.precedes($1) }) {
        try look(at: place, view.pageAlone(place.page), tally, below: &next)
      }
      // A tree has all its leaves on one level.
      let byTable = Dictionary(grouping: next, by: \.table)
      level = []
      for (_, places) in byTable {
        if try areLeaves(places) { leaves += places } else { level += places }
      }
    }
    var rest = try sweep(leaves.sorted { $0.precedes($1) }, tally, below: &level)
    // What was no leaf.
    while !level.isEmpty {
      var next: [Place] = []
      for place in level.sorted(by: { $0.precedes($1) }) {
        try look(at: place, view.page(place.page), tally, below: &next)
      }
      (level, rest) = (next, nil)
    }
    for table in tables.indices {
      tables[table].leaves.sort { ($0.bounds.lowerBound, $0.page) < ($1.bounds.lowerBound, $1.page) }
      tables[table].missing.sort { $0.lowerBound < $1.lowerBound }
    }
    return rest
  }

  /// Whether pages of one level are leaves: as the first, the last or the one in the middle says.
  private func areLeaves(_ places: [Place]) throws -> Bool {
    for place in [places.first, places.last, places.dropFirst(places.count / 2).first].compactMap(\.self)
    where !reached.contains(place.page) {
      let kind = try view.pageAlone(place.page)?.withUnsafeBytes { page in
        BTreePage(page, isFirst: place.page == 1, usableSize: geometry.usableSize)?.kind
      }
      if kind == .leafTable { return true }
      if kind == .interiorTable { return false }
    }
    return true
  }

  /// Reads leaves in the order of the file. Where they lie in most pieces of it, the pages between them are looked at, too.
  ///
  /// - Returns: the pages that nothing leads to, where all were looked at.
  private mutating func sweep(
    _ places: [Place], _ tally: (any LeafCounter)?, below next: inout [Place]
  ) throws -> LooseLeaves? {
    guard places.count >= Int(view.pageCount) / 64, view.pageCount >= 1 else {
      for place in places { try look(at: place, view.page(place.page), tally, below: &next) }
      return nil
    }
    var rest = LooseLeaves(in: view)
    var waiting = places[...]
    while let place = waiting.first, place.page < 1 {
      tables[place.table].missing.append(place.keys)
      waiting.removeFirst()
    }
    for number in 1...view.pageCount {
      guard waiting.first?.page == number || !reached.contains(number) && !free.contains(number) else { continue }
      let bytes = try view.page(number)
      while let place = waiting.first, place.page == number {
        try look(at: place, bytes, tally, below: &next)
        waiting.removeFirst()
      }
      if let bytes, !reached.contains(number), !free.contains(number) { try look(at: bytes, number, tally, of: &rest) }
    }
    for place in waiting { tables[place.table].missing.append(place.keys) }
    return rest
  }

  private mutating func look(
    at place: Place, _ bytes: [UInt8]?, _ tally: (any LeafCounter)?, below level: inout [Place]
  ) throws {
    let table = place.table
    guard place.page >= 1, let bytes, !reached.contains(place.page), !isFree(place) else {
      tables[table].missing.append(place.keys)
      return
    }
    try bytes.withUnsafeBytes { page in
      switch look(at: page, place.page, below: place.keys, isRoot: place.parent == 0, table) {
      case .nothing: tables[table].missing.append(place.keys)
      case .empty: reached.insert(place.page)
      case .leaf(let keys, let isSound):
        reached.insert(place.page)
        let leaf = SalvageTable.Leaf(
          page: place.page, keys: keys, bounds: place.keys, way: .tree, isDamaged: !isSound)
        tables[table].leaves.append(leaf)
        try tally?.count(page, leaf, of: table)
      case .children(let children):
        reached.insert(place.page)
        level += children.map {
          Place(page: $0.page, parent: place.page, table: table, level: place.level + 1, keys: $0.keys)
        }
      }
    }
  }

  /// Whether a page that a tree leads to is free all the same: not where the pointer map says that it is that tree's, and the list
  /// of free pages is of another state.
  private func isFree(_ place: Place) -> Bool {
    guard free.contains(place.page) else { return false }
    guard let entry = map.entry(place.page) else { return true }
    return place.parent == 0 ? entry.kind != .root : entry.kind != .tree || entry.parent != place.parent
  }

  private enum Found {
    case nothing
    case empty
    case leaf(ClosedRange<Int64>, isSound: Bool)
    case children([(page: UInt32, keys: ClosedRange<Int64>)])
  }

  private func look(
    at page: UnsafeRawBufferPointer, _ number: UInt32, below bounds: ClosedRange<Int64>, isRoot: Bool, _ table: Int
  ) -> Found {
    guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize), header.kind.isTable
    else {
      return .nothing
    }
    guard header.kind == .leafTable else {
      guard header.flaw(in: page, geometry: geometry) == nil, header.cellCount > 0 else { return .nothing }
      return .children(header.children(in: page, below: bounds, geometry))
    }
    if header.cellCount == 0 { return isRoot && header.flaw(in: page, geometry: geometry) == nil ? .empty : .nothing }
    var cells = LeafCells(page, header, geometry)
    cells.restrict(to: bounds)
    guard let keys = cells.keys, bounds.contains(keys.lowerBound), bounds.contains(keys.upperBound),
      !isOfAnother(table, cells, page)
    else { return .nothing }
    return .leaf(keys, isSound: cells.isSound)
  }

  /// Whether no row of a leaf can be of this table, and all could be of one other: the page is of another state of the file.
  private func isOfAnother(_ table: Int, _ cells: LeafCells, _ page: UnsafeRawBufferPointer) -> Bool {
    let sample = cells.sample
    guard !sample.isEmpty, !sample.contains(where: { asked[table].fits($0, in: page) }) else { return false }
    return tables.indices.contains { other in
      asked[other].isOfCoreData && sample.allSatisfy { asked[other].fits($0, in: page) }
    }
  }

  // MARK: Free pages

  /// What the list of free pages and the pointer map say is free; where the list is damaged, or leads to a page that is used,
  /// only what the map says.
  private static func freePages(_ view: PageView, _ map: TrustedPointerMap) throws -> PageSet {
    let list = try Freelist(view)
    var free = list.faults.count == 0 ? list.pages : PageSet(upTo: view.pageCount)
    guard view.files.header.hasPointerMap, view.pageCount >= 3 else { return free }
    for number in 3...view.pageCount {
      if map.entry(number)?.kind == .free { free.insert(number) }
    }
    return free
  }

  // MARK: Leaves that nothing leads to

  private struct Group {
    /// How many rows that were looked at fit each table.
    var fits: [Int: Int] = [:]
    var rows = 0
    var leaves: [LooseLeaves.Found] = []
  }

  private mutating func assign(_ rest: LooseLeaves) {
    blankPages = rest.blankPages
    let roots = Dictionary(
      tables.enumerated().compactMap { index, table in table.root.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
    var groups: [UInt32: Group] = [:]
    for leaf in rest.leaves {
      guard let top = top(above: leaf.page, rest.parents) else { continue }
      groups[top, default: Group()].leaves.append(leaf)
      groups[top]?.rows += leaf.rows
      for (table, rows) in leaf.fits { groups[top]?.fits[table, default: 0] += rows }
    }
    for (top, group) in groups.sorted(by: { $0.key < $1.key }) {
      if let table = roots[top] {
        add(group, to: table, by: .pages)
      } else {
        add(group, below: top)
      }
    }
  }

  /// Reads the pages that nothing leads to, once.
  private func readRest(_ tally: (any LeafCounter)?) throws -> LooseLeaves {
    var rest = LooseLeaves(in: view)
    guard view.pageCount >= 2 else { return rest }
    for number in 1...view.pageCount where !reached.contains(number) && !free.contains(number) {
      if let bytes = try view.page(number) { try look(at: bytes, number, tally, of: &rest) }
    }
    return rest
  }

  private func look(at bytes: [UInt8], _ number: UInt32, _ tally: (any LeafCounter)?, of rest: inout LooseLeaves) throws
  {
    try bytes.withUnsafeBytes { page in
      guard let found = rest.look(at: page, number, tables, asked), !found.isDamaged, let tally,
        let table = found.table(of: tables)
      else { return }
      let leaf = SalvageTable.Leaf(page: number, keys: found.keys, bounds: found.keys, way: .rows)
      try tally.countLoose(page, leaf, of: table)
    }
  }

  private func countRest(_ tally: any LeafCounter) throws {
    for table in tables.indices {
      for leaf in tables[table].leaves where leaf.way != .tree { try tally.take(leaf, of: table) }
    }
  }

  /// The highest page that is known above a page; nil for one that the pointer map says is none of a tree.
  private func top(above number: UInt32, _ parents: [UInt32: UInt32]) -> UInt32? {
    var top = number
    for _ in 0..<20 {
      switch map.entry(top) {
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
    let best = tables.candidates(fits: group.fits.map { (table: $0.key, rows: $0.value) }, rows: group.rows) { table in
      group.leaves.allSatisfy { missingKeys($0, in: table) != nil }
    }
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
    for found in group.leaves {
      let missing = missingKeys(found, in: table)
      let keys = missing ?? found.keys
      let leaf = SalvageTable.Leaf(page: found.page, keys: keys, bounds: keys, way: way, isDamaged: found.isDamaged)
      if missing != nil {
        tables[table].leaves.append(leaf)
      } else {
        doubtful.append(.init(page: found.page, table: table, why: .olderState, leaf: leaf))
      }
    }
  }

  /// Which keys of a leaf are missing in a table: all, and of a damaged leaf those around its own; nil where they are not missing.
  private func missingKeys(_ leaf: LooseLeaves.Found, in table: Int) -> ClosedRange<Int64>? {
    let keys = leaf.isDamaged ? leaf.median...leaf.median : leaf.keys
    return tables[table].missing.first { $0.lowerBound <= keys.lowerBound && keys.upperBound <= $0.upperBound }
      .map { leaf.isDamaged ? leaf.keys.clamped(to: $0) : keys }
  }

  // MARK: Pages that cannot be read

  private func hidesRows(_ rest: LooseLeaves) throws -> Bool {
    guard view.files.header.hasPointerMap, view.pageCount >= 3 else { return true }
    let taken = Set(tables.flatMap(\.leaves).map(\.page))
    var above: Set<UInt32> = []
    var unread: [UInt32] = []
    for number in 3...view.pageCount where !geometry.isPointerMap(number) && number != geometry.lockPage {
      guard let entry = map.entry(number) else { return true }
      if entry.kind == .tree { above.insert(entry.parent) }
      guard entry.kind == .tree || entry.kind == .root, !reached.contains(number), !taken.contains(number) else {
        continue
      }
      if try !isSound(number, rest) { unread.append(number) }
    }
    // Above leaves there is no leaf.
    if unread.contains(where: { !above.contains($0) }) { return true }
    let header = view.files.header
    // A header that was made has no version; what the map then has entries of behind the last page is cut off.
    guard header.sqliteVersion == 0 else { return header.pageCount > view.pageCount && header.isPageCountValid }
    return map.entry(view.pageCount.addingReportingOverflow(1).partialValue) != nil
  }

  private func isSound(_ number: UInt32, _ rest: LooseLeaves) throws -> Bool {
    // Those in the list of free pages were not looked at.
    guard free.contains(number) else { return rest.sound.contains(number) }
    return try view.page(number)?.withUnsafeBytes { page in
      guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize) else { return false }
      return header.flaw(in: page, geometry: geometry) == nil
    } ?? false
  }

  /// Whether the pointer map says that a page is the root of a tree.
  func isRoot(_ page: UInt32) -> Bool { map.entry(page)?.kind == .root }

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
