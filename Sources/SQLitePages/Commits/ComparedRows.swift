import StoreSQLite

/// Rows of a commit's pages, compared within each page first and then by rowid.
struct ComparedRows {
  var changes = CommitChanges()
  private let pages: CommitPages
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

  init(pages: CommitPages, interest: RowInterest) {
    self.pages = pages
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
    let old = try before.map { table throws(FileError) in (table, try pages.page(number, at: .before)) }
    let new = try after.map { table throws(FileError) in (table, try pages.page(number, at: .after)) }
    let oldRows = rows(of: old)
    let newRows = rows(of: new)
    if before != nil || after != nil { comparedPages.insert(number) }
    guard let old, let new, old.0.name == new.0.name else {
      for row in oldRows { if let old { try note(row, on: old.1, of: old.0, at: .before) } }
      for row in newRows { if let new { try note(row, on: new.1, of: new.0, at: .after) } }
      return
    }
    try merge(oldRows, on: old.1, with: newRows, on: new.1, of: new.0)
  }

  private mutating func rows(of place: (table: TreeTable, page: TablePage)?) -> [Cell] {
    guard let place else { return [] }
    guard place.page.kind != .other, let rows = place.page.rows() else {
      changes.damagedTables.insert(place.table.name)
      return []
    }
    return rows
  }

  /// Both in ascending order of rowid.
  private mutating func merge(
    _ old: [Cell], on oldPage: TablePage, with new: [Cell], on newPage: TablePage, of table: TreeTable
  ) throws(FileError) {
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if j == new.count || (i < old.count && old[i].key < new[j].key) {
        try note(old[i], on: oldPage, of: table, at: .before)
        i += 1
      } else if i == old.count || new[j].key < old[i].key {
        try note(new[j], on: newPage, of: table, at: .after)
        j += 1
      } else {
        if try !isEqual(old[i], on: oldPage, to: new[j], on: newPage) {
          try note(old[i], on: oldPage, of: table, at: .before)
          try note(new[j], on: newPage, of: table, at: .after)
        }
        i += 1
        j += 1
      }
    }
  }

  private mutating func isEqual(
    _ old: Cell, on oldPage: TablePage, to new: Cell, on newPage: TablePage
  ) throws(FileError) -> Bool {
    guard old.payloadSize == new.payloadSize, old.overflow == new.overflow else { return false }
    let isSame = oldPage.bytes.withUnsafeBytes { one in
      newPage.bytes.withUnsafeBytes { other in
        areEqual(UnsafeRawBufferPointer(rebasing: one[old.local]), UnsafeRawBufferPointer(rebasing: other[new.local]))
      }
    }
    guard isSame, hasLoosePages, new.overflow != nil else { return isSame }
    var isTouched = false
    try pages.forEachOverflowPage(of: new, at: .after) { page, _ in if pages.written[page] != nil { isTouched = true } }
    return !isTouched
  }

  /// Remembers a row that has no equal on its page.
  mutating func note(
    _ cell: Cell, on page: TablePage, of table: TreeTable, at moment: CommitPages.Moment
  ) throws(FileError) {
    var hash = ByteHash()
    var tag: Int64?
    page.bytes.withUnsafeBytes { bytes in
      let local = UnsafeRawBufferPointer(rebasing: bytes[cell.local])
      guard let header = RecordHeader(local) else { return hash.add(local) }
      // Rows from before a column was added lack it; stored again, they end with NULL for it, which is no change.
      hash.add(UnsafeRawBufferPointer(rebasing: local[header.first..<header.typesEndWithoutLastNulls(local)]))
      hash.end()
      hash.add(UnsafeRawBufferPointer(rebasing: local[header.end...]))
      tag = table.position(of: interest.tagColumn).flatMap { header.field($0, in: local) }
        .flatMap { $0.type.integer(in: local, at: $0.offset) }
    }
    try pages.forEachOverflowPage(of: cell, at: moment) { number, content in
      hash.add(content)
      if moment == .after { loose.remove(number) }
    }
    let isWatched = moment == .after && interest.watched.contains(table.name)
    let row = Row(rowid: cell.key, tag: tag, hash: hash.value, record: isWatched ? Array(page.bytes[cell.local]) : [])
    switch moment {
    case .before: left[table.name, default: Left(table: table)].before.append(row)
    case .after: left[table.name, default: Left(table: table)].after.append(row)
    }
  }

  private func isLoose(_ page: UInt32) throws(FileError) -> Bool {
    guard page > 1 else { return false }
    // Pages of indexes are in trees too.
    return try pages.kind(page, at: .after)?.isTable != false
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
        if interest.watched.contains(name) {
          let encoding = pages.layout(.after).encoding
          onRow(WatchedRow(left.table, rowid: row.rowid, record: row.record, encoding: encoding))
        }
      }
      for row in before.values { changes.rows[.init(table: name, tag: row.tag), default: .init()].removed += 1 }
    }
    return changes
  }

  /// Finds the rows of long values whose own pages were not written.
  private mutating func placeLoosePages(_ trees: Trees) throws(FileError) {
    guard !loose.isEmpty else { return }
    try pages.forEachFreePage { loose.remove($0) }
    guard !loose.isEmpty else { return }
    guard pages.layout(.after).header?.hasPointerMap == true else {
      // Long values of rows on pages that were compared are known.
      changes.unplacedPages = loose.count
      return
    }
    let geometry = pages.layout(.after).geometry
    for page in loose.sorted() where geometry.isPointerMap(page) { loose.remove(page) }
    var leaves: [UInt32: UInt32] = [:]
    for page in loose.sorted() {
      // Pages of long keys in an index belong to no table's leaf; their rows are known from the table.
      guard let (leaf, table) = try trees.leaf(ofOverflow: page, in: pages, leaves: &leaves) else {
        loose.remove(page)
        continue
      }
      guard comparedPages.insert(leaf).inserted else { continue }
      let content = try pages.page(leaf, at: .after)
      guard let rows = content.rows() else { continue }
      try merge(rows, on: content, with: rows, on: content, of: table)
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
