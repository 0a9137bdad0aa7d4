import SQLitePages
import StoreCoreData
import StoreSQLite
import StoreWords

/// Recovers deleted rows, and earlier versions of rows, from any SQLite database by its schema alone.
///
/// - Parameter log: the write-ahead log to read in place of the one beside it.
/// - Throws: `FileError`, or `StoreError` for a file that is no database.
package func recoverRows(_ path: PosixPath, log: PosixPath? = nil) throws -> Recovery {
  let files = try DatabaseFiles(path, log: log)
  let pages: PageFiles
  var reading = Reading()
  do {
    let header = try? DatabaseHeader(of: files.main)
    let facts = try header.flatMap { try WALFacts(pagesOf: files, header: $0) }
    pages = try PageFiles(files, usesWAL: facts?.isReadable ?? true)
    reading = Reading(files, header: header ?? pages.header, wal: facts)
  } catch let error as DatabaseHeader.Invalid {
    throw try StoreError(path: path.description, noDatabase: files.main, after: error)
  }
  var recovery = try recoverRows(pages, files: files)
  (reading.sound, reading.damage) = (recovery.reading?.sound ?? .unknown, recovery.reading?.damage ?? [])
  recovery.notes = reading.clauses + recovery.notes
  recovery.reading = reading
  if let changed = files.changedFile() { throw FileError(path: changed, kind: .changed) }
  return recovery
}

/// The same for files that are open.
package func recoverRows(_ pages: PageFiles, files: DatabaseFiles?) throws -> Recovery {
  let search = try PageRecovery(pages)
  try search.findDroppedTables()
  try search.search()
  var recovery = Recovery()
  let judged = try search.judged()
  let found = FoundRows(search.found, in: search.files)
  let layouts = search.templates.map { RowLayout($0, found) }
  recovery.rows = judged.map { RecoveredRow($0, layouts[Int(found.candidates[Int($0.index)].template)]) }
  recovery.takeBackDeletions(in: search.damagedTables)
  var reading = Reading()
  reading.takeDamage(search)
  if search.schema.faults.count > 0 {
    reading.sound = .no
    reading.damage.append("the schema is damaged: rows of tables that it does not show were not looked for")
  }
  recovery.reading = reading
  recovery.finish(search, files: files)
  return recovery
}

extension Reading {
  /// Says which tables are damaged, and what else rows may be hidden by.
  mutating func takeDamage(_ search: PageRecovery) {
    let tables = search.damagedTables
    sound = tables.isEmpty && search.lostPages.count == 0 ? .yes : .no
    damage = tables.sorted(by: codeUnitsPrecede).map {
      "\($0) \(search.doubtedTables[$0] ?? "is damaged"): what it does not show may be there all the same, and counts are "
        + "bounds"
    }
    if let words = search.lostPageWords {
      damage.append("\(words): a row there may be a live one that cannot be reached, and counts are bounds")
    }
  }
}

extension Recovery {
  /// What only a damaged table does not show is not taken for deleted: its page may hang in no tree any more, or hide a row.
  mutating func takeBackDeletions(in damaged: Set<String>) {
    guard !damaged.isEmpty else { return }
    for index in rows.indices where rows[index].kind == .deleted && rows[index].grade != .proved {
      if let table = rows[index].table, damaged.contains(table) { rows[index].kind = .unreachable }
    }
  }

  /// Adds what the search knows besides rows, and sorts them.
  mutating func finish(_ search: PageRecovery, files: DatabaseFiles?) {
    notes += search.notes
    if search.found.count >= PageRecovery.limit {
      let words =
        "the search stopped after \(PageRecovery.limit) rows: the rest of the file was not searched, and counts are what "
        + "there is at least"
      notes.append(words)
      reading?.unread.append(words)
    }
    droppedTables = search.droppedTables
    database = Database(search)
    bytesSearched = search.bytesSearched
    freedSpace = search.freedSpace
    evidence = files
    for (role, file) in [("main", files?.main), ("wal", files?.wal), ("journal", files?.journal)] {
      if let file { self.files.append(File(role: role, path: file.path, size: file.size, location: file.location)) }
    }
    sortRows()
    number()
  }

  /// By table, key and place, so that two runs are equal. There may be millions of rows, so their order is found without moving
  /// them.
  private mutating func sortRows() {
    let tables = Set(rows.map { $0.table ?? "" }).sorted()
    let ranks = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1, Int32(clamping: $0)) })
    var order = rows.indices.map { index in
      RowOrder(table: ranks[rows[index].table ?? ""] ?? 0, index: Int32(clamping: index), key: rows[index].key ?? .max)
    }
    order.sort { left, right in
      if left.table != right.table { return left.table < right.table }
      if left.key != right.key { return left.key < right.key }
      let (first, second) = (rows[Int(left.index)], rows[Int(right.index)])
      // A key that is not known is behind all that are.
      if (first.key == nil) != (second.key == nil) { return second.key == nil }
      guard let place = first.place, let other = second.place else { return first.place == nil && second.place != nil }
      return RecoveredRow.Place.isBefore(place, other)
    }
    arrange(&order)
  }

  /// Puts each row where the order has its number, one cycle after the other: a second list of rows would take as much memory
  /// again.
  private mutating func arrange(_ order: inout [RowOrder]) {
    for start in order.indices {
      var (place, source) = (start, Int(order[start].index))
      while source != start {
        rows.swapAt(place, source)
        order[place].index = Int32(clamping: place)
        (place, source) = (source, Int(order[source].index))
      }
      order[place].index = Int32(clamping: place)
    }
  }
}

/// What a row is sorted by.
private struct RowOrder {
  var table: Int32
  var index: Int32
  var key: Int64
}
