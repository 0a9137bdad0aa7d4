/// Rows of a commit's pages, compared within each page first and then by rowid.
struct ComparedRows {
  var changes = CommitChanges()
  private let versions: PageVersions
  private let interest: RowInterest
  /// Rows of each table that no equal row on the same page cancels.
  private var left: [String: Left] = [:]
  /// Written pages that are in no tree: long values, free pages.
  private var loose: Set<UInt32> = []
  private var hasLoosePages = false
  /// Leaves that were compared.
  private var comparedPages: Set<UInt32> = []

  private struct Left {
    var table: TreeTable
    var before: [Row] = []
    var after: [Row] = []
  }

  private struct Row {
    var rowid: Int64
    var tag: Int64?
    var hash: UInt64
    /// The record's beginning, for watched tables.
    var record: [UInt8]
  }

  init(versions: PageVersions, interest: RowInterest) {
    self.versions = versions
    self.interest = interest
  }

  /// Takes down a written page that is in no tree. To be called before rows are compared.
  mutating func noteLoose(_ page: UInt32) throws(FileError) {
    guard try isLoose(page) else { return }
    loose.insert(page)
    hasLoosePages = true
  }

  /// Compares the rows of one written page.
  mutating func compare(_ number: UInt32, before: TreeTable?, after: TreeTable?) throws(FileError) {
    let old = try before.map { table throws(FileError) in (table, try versions.page(number, .before)) }
    let new = try after.map { table throws(FileError) in (table, try versions.page(number, .after)) }
    let oldRows = rows(of: old)
    let newRows = rows(of: new)
    if before != nil || after != nil { comparedPages.insert(number) }
    guard let old, let new, old.0.name == new.0.name else {
      for row in oldRows { if let old { try note(row, on: old.1, of: old.0, .before) } }
      for row in newRows { if let new { try note(row, on: new.1, of: new.0, .after) } }
      return
    }
    try merge(oldRows, on: old.1, with: newRows, on: new.1, of: new.0)
  }

  private mutating func rows(of place: (table: TreeTable, page: TreePage)?) -> [TreePage.Cell] {
    guard let place else { return [] }
    guard place.page.kind != .other, let rows = place.page.rows() else {
      changes.damagedTables.insert(place.table.name)
      return []
    }
    return rows
  }

  /// Both in ascending order of rowid.
  private mutating func merge(
    _ old: [TreePage.Cell], on oldPage: TreePage, with new: [TreePage.Cell], on newPage: TreePage, of table: TreeTable
  ) throws(FileError) {
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if j == new.count || (i < old.count && old[i].rowid < new[j].rowid) {
        try note(old[i], on: oldPage, of: table, .before)
        i += 1
      } else if i == old.count || new[j].rowid < old[i].rowid {
        try note(new[j], on: newPage, of: table, .after)
        j += 1
      } else {
        if try !isEqual(old[i], on: oldPage, new[j], on: newPage) {
          try note(old[i], on: oldPage, of: table, .before)
          try note(new[j], on: newPage, of: table, .after)
        }
        i += 1
        j += 1
      }
    }
  }

  private mutating func isEqual(
    _ old: TreePage.Cell, on oldPage: TreePage, _ new: TreePage.Cell, on newPage: TreePage
  ) throws(FileError) -> Bool {
    guard old.length == new.length, old.overflow == new.overflow else { return false }
    let isSame = oldPage.bytes.withUnsafeBytes { one in
      newPage.bytes.withUnsafeBytes { other in
        areEqual(UnsafeRawBufferPointer(rebasing: one[old.local]), UnsafeRawBufferPointer(rebasing: other[new.local]))
      }
    }
    guard isSame, hasLoosePages, new.overflow != nil else { return isSame }
    var chain = OverflowChain(new, versions, .after)
    var isTouched = false
    while let (page, _) = try chain.next() { if versions.written[page] != nil { isTouched = true } }
    return !isTouched
  }

  /// Remembers a row that has no equal on its page.
  mutating func note(
    _ cell: TreePage.Cell, on page: TreePage, of table: TreeTable, _ moment: PageVersions.Moment
  ) throws(FileError) {
    var hash = ByteHash()
    page.bytes.withUnsafeBytes { bytes in
      let local = UnsafeRawBufferPointer(rebasing: bytes[cell.local])
      // Rows from before a column was added lack it; stored again, they end with NULL for it, which is no change.
      if let (types, header) = Record.types(in: local) {
        hash.add(UnsafeRawBufferPointer(rebasing: local[types]))
        hash.end()
        hash.add(UnsafeRawBufferPointer(rebasing: local[header...]))
      } else {
        hash.add(local)
      }
    }
    var chain = OverflowChain(cell, versions, moment)
    while let (number, content) = try chain.next() {
      content.withUnsafeBytes { hash.add($0) }
      if moment == .after { loose.remove(number) }
    }
    let record = Record(page.bytes[cell.local])
    let tag = table.columns.firstIndex(of: interest.tagColumn).flatMap { record.integer($0) }
    let isWatched = moment == .after && interest.watched.contains(table.name)
    let row = Row(
      rowid: cell.rowid, tag: tag, hash: hash.value,
      record: isWatched ? Array(page.bytes[cell.local]) : [])
    switch moment {
    case .before: left[table.name, default: Left(table: table)].before.append(row)
    case .after: left[table.name, default: Left(table: table)].after.append(row)
    }
  }

  private func isLoose(_ page: UInt32) throws(FileError) -> Bool {
    let first = try versions.bytes(page, .after, count: 1).first
    // Pages of indexes.
    return page > 1 && first != 0x02 && first != 0x0A
  }

  /// Pairs what is left by rowid.
  mutating func finish(trees: Trees, _ onRow: (WatchedRow) -> Void) throws(FileError) -> CommitChanges {
    try placeLoosePages(trees)
    for (name, left) in left where name != TreeTable.schema.name {
      var before: [Int64: Row] = [:]
      for row in left.before { before[row.rowid] = row }
      for row in left.after {
        let place = CommitChanges.Place(table: name, tag: row.tag)
        let old = before.removeValue(forKey: row.rowid)
        if let old, old.hash == row.hash { continue }
        if let old, old.tag == row.tag {
          changes.rows[place, default: .init()].changed += 1
        } else {
          // The same key for an object of another entity is another object.
          if let old { changes.rows[.init(table: name, tag: old.tag), default: .init()].removed += 1 }
          changes.rows[place, default: .init()].added += 1
        }
        if interest.watched.contains(name) { onRow(WatchedRow(left.table, row.rowid, Record(row.record[...]))) }
      }
      for row in before.values { changes.rows[.init(table: name, tag: row.tag), default: .init()].removed += 1 }
    }
    return changes
  }

  /// Finds the rows of long values whose own pages were not written.
  private mutating func placeLoosePages(_ trees: Trees) throws(FileError) {
    guard !loose.isEmpty else { return }
    try leaveOutFreePages()
    guard !loose.isEmpty else { return }
    if let map = try PointerMap(versions) {
      for page in loose.sorted() where map.holds(page) { loose.remove(page) }
      for page in loose.sorted() {
        // Pages of long keys in an index belong to no table's leaf; their rows are known from the table.
        guard let (leaf, table) = try trees.leaf(ofOverflow: page, map) else {
          loose.remove(page)
          continue
        }
        guard comparedPages.insert(leaf).inserted else { continue }
        let content = try versions.page(leaf, .after)
        guard let rows = content.rows() else { continue }
        try merge(rows, on: content, with: rows, on: content, of: table)
      }
      return
    }
    // Long values of rows on pages that were compared are known.
    changes.unplacedPages = loose.count
  }

  private mutating func leaveOutFreePages() throws(FileError) {
    let header = try? DatabaseHeader(try versions.bytes(1, .after, count: DatabaseHeader.size))
    var trunk = header?.freelistFirst ?? 0
    var seen: Set<UInt32> = []
    while trunk > 0, seen.insert(trunk).inserted {
      loose.remove(trunk)
      let bytes = try versions.bytes(trunk, .after)
      let (next, count) = bytes.withUnsafeBytes { ($0.word(at: 0) ?? 0, Int($0.word(at: 4) ?? 0)) }
      for index in 0..<min(count, max(0, bytes.count / 4 - 2)) {
        bytes.withUnsafeBytes { if let leaf = $0.word(at: 8 + 4 * index) { loose.remove(leaf) } }
      }
      trunk = next
    }
  }
}

/// A hash of 64 bits, to tell versions of one row apart.
private struct ByteHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var pending: UInt64 = 0
  private var pendingBytes = 0

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    if pendingBytes == 0 {
      while bytes.count - offset >= 8 {
        mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
    }
    while offset < bytes.count {
      pending |= UInt64(bytes[offset]) << UInt64(8 * pendingBytes)
      pendingBytes += 1
      offset += 1
      if pendingBytes == 8 {
        mix(pending)
        (pending, pendingBytes) = (0, 0)
      }
    }
  }

  /// Ends a part, so that what follows begins anew.
  mutating func end() {
    mix(pending)
    mix(UInt64(pendingBytes))
    (pending, pendingBytes) = (0, 0)
  }

  var value: UInt64 {
    var copy = self
    copy.end()
    return copy.state
  }

  private mutating func mix(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = high ^ low &+ 0x9E37_79B9_7F4A_7C15
  }
}
