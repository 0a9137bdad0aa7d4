/// The tables' B-trees at one moment: their roots, and the parents of pages.
struct Trees {
  /// Tables by root page.
  private var tables: [UInt32: TreeTable]
  /// The parent of each interior page, and of each leaf that the log has.
  private var parents: [UInt32: UInt32] = [:]
  /// The pages that the log has.
  private let written: Set<UInt32>

  /// The most levels of a tree; SQLite's own limit is 20.
  private static let mostLevels = 40

  /// Reads the schema and all interior pages as they are before the commit.
  init(
    reading versions: PageVersions, written: Set<UInt32>, interest: RowInterest, onRow: (WatchedRow) -> Void
  ) throws(FileError) {
    self.written = written
    tables = [1: .schema]
    tables = try Self.schema(versions, .before)
    var seen: Set<UInt32> = []
    for table in tables.values.sorted(by: { $0.root < $1.root }) {
      try link(table.root, versions, &seen, level: 0)
      guard interest.watchedBefore.contains(table.name) else { continue }
      var rows = RowsOfSubtree(versions, .before, skipping: [:])
      try rows.visit(table.root) { page, cell in
        onRow(WatchedRow(table, cell.rowid, Record(page.bytes[cell.local])))
      }
    }
  }

  private mutating func link(
    _ number: UInt32, _ versions: PageVersions, _ seen: inout Set<UInt32>, level: Int
  ) throws(FileError) {
    guard level < Self.mostLevels, seen.insert(number).inserted else { return }
    let children = try versions.page(number, .before).children
    guard let first = children.first else { return }
    // All leaves are on the same level, so the first child tells what the others are.
    let areInterior = try versions.kind(first, .before) == .interior
    for child in children where areInterior || written.contains(child) { parents[child] = number }
    guard areInterior else { return }
    for child in children { try link(child, versions, &seen, level: level + 1) }
  }

  private func owner(of page: UInt32) -> TreeTable? {
    var page = page
    for _ in 0..<Self.mostLevels {
      if let table = tables[page] { return table }
      guard let parent = parents[page] else { return nil }
      page = parent
    }
    return nil
  }

  private static func schema(_ versions: PageVersions, _ moment: PageVersions.Moment) throws(FileError) -> [UInt32:
    TreeTable]
  {
    var tables: [UInt32: TreeTable] = [1: .schema]
    var rows = RowsOfSubtree(versions, moment, skipping: [:])
    try rows.visit(1) { page, cell throws(FileError) in
      let record = try wholeRecord(cell, on: page, versions, moment)
      if let table = TreeTable(schemaRow: Record(record[...])), tables[table.root] == nil { tables[table.root] = table }
    }
    return tables
  }

  /// Brings the trees up to date with the commit, and tells what it changed.
  mutating func changes(
    in versions: PageVersions, interest: RowInterest, onRow: (WatchedRow) -> Void
  ) throws(FileError) -> CommitChanges {
    var compared = ComparedRows(versions: versions, interest: interest)
    let pages = versions.written.keys.sorted()
    let ownersBefore = Dictionary(uniqueKeysWithValues: pages.compactMap { page in owner(of: page).map { (page, $0) } })

    // What hangs below interior pages, before and after.
    var lost: [Link: UInt32] = [:]
    var gained: [(child: UInt32, parent: UInt32)] = []
    for page in pages {
      if let table = ownersBefore[page], try versions.kind(page, .before) == .interior {
        for child in try versions.page(page, .before).children { lost[Link(table: table.name, child: child)] = page }
      }
      guard try versions.kind(page, .after) == .interior else { continue }
      for child in try versions.page(page, .after).children { gained.append((child, page)) }
    }

    let before = tables
    if try changesSchema(versions, ownersBefore) {
      tables = try Self.schema(versions, .after)
      compared.changes.changesSchema = true
    }
    // A table that was dropped or moved lost all its pages.
    for (root, table) in before where tables[root]?.name != table.name {
      lost[Link(table: table.name, child: root)] = 0
    }

    // Subtrees that are no longer linked: their pages were freed without being written.
    let kept = Set(gained.map(\.child))
    for link in lost.keys.sorted() where !kept.contains(link.child) && versions.written[link.child] == nil {
      var rows = RowsOfSubtree(versions, .before, skipping: versions.written)
      let table = before.values.first { $0.name == link.table }
      try rows.visit(link.child) { page, cell throws(FileError) in
        if let table { try compared.note(cell, on: page, of: table, .before) }
      }
      for page in rows.visited { parents[page] = nil }
      if rows.isDamaged { compared.changes.damagedTables.insert(link.table) }
    }
    for (link, parent) in lost where parents[link.child] == parent { parents[link.child] = nil }
    for (child, parent) in gained { parents[child] = parent }

    let ownersAfter = Dictionary(uniqueKeysWithValues: pages.compactMap { page in owner(of: page).map { (page, $0) } })
    for page in pages where ownersAfter[page] == nil { try compared.noteLoose(page) }
    for page in pages { try compared.compare(page, before: ownersBefore[page], after: ownersAfter[page]) }
    // Tables that appeared with pages that were not written: one that was renamed.
    for (root, table) in tables where before[root]?.name != table.name && versions.written[root] == nil {
      var rows = RowsOfSubtree(versions, .after, skipping: versions.written)
      try rows.visit(root) { page, cell throws(FileError) in try compared.note(cell, on: page, of: table, .after) }
    }
    return try compared.finish(trees: self, onRow)
  }

  /// Whether the commit wrote the schema's table, or counted a change of the schema.
  private func changesSchema(_ versions: PageVersions, _ owners: [UInt32: TreeTable]) throws(FileError) -> Bool {
    if owners.contains(where: { $0.key != 1 && $0.value == .schema }) { return true }
    guard versions.written[1] != nil else { return false }
    let (before, after) = (try versions.bytes(1, .before), try versions.bytes(1, .after))
    let counter = 40..<44
    guard before.count >= DatabaseHeader.size, after.count >= DatabaseHeader.size else { return true }
    return before[counter] != after[counter] || before[DatabaseHeader.size...] != after[DatabaseHeader.size...]
  }

  /// The leaf with the row whose long value has a part on `page`, and its table, by the pointer map; nil where that is a
  /// page of an index.
  func leaf(ofOverflow page: UInt32, _ map: PointerMap) throws(FileError) -> (page: UInt32, table: TreeTable)? {
    var page = page
    var leaf: UInt32?
    for _ in 0..<1_000_000 {
      switch try map.entry(of: page) {
      case (1, _)?: return tables[page].map { (leaf ?? page, $0) }
      case (3, let parent)?:
        leaf = parent
        page = parent
      case (4, let parent)?, (5, let parent)?: page = parent
      default: return nil
      }
    }
    return nil
  }

  private struct Link: Hashable, Comparable {
    var table: String
    var child: UInt32

    static func < (left: Self, right: Self) -> Bool { (left.child, left.table) < (right.child, right.table) }
  }
}

extension WatchedRow {
  init(_ table: TreeTable, _ rowid: Int64, _ record: Record) {
    self.init(table: table.name, columns: table.columns, rowid: rowid, record: record)
  }
}

/// The rows below a page.
struct RowsOfSubtree {
  private let versions: PageVersions
  private let moment: PageVersions.Moment
  private let skipped: [UInt32: Int]
  /// The pages that were read.
  private(set) var visited: Set<UInt32> = []
  /// Whether a page could not be read as one of a table.
  private(set) var isDamaged = false

  init(_ versions: PageVersions, _ moment: PageVersions.Moment, skipping: [UInt32: Int]) {
    self.versions = versions
    self.moment = moment
    skipped = skipping
  }

  /// Calls `body` with each row, each page once.
  mutating func visit(
    _ root: UInt32, _ body: (TreePage, TreePage.Cell) throws(FileError) -> Void
  ) throws(FileError) {
    var pending = [root]
    while let number = pending.popLast() {
      guard skipped[number] == nil, visited.insert(number).inserted else { continue }
      let page = try versions.page(number, moment)
      switch page.kind {
      case .interior: pending += page.children.reversed()
      case .leaf:
        guard let rows = page.rows() else {
          isDamaged = true
          continue
        }
        for row in rows { try body(page, row) }
      case .other: isDamaged = true
      }
    }
  }
}

/// The bytes of a row, with those on overflow pages.
func wholeRecord(
  _ cell: TreePage.Cell, on page: TreePage, _ versions: PageVersions, _ moment: PageVersions.Moment
) throws(FileError) -> [UInt8] {
  var record = Array(page.bytes[cell.local])
  var chain = OverflowChain(cell, versions, moment)
  while let (_, content) = try chain.next() { record += content }
  return record
}

/// The overflow pages of a row, in order.
struct OverflowChain {
  private let versions: PageVersions
  private let moment: PageVersions.Moment
  private var nextPage: UInt32
  private var rest: Int

  init(_ cell: TreePage.Cell, _ versions: PageVersions, _ moment: PageVersions.Moment) {
    self.versions = versions
    self.moment = moment
    nextPage = cell.overflow ?? 0
    rest = cell.length - cell.local.count
  }

  /// The next page and its content; nil at the end.
  ///
  /// "The first four bytes of each overflow page are a big-endian integer which is the page number of the next page in the
  /// chain, or zero for the final page in the chain."
  mutating func next() throws(FileError) -> (page: UInt32, content: ArraySlice<UInt8>)? {
    guard nextPage > 0, rest > 0 else { return nil }
    let page = nextPage
    let bytes = try versions.bytes(page, moment)
    let content = bytes.prefix(versions.usableSize).dropFirst(4).prefix(rest)
    guard !content.isEmpty else { return nil }
    rest -= content.count
    nextPage = bytes.withUnsafeBytes { $0.word(at: 0) } ?? 0
    return (page, content)
  }
}

/// The pointer map of a database with auto-vacuum: for each page what it is, and which page refers to it.
///
/// https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages
struct PointerMap {
  private let versions: PageVersions

  /// Nil for a database without one.
  init?(_ versions: PageVersions) throws(FileError) {
    let header = try? DatabaseHeader(try versions.bytes(1, .after, count: DatabaseHeader.size))
    guard let header, header.largestRootPage > 0 else { return nil }
    self.versions = versions
  }

  private var perPage: UInt32 { UInt32(clamping: versions.usableSize / 5) }

  /// The page of the map that tells of `page`.
  private func mapPage(of page: UInt32) -> UInt32 {
    let map = (page - 2) / (perPage + 1) * (perPage + 1) + 2
    return map == UInt32(clamping: 0x4000_0000 / versions.pageSize + 1) ? map + 1 : map
  }

  /// Whether `page` is one of the map.
  func holds(_ page: UInt32) -> Bool { page >= 2 && mapPage(of: page) == page }

  /// Kind and referring page; nil where there is none.
  func entry(of page: UInt32) throws(FileError) -> (kind: UInt8, parent: UInt32)? {
    guard page > 2 else { return nil }
    let map = mapPage(of: page)
    guard page > map else { return nil }
    let bytes = try versions.bytes(map, .after)
    let offset = 5 * Int(page - map - 1)
    guard offset + 5 <= min(bytes.count, versions.usableSize) else { return nil }
    return bytes.withUnsafeBytes { bytes in bytes.word(at: offset + 1).map { (bytes[offset], $0) } }
  }
}
