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
/// - Throws: `StoreError`, `FileError`; `RecoveryOfMoment` for a store as of a commit of its log.
public func recover(_ path: PosixPath) throws -> Recovery { try recover(path, log: nil) }

/// The same with a write-ahead log that is read in place of the one beside the store; nil for that one.
package func recover(_ path: PosixPath, log: PosixPath?) throws -> Recovery {
  var opening = Store.Options()
  opening.log = log
  let store = try Store(try StoreLocator.locate(path), options: opening)
  if let moment = store.asOf { throw RecoveryOfMoment(path: store.path, moment: moment) }
  let pages = try PageFiles(store.files, usesWAL: store.connection.readsWAL)
  let search = try PageRecovery(pages)
  let tables = StoreTables(store)
  search.refine(tables.refine)
  try search.search()
  var recovery = Recovery()
  recovery.isStore = true
  let judged = try search.judged()
  let found = FoundRows(search.found, in: search.files)
  var layouts = RowLayouts(tables, search, found)
  var trimmed = TrimmedHistory()
  // With room for keys that only a gap shows.
  recovery.rows.reserveCapacity(judged.count + Recovery.listedGaps)
  for one in judged {
    let candidate = found.candidates[Int(one.index)]
    let table = search.templates[Int(candidate.template)].table
    if RecoveredModel.tables.contains(table) {
      let row = RecoveredRow(one, layouts.layout(Int(candidate.template), entity: nil))
      if let model = RecoveredModel(row, now: store.metadata.hashes) { recovery.models.append(model) }
      continue
    }
    if TrimmedHistory.tables.contains(table), one.kind == .deleted {
      trimmed.add(RecoveredRow(one, layouts.layout(Int(candidate.template), entity: nil)))
      continue
    }
    guard let row = try tables.row(one, candidate: candidate, in: search, layouts: &layouts),
      try !tables.isFalseLink(row, in: search, template: Int(candidate.template))
    else { continue }
    recovery.rows.append(row)
  }
  recovery.takeBackDeletions(in: search.damagedTables)
  recovery.dateCommits(try store.commitTimes(isNeeded: recovery.isSeenInLog))
  try recovery.addHistory(store, trimmed: trimmed)
  try recovery.addGaps(search, store: store, tables: tables)
  var reading = Reading(store)
  reading.sound = search.damagedTables.isEmpty ? .yes : .no
  reading.damage = search.damagedTables.sorted(by: codeUnitsPrecede).map {
    "\($0) is damaged: what it does not show may be there all the same, and counts are bounds"
  }
  recovery.notes += reading.clauses
  recovery.reading = reading
  recovery.finish(search, files: store.files)
  try store.checkUnchanged()
  return recovery
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

/// Which entity, and which property, a value of a table belongs to.
struct StoreTables {
  private let store: Store
  /// The entities of each table, the root first.
  let entities: [String: [EntityLayout]]
  private var names: [String: [Int64: [String: Stored]]] = [:]

  /// The content of a column for one entity.
  private struct Stored {
    var name: String
    var type: AttributeType?
  }

  init(_ store: Store) {
    self.store = store
    entities = Dictionary(grouping: store.layout.entities.filter(\.tableExists), by: \.table)
    for (table, members) in entities {
      for entity in members { names[table, default: [:]][entity.id.number] = Self.names(of: entity) }
    }
  }

  /// Whether a table is one of Core Data's own that hold no objects.
  private static func isBookkeeping(_ table: String) -> Bool {
    switch OwnTable(table) {
    case .entityMap, .metadata, .modelCache, .history: true
    case .mirroring, nil: false
    }
  }

  private static func names(of entity: EntityLayout) -> [String: Stored] {
    var names: [String: Stored] = [:]
    for attribute in entity.attributes {
      for column in attribute.columns {
        guard let name = column.name else { continue }
        names[name] = Stored(
          name: ([attribute.property.name] + column.leaf).joined(separator: "."),
          type: attribute.property.element(at: column.leaf)?.attribute?.type)
      }
    }
    for relationship in entity.relationships {
      if case .key(let column?, _, _) = relationship.storage { names[column] = Stored(name: relationship.name) }
    }
    return names
  }

  /// The root entity of a table.
  func root(of table: String) -> EntityLayout? {
    entities[table].flatMap { members in members.first { $0.parent == nil } ?? members.first }
  }

  /// Adds to a template what Core Data writes in every row.
  func refine(_ template: inout RowTemplate) {
    let columns = template.columns.map(\.name)
    if let number = HistoryTable(rawValue: template.table)?.entityNumber, let column = columns.firstIndex(of: "Z_ENT") {
      template.coreData = .init(entityColumn: column, entities: [number], versionColumn: nil)
    }
    guard let members = entities[template.table], let root = root(of: template.table), columns.first == "Z_PK",
      let entity = columns.firstIndex(of: "Z_ENT")
    else { return }
    template.coreData = .init(
      entityColumn: entity, entities: Set(members.map(\.id.number)),
      versionColumn: root.id.isInternal ? nil : columns.firstIndex(of: "Z_OPT"),
      namingColumns: Self.namingColumns(members).compactMap { columns.firstIndex(of: $0) })
    template.largestKey = store.entityMap[root.id]?.highWater.map { max($0, template.largestLive) }
  }

  /// The columns of UUIDs.
  private static func namingColumns(_ members: [EntityLayout]) -> [String] {
    let columns = members.flatMap(\.attributes).filter { $0.property.attribute?.type == .uuid }.flatMap(\.columns)
    return Set(columns.compactMap(\.name)).sorted()
  }

  /// Whether a row of a many-to-many table is no link that is gone: it names a key that was never handed out, the same
  /// link exists, or it is only in unused space of pages of other tables and indexes, where two small numbers mean
  /// nothing.
  func isFalseLink(_ row: RecoveredRow, in search: PageRecovery, template: Int) throws -> Bool {
    guard let join = store.layout.joinTables.first(where: { $0.name == row.table }) else { return false }
    let isElsewhere = row.places.allSatisfy { place in
      place.how != .cell && !search.isFree(place.page)
        && !search.isOf(template, page: place.page)
    }
    if isElsewhere { return true }
    let values = row.values
    var keys: [(column: String, key: Int64)] = []
    for end in [join.source, join.destination] {
      guard let value = values.first(where: { $0.column == end.column })?.value else { continue }
      let target = store.layout.entity(named: end.entity).flatMap { root(of: $0.table) }
      let largest = target.flatMap { store.entityMap[$0.id]?.highWater } ?? .max
      guard case .integer(let key) = value, key >= 1, key <= largest else { return true }
      keys.append((end.column, key))
    }
    // Bytes of which neither end is left are evidence of nothing.
    guard !keys.isEmpty else { return true }
    guard keys.count == 2 else { return false }
    let terms = keys.map { "\(quotedIdentifier($0.column)) = ?" }.joined(separator: " AND ")
    let statement = try store.connection.prepare("SELECT 1 FROM \(quotedIdentifier(join.name)) WHERE \(terms)")
    for (index, key) in keys.enumerated() { try statement.bind(key.key, at: index + 1) }
    return try statement.step()
  }

  /// The result for a row that was found; nil for Core Data's own tables.
  fileprivate func row(
    _ judged: PageRecovery.Judged, candidate: Candidate, in search: PageRecovery, layouts: inout RowLayouts
  ) throws -> RecoveredRow? {
    let template = search.templates[Int(candidate.template)]
    guard !Self.isBookkeeping(template.table) else { return nil }
    let number = try template.coreData.flatMap { try search.integer($0.entityColumn, of: candidate) }
    let entity = number.flatMap { number in entities[template.table]?.first { $0.id.number == number } }
    if entity?.id.isInternal == true { return nil }
    return RecoveredRow(judged, layouts.layout(Int(candidate.template), entity: number))
  }

  /// The layout of the rows of one table and entity.
  fileprivate func layout(_ template: RowTemplate, entity number: Int64?, found: FoundRows) -> RowLayout {
    let entity = number.flatMap { number in entities[template.table]?.first { $0.id.number == number } }
    let names = number.flatMap { self.names[template.table]?[$0] } ?? [:]
    let others = Set((self.names[template.table] ?? [:]).values.flatMap(\.keys)).subtracting(names.keys)
    let columns = template.columns.map { declared in
      var column = RowLayout.Column(declared, template)
      column.name = names[declared.name]?.name ?? declared.name
      column.type = names[declared.name]?.type
      column.isOfOthers = others.contains(declared.name)
      return column
    }
    return RowLayout(columns, entity: entity?.name, table: template.table, found)
  }
}

/// The layouts of rows by table and entity, each made once.
private struct RowLayouts {
  private struct Kind: Hashable {
    var template: Int
    var entity: Int64?
  }

  private let tables: StoreTables
  private let search: PageRecovery
  private let found: FoundRows
  private var layouts: [Kind: RowLayout] = [:]

  init(_ tables: StoreTables, _ search: PageRecovery, _ found: FoundRows) {
    self.tables = tables
    self.search = search
    self.found = found
  }

  mutating func layout(_ template: Int, entity: Int64?) -> RowLayout {
    let kind = Kind(template: template, entity: entity)
    if let layout = layouts[kind] { return layout }
    let layout = tables.layout(search.templates[template], entity: entity, found: found)
    // Numbers of no entity are what hostile bytes say.
    if layouts.count < 10_000 { layouts[kind] = layout }
    return layout
  }
}

extension Recovery {
  /// What only a damaged table does not show is not taken for deleted: its page may hang in no tree any more, or hide a row.
  fileprivate mutating func takeBackDeletions(in damaged: Set<String>) {
    guard !damaged.isEmpty else { return }
    for index in rows.indices where rows[index].kind == .deleted && rows[index].grade != .proved {
      if let table = rows[index].table, damaged.contains(table) { rows[index].kind = .unreachable }
    }
  }

  /// Where every key that was handed out is in use, no object is gone: a row without a key is an earlier version of one.
  ///
  /// - Returns: how many rows they are.
  private mutating func takeForVersions(in table: String) -> Int {
    var count = 0
    for index in rows.indices where rows[index].table == table && rows[index].kind == .deleted && rows[index].key == nil
    {
      rows[index].kind = .earlierVersion
      count += 1
    }
    return count
  }

  /// Keys of one table that are listed one by one; the rest is counted.
  fileprivate static let listedGaps = 100_000

  /// Adds the keys that were handed out, are not in use, and of which nothing else is left; and counts.
  fileprivate mutating func addGaps(_ search: PageRecovery, store: Store, tables: StoreTables) throws {
    var tallies: [String: GoneTally] = [:]
    for row in rows { tallies[row.table ?? "", default: GoneTally()].add(row) }
    for (index, template) in search.templates.enumerated() {
      guard let root = tables.root(of: template.table), !root.id.isInternal, let page = template.root else { continue }
      let gone = tallies.removeValue(forKey: template.table) ?? GoneTally()
      var summary = TableSummary(
        name: root.name, table: template.table, ever: store.entityMap[root.id]?.highWater,
        live: search.liveRows[index])
      (summary.proved, summary.shown, summary.earlierVersions) = (gone.proved, gone.shown, gone.earlierVersions)
      if let largest = summary.ever, largest > 0 {
        let explained = gone.keys
        let gaps = try search.gaps(root: page, upTo: largest)
        if gaps.ranges.isEmpty, search.doubt(index, largestEver: largest) == nil {
          let versions = takeForVersions(in: template.table)
          summary.earlierVersions += versions
          summary.shown -= versions
        }
        summary.implied = gaps.count(without: explained)
        if let doubt = search.doubt(index, largestEver: largest) {
          if summary.implied > 0 { notes.append("\(root.name): \(doubt)") }
          summary.implied = 0
          summary.ever = store.entityMap[root.id]?.keysHandedOut
          self.summary.append(summary)
          continue
        }
        let isOnly = (tables.entities[template.table]?.count ?? 0) == 1
        let owner = RowOwner(entity: isOnly ? root.name : nil, table: template.table)
        for key in gaps.keys(without: explained, limit: Self.listedGaps) {
          var row = RecoveredRow(kind: .deleted, grade: .implied)
          row.source = .key(owner)
          row.key = key
          rows.append(row)
        }
        if summary.implied > Self.listedGaps {
          notes.append(
            "\(root.name): of \(summary.implied) keys that only a gap shows, the first \(Self.listedGaps) are listed")
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
  /// The keys of deleted rows, as far as known.
  var keys: Set<Int64> = []

  mutating func add(_ row: RecoveredRow) {
    guard row.kind == .deleted else {
      if row.kind == .earlierVersion { earlierVersions += 1 }
      return
    }
    if row.grade == .proved { proved += 1 }
    if row.grade == .shown { shown += 1 }
    if let key = row.key { keys.insert(key) }
  }
}

extension Property {
  /// The element of a composite attribute at a path; the attribute itself for an empty path.
  fileprivate func element(at path: [String]) -> Property? {
    var property: Property? = self
    for name in path { property = property?.attribute?.elements?.first { $0.name == name } }
    return property
  }
}

extension PageRecovery {
  /// Why a key that a table does not have proves nothing; nil where it proves that an object was deleted.
  fileprivate func doubt(_ template: Int, largestEver: Int64) -> String? {
    if largestEver > EntityMap.Row.mostKeys {
      return
        "Z_MAX is \(largestEver), more keys than a store hands out; those that are missing below it are not counted"
    }
    if damagedTables.contains(templates[template].table) {
      return "its table is damaged, so that a key which is not seen is not taken for deleted"
    }
    return nil
  }
}

/// The ranges of keys that a table does not have.
struct KeyGaps {
  /// Ascending and apart from each other.
  var ranges: [ClosedRange<Int64>] = []

  /// How many keys there are besides `others`.
  func count(without others: Set<Int64>) -> Int64 {
    let all = ranges.reduce(Int64(0)) { $0 &+ ($1.upperBound - $1.lowerBound + 1) }
    return all - Int64(others.count { key in contains(key) })
  }

  /// The first keys besides `others`.
  func keys(without others: Set<Int64>, limit: Int) -> [Int64] {
    var keys: [Int64] = []
    for range in ranges {
      var key = range.lowerBound
      while key <= range.upperBound {
        guard keys.count < limit else { return keys }
        if !others.contains(key) { keys.append(key) }
        key += 1
      }
    }
    return keys
  }

  private func contains(_ key: Int64) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(key)
  }
}

extension PageRecovery {
  /// The keys from 1 to `largest` that the table does not have.
  func gaps(root: UInt32, upTo largest: Int64) throws -> KeyGaps {
    var gaps = KeyGaps()
    var next: Int64 = 1
    var walk = BTreeWalk(view, root: root)
    // A damaged table, whose keys are not in order, has no gaps that prove anything.
    try walk.run(readsOverflow: false) { row in
      guard let key = row.cell.rowID, key >= next, key < .max else { return true }
      if key > next, next <= largest { gaps.ranges.append(next...min(key - 1, largest)) }
      next = key + 1
      return true
    }
    if next <= largest { gaps.ranges.append(next...largest) }
    return gaps
  }
}
