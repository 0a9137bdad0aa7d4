import StoreSQLite

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
    reading pages: CommitPages, written: Set<UInt32>, interest: RowInterest, onRow: (WatchedRow) -> Void
  ) throws(FileError) {
    self.written = written
    tables = [1: .schema]
    tables = try Self.schema(pages, at: .before)
    var seen: Set<UInt32> = []
    for table in tables.values.sorted(by: { $0.root < $1.root }) {
      try link(table.root, in: pages, seen: &seen, level: 0)
      guard interest.watchedBefore.contains(table.name) else { continue }
      var rows = RowsOfSubtree(pages, at: .before)
      let encoding = pages.layout(.before).encoding
      try rows.visit(table.root) { page, cell in
        onRow(WatchedRow(table, rowid: cell.key, record: Array(page.bytes[cell.local]), encoding: encoding))
      }
    }
  }

  private mutating func link(
    _ number: UInt32, in pages: CommitPages, seen: inout Set<UInt32>, level: Int
  ) throws(FileError) {
    guard level < Self.mostLevels, seen.insert(number).inserted else { return }
    let children = try pages.page(number, at: .before).children
    guard let first = children.first else { return }
    // All leaves are on the same level, so the first child tells what the others are.
    let areInterior = try pages.kind(first, at: .before) == .interiorTable
    for child in children where areInterior || written.contains(child) { parents[child] = number }
    guard areInterior else { return }
    for child in children { try link(child, in: pages, seen: &seen, level: level + 1) }
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

  private static func schema(
    _ pages: CommitPages, at moment: CommitPages.Moment
  ) throws(FileError) -> [UInt32: TreeTable] {
    var tables: [UInt32: TreeTable] = [1: .schema]
    var rows = RowsOfSubtree(pages, at: moment)
    var record = Record()
    let encoding = pages.layout(moment).encoding
    try rows.visit(1) { page, cell throws(FileError) in
      let payload = try pages.payload(of: cell, on: page, at: moment)
      let entry = payload.withUnsafeBytes { record.read($0) ? PageSchema.Entry(record, $0, encoding) : nil }
      if let table = entry.flatMap({ TreeTable($0) }), tables[table.root] == nil { tables[table.root] = table }
    }
    return tables
  }

  /// Brings the trees up to date with the commit, and tells what it changed.
  mutating func changes(
    in pages: CommitPages, interest: RowInterest, onRow: (WatchedRow) -> Void
  ) throws(FileError) -> CommitChanges {
    var compared = ComparedRows(pages: pages, interest: interest)
    let written = pages.written.keys.sorted()
    let ownersBefore = Dictionary(
      uniqueKeysWithValues: written.compactMap { page in owner(of: page).map { (page, $0) } })

    // What hangs below interior pages, before and after.
    var lost: [Link: UInt32] = [:]
    var gained: [(child: UInt32, parent: UInt32)] = []
    for page in written {
      if let table = ownersBefore[page] {
        for child in try pages.children(of: page, at: .before) { lost[Link(table: table.name, child: child)] = page }
      }
      for child in try pages.children(of: page, at: .after) { gained.append((child, page)) }
    }

    let before = tables
    if try changesSchema(pages, owners: ownersBefore) {
      tables = try Self.schema(pages, at: .after)
      compared.changes.changesSchema = true
    }
    // A table that was dropped or moved lost all its pages.
    for (root, table) in before where tables[root]?.name != table.name {
      lost[Link(table: table.name, child: root)] = 0
    }

    // Subtrees that are no longer linked: their pages were freed without being written.
    let kept = Set(gained.map(\.child))
    for link in lost.keys.sorted() where !kept.contains(link.child) && pages.written[link.child] == nil {
      var rows = RowsOfSubtree(pages, at: .before, skipping: pages.written)
      let table = before.values.first { $0.name == link.table }
      try rows.visit(link.child) { page, cell throws(FileError) in
        if let table { try compared.note(cell, on: page, of: table, at: .before) }
      }
      for page in rows.visited { parents[page] = nil }
      if rows.isDamaged { compared.changes.damagedTables.insert(link.table) }
    }
    for (link, parent) in lost where parents[link.child] == parent { parents[link.child] = nil }
    for (child, parent) in gained { parents[child] = parent }

    let ownersAfter = Dictionary(
      uniqueKeysWithValues: written.compactMap { page in owner(of: page).map { (page, $0) } })
    for page in written where ownersAfter[page] == nil { try compared.noteLoose(page) }
    for page in written { try compared.compare(page, before: ownersBefore[page], after: ownersAfter[page]) }
    // Tables that appeared with pages that were not written: one that was renamed.
    for (root, table) in tables where before[root]?.name != table.name && pages.written[root] == nil {
      var rows = RowsOfSubtree(pages, at: .after, skipping: pages.written)
      try rows.visit(root) { page, cell throws(FileError) in try compared.note(cell, on: page, of: table, at: .after) }
    }
    return try compared.finish(trees: self, onRow)
  }

  /// Whether the commit wrote the schema's table, or counted a change of the schema.
  private func changesSchema(_ pages: CommitPages, owners: [UInt32: TreeTable]) throws(FileError) -> Bool {
    if owners.contains(where: { $0.key != 1 && $0.value == .schema }) { return true }
    guard pages.written[1] != nil else { return false }
    let (before, after) = (try pages.bytes(of: 1, at: .before), try pages.bytes(of: 1, at: .after))
    guard before.count >= DatabaseHeader.size, after.count >= DatabaseHeader.size else { return true }
    let cookie = DatabaseHeader.Offset.schemaCookie..<DatabaseHeader.Offset.schemaFormat
    return before[cookie] != after[cookie] || before[DatabaseHeader.size...] != after[DatabaseHeader.size...]
  }

  /// The leaf with the row whose long value has a part on `page`, and its table, by the pointer map; nil where that is a
  /// page of an index.
  ///
  /// - Parameter leaves: the leaf of each overflow page that was asked for, 0 for none: none is asked for twice, however
  ///   long the chain is, or where the map has a circle.
  func leaf(
    ofOverflow page: UInt32, in pages: CommitPages, leaves: inout [UInt32: UInt32]
  ) throws(FileError) -> (page: UInt32, table: TreeTable)? {
    var (place, way, leaf) = (page, [UInt32](), UInt32(0))
    search: while true {
      if let known = leaves[place] {
        leaf = known
        break
      }
      leaves[place] = 0
      way.append(place)
      guard let entry = try pages.pointerMapEntry(place) else { break }
      switch entry.kind {
      case .overflowNext: place = entry.parent
      case .overflowFirst:
        leaf = entry.parent
        break search
      case .root, .tree, .free: break search
      }
    }
    for page in way { leaves[page] = leaf }
    return leaf == 0 ? nil : try table(above: leaf, in: pages).map { (leaf, $0) }
  }

  /// The table to whose tree a page belongs, by the pointer map.
  private func table(above page: UInt32, in pages: CommitPages) throws(FileError) -> TreeTable? {
    var page = page
    for _ in 0..<Self.mostLevels {
      guard let entry = try pages.pointerMapEntry(page) else { return nil }
      switch entry.kind {
      case .root: return tables[page]
      case .tree: page = entry.parent
      case .overflowFirst, .overflowNext, .free: return nil
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
