import SQLitePages
import StoreCoreData
import StoreSQLite
import StoreWords

/// Recovers deleted rows, and earlier versions of rows, from any SQLite database by its schema alone.
///
/// - Parameters:
///   - path: a file of any name, or one in an archive or backup (`ARCHIVE!member/path`).
///   - log: the write-ahead log to read in place of the one beside it.
///   - limit: the search stops when it has found so many rows.
/// - Throws: `FileError`, or `StoreError` for a file that is no database.
package func recoverRows(
  _ path: PosixPath, log: PosixPath? = nil, limit: Int = Recovery.mostFound
) throws -> Recovery {
  let path = try StoreLocator.locateDatabase(path)
  let files = try DatabaseFiles(path, log: log)
  let pages: PageFiles
  var reading = Reading()
  do {
    let header = try? DatabaseHeader(of: files.main)
    let facts = try header.flatMap { try WALFacts(pagesOf: files, header: $0) }
    pages = try PageFiles(files, usesWAL: facts?.isReadable ?? true)
    reading = Reading(files, header: header ?? pages.header, wal: facts)
  } catch let error as DatabaseHeader.Invalid {
    throw try StoreError(path: path.description, noDatabaseIn: files, after: error)
  }
  var recovery = try recoverRows(pages, files: files, limit: limit)
  (reading.sound, reading.damage) = (recovery.reading?.sound ?? .unknown, recovery.reading?.damage ?? [])
  recovery.notes = reading.clauses + recovery.notes
  reading.unread += recovery.reading?.unread ?? []
  recovery.reading = reading
  if let changed = files.changedFile() { throw FileError(path: changed, kind: .changed) }
  return recovery
}

/// The same for files that are open.
package func recoverRows(
  _ pages: PageFiles, files: DatabaseFiles?, limit: Int = Recovery.mostFound
) throws -> Recovery {
  let search = try PageRecovery(pages, limit: limit)
  try search.findDroppedTables()
  try search.search()
  var recovery = Recovery()
  recovery.rows.reserveCapacity(try search.judge())
  let found = search.foundRows
  let layouts = search.templates.map { RowLayout($0, found) }
  search.forEachResult(where: { _ in true }) { index in
    let candidate = search.found[Int(index)]
    recovery.rows.append(
      RecoveredRow(
        kind: candidate.kind, grade: search.grade(of: candidate), layout: layouts[candidate.template], index: index))
  }
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
    damage = tables.subtracting(search.lostTables).sorted(by: codeUnitsPrecede).map {
      "\($0) \(search.doubtedTables[$0] ?? "is damaged"): what it does not show may be there all the same, and counts are "
        + "bounds"
    }
    if !search.lostTables.isEmpty {
      damage.append(
        "the way to the rows of \(counted(search.lostTables.count, "table")) is lost: a row that was not found there may be live "
          + "all the same, so that none is called deleted which nothing else proves")
    }
    if let words = search.lostPageWords {
      damage.append("\(words): a row there may be a live one that cannot be reached, and counts are bounds")
    }
  }
}

extension PageRecovery {
  /// How many rows of freed pages were left out, since they fit nothing that is known; nil for none.
  fileprivate func unfittingWords(ofStore isStore: Bool) -> String? {
    guard !unfittingRows.isEmpty else { return nil }
    let count = unfittingRows.count
    let rows = (count < Self.mostUnfitting ? "" : "at least ") + counted(Int64(count), "row")
    let (fit, are) = count == 1 ? ("fits", "is") : ("fit", "are")
    let known = isStore ? "version of the model" : "table"
    return "\(rows) on freed pages \(fit) no \(known) that is known, and \(are) left out"
      + (isStore ? "; --model reads rows by an earlier version of the app's model" : "")
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

  /// Adds what the search knows besides rows, and numbers them.
  mutating func finish(_ search: PageRecovery, files: DatabaseFiles?) {
    notes += search.notes
    if let words = search.unfittingWords(ofStore: isStore) { notes.append(words) }
    if search.isStopped {
      let words =
        "the search stopped after \(grouped(Int64(search.found.count))) rows: \(counted(search.bytesUnsearched, "byte")) of "
        + "\(counted(search.bytesSearched + search.bytesUnsearched, "byte")) were not searched, and counts are what there is at least"
      notes.append(words)
      reading?.unread.append(words)
    }
    droppedTables = search.droppedTables
    database = Database(search)
    (bytesSearched, bytesUnsearched) = (search.bytesSearched, search.bytesUnsearched)
    freedSpace = search.freedSpace
    evidence = files
    for (role, file) in [("main", files?.main), ("wal", files?.wal), ("journal", files?.journal)] {
      if let file { self.files.append(File(role: role, path: file.path, size: file.size, location: file.location)) }
    }
    number()
  }

  /// Puts the rows that were added behind others, which are in order, in their places: by table, key and place, so that two
  /// runs are equal.
  mutating func sortRows(behind sorted: Int) {
    guard rows.count > sorted else { return }
    var tables: Set<String> = []
    var last: ObjectIdentifier?
    for row in rows where row.sourceID != last || tables.isEmpty {
      last = row.sourceID
      tables.insert(row.table ?? "")
    }
    let byName = Dictionary(uniqueKeysWithValues: tables.sorted().enumerated().map { ($1, $0) })
    var ranks = RecentSources()
    func isBefore(_ left: RecoveredRow, _ right: RecoveredRow) -> Bool {
      if left.sourceID != right.sourceID {
        let first = ranks.number(of: left) { byName[left.table ?? ""] ?? 0 }
        let second = ranks.number(of: right) { byName[right.table ?? ""] ?? 0 }
        if first != second { return first < second }
      }
      let (key, other) = (left.key ?? .max, right.key ?? .max)
      if key != other { return key < other }
      // A key that is not known is behind all that are.
      if (left.key == nil) != (right.key == nil) { return right.key == nil }
      guard let found = left.layout?.found, let place = left.candidate?.place, let otherPlace = right.candidate?.place
      else { return left.candidate == nil && right.candidate != nil }
      return PlaceRef.isBefore(place, otherPlace, in: found.files)
    }
    // The places of the new ones among the others, from the last to the first, which makes room for those before.
    let added = rows[sorted...].sorted(by: isBefore)
    var (end, place) = (sorted, rows.count)
    for row in added.reversed() {
      // Most are near each other: first in steps that double, then between the last two.
      var (low, high, step) = (0, end, 1)
      while high - step > 0, isBefore(row, rows[high - step]) { (high, step) = (high - step, 2 * step) }
      low = max(0, high - step)
      while low < high {
        let middle = (low + high) / 2
        if isBefore(row, rows[middle]) { high = middle } else { low = middle + 1 }
      }
      while end > low {
        end -= 1
        place -= 1
        rows.swapAt(end, place)
      }
      place -= 1
      rows[place] = row
    }
  }
}
