import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// Recovers deleted objects, and earlier versions of objects, from a store.
///
/// Rows are found among the pages (`recoverRows`), told apart by `Z_ENT`, and judged by their keys: a key in use is an
/// earlier version, one that was handed out and is not in use a deleted object. Persistent history proves deletions,
/// also of objects of which nothing else is left; keys that nothing explains are implied.
///
/// Rows that were written by an earlier version of the model are read by that version, as far as the file tells of it.
///
/// - Throws: `StoreError`, `FileError`; `RecoveryOfMoment` for a store as of a commit of its log.
public func recover(_ path: PosixPath) throws -> Recovery { try recover(path, log: nil) }

/// The same with a write-ahead log that is read in place of the one beside the store, nil for that one; and with models that
/// the store had before.
///
/// - Parameters:
///   - formerModels: each with the name that results give it.
///   - limit: the search stops when it has found so many rows.
///   - opening: how the store is opened, with what is read in place of one that is too damaged for that: then what was found in
///     its pages tells what is there, and no row is called deleted that may be on a page which was not found.
package func recover(
  _ path: PosixPath, log: PosixPath?, formerModels: [(name: String, model: Model)] = [],
  limit: Int = Recovery.mostFound, opening: Store.Options = Store.Options()
) throws -> Recovery {
  var opening = opening
  opening.log = log
  let store = try Store(try StoreLocator.locate(path), options: opening)
  if let moment = store.asOf { throw RecoveryOfMoment(path: store.path, moment: moment) }
  let (search, tables, openQuestions) = try searched(store, formerModels, limit: limit)
  var recovery = Recovery()
  recovery.isStore = true
  recovery.uuid = store.metadata.uuid
  try search.chooseReadings { try tables.mayBe($0, of: $1, in: search) }
  let results = try search.judge()
  let found = search.foundRows
  var layouts = RowLayouts(tables, search, found)
  var trimmed = TrimmedHistory()
  let uses = search.templates.map { tables.use(of: $0.table) }
  for (index, candidate) in found.candidates.enumerated()
  where uses[candidate.template] != .rows && !candidate.isDropped {
    let template = candidate.template
    func row() -> RecoveredRow {
      RecoveredRow(
        kind: candidate.kind, grade: search.grade(of: candidate), layout: layouts.layout(template),
        index: Int32(clamping: index))
    }
    if uses[template] == .models, let model = RecoveredModel(row(), now: store.metadata.hashes) {
      recovery.models.append(model)
    } else if uses[template] == .history, candidate.kind == .deleted {
      trimmed.add(row())
    }
  }
  // With room for keys that only a gap shows.
  recovery.rows.reserveCapacity(results + Recovery.listedGaps)
  try search.forEachResult(where: { uses[$0] == .rows }) { index in
    let row = try tables.row(Int(index), found.candidates[Int(index)], in: search, layouts: &layouts)
    if let row { recovery.rows.append(row) }
  }
  recovery.leaveNumbersOpen(in: layouts.tablesOfOthers)
  recovery.takeBackDeletions(in: search.damagedTables.union(store.isStandIn ? search.tablesNotInSchema : []))
  recovery.leaveOpen(tables)
  found.dateCommits(try store.commitTimes(isNeeded: found.hasProof && recovery.isSeenInLog))
  let named = tables.entitiesByNumber
  let unclear = try trimmed.resolve { try tables.resolved($0, among: named[$0.entity] ?? []) }
  if unclear > 0 {
    recovery.notes.append(
      "\(unclear) \(unclear == 1 ? "change" : "changes") trimmed from the history \(unclear == 1 ? "names" : "name") an "
        + "entity by a number that two versions of the model use: left out")
  }
  let sorted = recovery.rows.count
  try recovery.addHistory(store, trimmed: trimmed)
  recovery.sortRows(behind: sorted)
  let sortedWithHistory = recovery.rows.count
  try recovery.addGaps(search, store: store, tables: tables)
  recovery.sortRows(behind: sortedWithHistory)
  var reading = Reading(store)
  let truncation = reading.truncation
  let ofSchema = reading.damage.filter { $0.hasPrefix(IntegrityReport.DamagedTree.schema) || $0 == truncation }
  let ofStandIn = store.isStandIn ? reading.damage : []
  reading.takeDamage(search)
  if store.isStandIn { (reading.sound, reading.damage) = (.no, ofStandIn + reading.damage) }
  if !ofSchema.isEmpty { reading.sound = .no }
  reading.damage += ofSchema
  recovery.notes += reading.clauses + openQuestions
  recovery.reading = reading
  recovery.live = LiveRows(of: recovery.rows, in: search, tables: tables, layouts: &layouts)
  recovery.finish(search, files: store.files)
  try store.checkUnchanged()
  return recovery
}

/// Searches the pages of a store by today's version of its model, and once more where versions from before are known that read
/// some row otherwise.
///
/// - Returns: the search, how its rows are read, and what no version explains, in words.
private func searched(
  _ store: Store, _ formerModels: [(name: String, model: Model)], limit: Int
) throws -> (search: PageRecovery, tables: StoreTables, openQuestions: [String]) {
  let pages = try store.foundPages?.files ?? PageFiles(store.files, usesWAL: store.connection.readsWAL)
  let search = try PageRecovery(pages, found: store.foundPages, limit: limit)
  var tables = StoreTables(store)
  try search.findDroppedTables(successors: FormerNames(store).tables)
  search.refine(tables.refine)
  try search.noteForeignTables()
  try search.noteForeignLeaves()
  search.addForeign()
  try search.search()
  let former = try FormerEvidence(store, search, given: formerModels)
  search.removeForeign()
  if !former.versions.isEmpty || former.hasForeign {
    tables.add(former.versions)
    try search.searchAgain(with: tables)
  }
  return (search, tables, former.notes)
}

/// Why deleted objects of a store as of an earlier commit are not looked for.
package struct RecoveryOfMoment: Error, CustomStringConvertible {
  let path: String
  let moment: StoreMoment

  /// Advice on what to do.
  package var description: String {
    "cannot search \(quoted(path)) (\(moment.words)): deleted objects are looked for in the main file and in all commits "
      + "of its log; omit the @ and its number"
  }
}

extension Recovery {
  /// Where one row of a table cannot be of today's version, any other that was found may not be either: what stands in the
  /// place of a number need not be that one.
  fileprivate mutating func leaveNumbersOpen(in tables: Set<String>) {
    guard !tables.isEmpty else { return }
    var open: [ObjectIdentifier: RowLayout] = [:]
    for index in rows.indices {
      guard let layout = rows[index].layout, layout.takesTodaysPlaces, layout.isOfObjects,
        let table = layout.owner.table, tables.contains(table)
      else { continue }
      let other = open[ObjectIdentifier(layout)] ?? layout.withNumbersOpen()
      open[ObjectIdentifier(layout)] = other
      rows[index].read(by: other)
    }
  }

  /// A row without a key in a table of objects is of an object that is gone, or a version of one that is there; in a dropped
  /// table several may be of one object.
  fileprivate mutating func leaveOpen(_ tables: StoreTables) {
    for index in rows.indices where rows[index].kind == .deleted && rows[index].key == nil {
      if let table = rows[index].table, tables.entities[table] != nil || !rows[index].isLink {
        rows[index].kind = .undecided
      }
    }
  }

  /// Where every key that was handed out is in use, no object is gone: a row without a key is an earlier version of one.
  ///
  /// - Returns: how many rows they are.
  private mutating func takeForVersions(_ ofTable: Range<Int>) -> Int {
    var count = 0
    for index in ofTable where rows[index].kind == .undecided {
      rows[index].kind = .earlierVersion
      count += 1
    }
    return count
  }

  /// Keys of one table that are listed one by one; the rest is counted.
  fileprivate static let listedGaps = 100_000

  /// The rows of each table, which are one behind the other.
  private func rangesByTable() -> [String: Range<Int>] {
    var ranges: [String: Range<Int>] = [:]
    var (start, last) = (0, rows.first?.owner)
    for index in rows.indices where rows[index].owner !== last && rows[index].table != last?.table {
      ranges[last?.table ?? ""] = start..<index
      (start, last) = (index, rows[index].owner)
    }
    if !rows.isEmpty { ranges[last?.table ?? ""] = start..<rows.count }
    return ranges
  }

  /// Adds the keys that were handed out, are not in use, and of which nothing else is left; and counts. Rows are sorted.
  fileprivate mutating func addGaps(_ search: PageRecovery, store: Store, tables: StoreTables) throws {
    let logDoubt = store.wal.flatMap { $0.damage ?? $0.openEnd }.map { _ in
      "the end of its log cannot be read, so that a key which is not seen is not taken for deleted"
    }
    var ranges = rangesByTable()
    for (index, template) in search.templates.enumerated() where !template.isFormer {
      guard template.root != nil || search.lostTables.contains(template.table) else { continue }
      let ofTable = ranges.removeValue(forKey: template.table) ?? 0..<0
      let gone = GoneTally(rows[ofTable])
      guard let root = tables.root(of: template.table) else {
        if gone.isOfLinks {
          summary.append(
            TableSummary(links: gone, table: template.table, live: try search.liveRows(index, of: store)))
        }
        continue
      }
      guard !root.id.isInternal else { continue }
      var summary = TableSummary(
        name: root.name, table: template.table,
        // Of keys fewer than none were handed out by no store: how many is not known.
        ever: store.entityMap[root.id]?.highWater.flatMap { $0 < 0 ? nil : $0 },
        live: try search.liveRows(index, of: store))
      (summary.proved, summary.shown, summary.earlierVersions) = (gone.proved, gone.shown, gone.earlierVersions)
      (summary.undecided, summary.neverCommitted) = (gone.undecided, gone.neverCommitted)
      if let largest = summary.ever, largest > 0 {
        let doubt = search.doubt(index, largestEver: largest) ?? logDoubt
        var gaps = KeyGaps(limit: doubt == nil ? Self.listedGaps : 0)
        var next = ofTable.lowerBound
        // Where a root is lost there are no gaps that prove anything.
        try search.forEachGap(index, upTo: largest) { gap in
          gaps.add(gap) { key in
            // The next key of a deleted row that is not below.
            while next < ofTable.upperBound {
              if let own = rows[next].key, rows[next].kind == .deleted, own >= key { return own }
              next += 1
            }
            return nil
          }
        }
        if gaps.isEmpty, doubt == nil {
          let versions = takeForVersions(ofTable)
          summary.earlierVersions += versions
          summary.undecided -= versions
        }
        summary.implied = gaps.count
        if let doubt {
          if summary.implied > 0 { notes.append("\(root.name): \(doubt)") }
          summary.implied = 0
          summary.ever = store.entityMap[root.id]?.keysHandedOut
          self.summary.append(summary)
          continue
        }
        let isOnly = (tables.entities[template.table]?.count ?? 0) == 1
        let owner = RowOwner(entity: isOnly ? root.name : nil, table: template.table)
        for key in gaps.keys { rows.append(RecoveredRow(grade: .implied, key: key, owner: owner)) }
        summary.unlisted = max(0, summary.implied - Int64(Self.listedGaps))
        if summary.implied > Self.listedGaps {
          notes.append(
            "\(root.name): of \(grouped(summary.implied)) keys that only a gap shows, the first "
              + "\(grouped(Int64(Self.listedGaps))) are listed")
        }
      }
      self.summary.append(summary)
    }
    self.summary.sort { $0.name < $1.name }
  }
}

/// Counts of the rows found for one table.
private struct GoneTally {
  var proved = 0
  var shown = 0
  var earlierVersions = 0
  var undecided = 0
  var neverCommitted = 0
  /// Whether they are rows of a many-to-many table.
  var isOfLinks = false

  init(_ rows: ArraySlice<RecoveredRow>) { for row in rows { add(row) } }

  private mutating func add(_ row: RecoveredRow) {
    if row.isLink { isOfLinks = true }
    switch row.kind {
    case .deleted: break
    case .earlierVersion: return earlierVersions += 1
    case .undecided: return undecided += 1
    case .neverCommitted: return neverCommitted += 1
    case .unreachable: return
    }
    if row.grade == .proved { proved += 1 }
    if row.grade == .shown { shown += 1 }
  }
}

extension Recovery.TableSummary {
  /// The links of a many-to-many table of which something was found.
  fileprivate init(links: GoneTally, table: String, live: Int64) {
    self.init(name: table, table: table, live: live)
    (proved, shown, earlierVersions) = (links.proved, links.shown, links.earlierVersions)
    (undecided, neverCommitted) = (links.undecided, links.neverCommitted)
  }
}

extension PageRecovery {
  /// The rows that a table has: of a store that could not be opened those that were found.
  fileprivate func liveRows(_ template: Int, of store: Store) throws -> Int64 {
    let table = templates[template].table
    guard store.isStandIn, store.shape.tables[table] != nil else { return liveRows[template] }
    return try store.count(table)
  }

  /// Tables that a row in free space tells of, where the schema is not whole: they may be there all the same.
  fileprivate var tablesNotInSchema: Set<String> {
    schema.faults.count > 0 ? Set(formerEntries.filter { $0.type == "table" }.map(\.name)) : []
  }

  /// Why a key that a table does not have proves nothing; nil where it proves that an object was deleted.
  fileprivate func doubt(_ template: Int, largestEver: Int64) -> String? {
    if largestEver > EntityMap.Row.mostKeys {
      return
        "Z_MAX is \(largestEver), more keys than a store hands out; those that are missing below it are not counted"
    }
    if damagedTables.contains(templates[template].table) {
      return "its table is damaged, so that a key which is not seen is not taken for deleted"
    }
    let largest = templates[template].largestLive
    if largest > largestEver {
      return
        "it has the key \(largest), and Z_MAX is \(largestEver): a row may have another's key, so that one which is not seen "
        + "is not taken for deleted"
    }
    if let lostPageWords {
      return "\(lostPageWords), so that a key which is not seen is not taken for deleted"
    }
    if damagedTables.contains("Z_PRIMARYKEY") {
      return "Z_PRIMARYKEY is damaged, so that which keys were handed out is not known"
    }
    return nil
  }
}

/// Keys that a table does not have, and that nothing explains: counted, and the first ones listed.
struct KeyGaps {
  /// The first keys, ascending.
  private(set) var keys: [Int64] = []
  /// How many there are.
  private(set) var count: Int64 = 0
  /// Whether the table has all keys.
  private(set) var isEmpty = true
  private let limit: Int

  /// - Parameter limit: how many are listed.
  init(limit: Int) { self.limit = limit }

  /// Adds a range that is behind all others.
  ///
  /// - Parameter nextKnown: the first key that is explained and not below one; it is asked with ascending ones.
  mutating func add(_ range: ClosedRange<Int64>, nextKnown: (Int64) -> Int64?) {
    isEmpty = false
    var key = range.lowerBound
    while let known = nextKnown(key), known <= range.upperBound {
      if known > key { add(key...known - 1) }
      guard known < range.upperBound else { return }
      key = known + 1
    }
    add(key...range.upperBound)
  }

  private mutating func add(_ range: ClosedRange<Int64>) {
    count &+= range.upperBound - range.lowerBound + 1
    for key in range {
      guard keys.count < limit else { return }
      keys.append(key)
    }
  }
}

extension PageRecovery {
  /// Calls `body` for each range of keys from 1 to `largest` that the table of a template does not have, ascending.
  func forEachGap(_ template: Int, upTo largest: Int64, _ body: (ClosedRange<Int64>) -> Void) throws {
    guard let root = templates[template].root else { return }
    var next: Int64 = 1
    func take(_ key: Int64) {
      guard key >= next, key < .max else { return }
      if key > next, next <= largest { body(next...min(key - 1, largest)) }
      next = key + 1
    }
    if let keys = liveKeys[template] {
      for bits in keys { bits.forEach(take) }
    } else {
      var walk = BTreeWalk(view, root: root)
      // A damaged table, whose keys are not in order, has no gaps that prove anything.
      try walk.run(readsOverflow: false) { row in
        if let key = row.cell.rowID { take(key) }
        return true
      }
    }
    if next <= largest { body(next...largest) }
  }
}
