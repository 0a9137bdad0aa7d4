import StoreFindings
import StorePlatform
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// How to read the tables of a store.
package struct ScanOptions: Sendable {
  /// The most examples of a finding.
  package var examples: Int
  /// How thorough SQLite's integrity check is.
  package var integrity: IntegrityReport.Depth
  /// How the rows of tables are read.
  package var rows: RowReading

  /// By default five examples, and indexes compared with their tables.
  package init(
    examples: Int = 5, integrity: IntegrityReport.Depth = .full, rows: RowReading = .usual(threads: Platform.cores)
  ) {
    self.examples = max(examples, 0)
    self.integrity = integrity
    self.rows = rows
  }
}

/// The reads that checks need of a store's tables. Requests are collected first; then each table is read once, from end
/// to end, in the order of its keys.
///
/// References need no second read. The first read keeps the keys of every entity as bitmaps (`KeySet`), and every key
/// in a key column with its row (`NumberLog`, some 3 to 5 bytes a link). Whether a key leads to a row is then decided
/// in memory, with exact counts and example rows, whatever the order of the tables.
///
/// Of a table that cannot be read to its end, the facts of the part before are kept; every check that asked for it is
/// listed as skipped, with the reason.
package final class Scan {
  /// The store that is read.
  package let store: Store
  /// How to read.
  package let options: ScanOptions
  /// The most examples of a finding.
  package var exampleLimit: Int { options.examples }
  /// The store's layout, by name and number.
  package let map: StoreMap
  private(set) var tables: [String: TableScan] = [:]
  /// The visitors of each table's rows, by table name. No visitor may hold the scan.
  private var interests: [String: [RowInterest]] = [:]
  /// The checks that asked for missing tables, by table.
  private var missedBy: [String: Set<String>] = [:]
  private var reasons: Set<Reason> = []
  /// The check that is making requests.
  private var asking = ""
  private var integrityReport: IntegrityReport?
  /// The result of `tablesWithDamagedPages()`.
  private var knownDamage: Set<String>?
  /// Tables whose pages SQLite finds damaged. They may be read to the end and still hide rows, so what was not found
  /// there is not known to be missing.
  package var damagedTables: Set<String> = []
  // Many checks make the same requests, so places are computed once, and what is read there is found by its index among
  // the places. (An array that is made lazily would be copied at each change.)
  private var knownValueColumns: [Int: ValueColumn] = [:]
  private var knownExternalColumns: [Int: ExternalColumn] = [:]
  private var knownKeyColumns: [Int: KeyColumn] = [:]
  private var linksByTable: [String: JoinLinks] = [:]
  private var knownObjectTables: [ObjectTable]?

  private struct Reason: Hashable {
    var check: String
    var words: String
  }

  /// An empty scan. `map` is reused if given; it must belong to `store`.
  package init(_ store: Store, _ options: ScanOptions = ScanOptions(), map: StoreMap? = nil) {
    self.store = store
    self.options = options
    self.map = map ?? StoreMap(store)
  }

  /// Runs a part of the check with this id, so that its requests, and what is not available, are recorded for it.
  package func asking<Result>(_ check: String, body: () throws -> Result) rethrows -> Result {
    asking = check
    defer { asking = "" }
    return try body()
  }

  /// Notes that the present check could not examine something.
  package func skip(_ reason: String) {
    reasons.insert(Reason(check: asking, words: reason))
  }

  /// The same for several things, of which the first few are named.
  package func skip(_ names: [String], reason: String) {
    if !names.isEmpty { skip("\(firstOf(names)): \(reason)") }
  }

  /// The objects that could not be examined, by check.
  package var skipped: [SkippedCheck] {
    let missing = missedBy.map { check, tables in
      let words = tables.count == 1 ? "there is no table" : "there are no tables"
      return Reason(check: check, words: "\(words) \(firstOf(tables.sorted(by: codeUnitsPrecede)))")
    }
    return reasons.union(missing).map { .init(check: $0.check, reason: $0.words) }
      .sorted { ($0.check, $0.reason) < ($1.check, $1.reason) }
  }

  private func firstOf(_ names: [String]) -> String {
    names.prefix(5).map(quoted).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }

  /// Reads every requested table.
  ///
  /// - Throws: `SQLiteError` when reading was interrupted, by the deadline or on request.
  package func read() throws {
    let pages = PageReading(store.connection, options.rows)
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      try table.read(
        store.connection, pages: pages, for: interests.removeValue(forKey: name) ?? [], exampleLimit: exampleLimit)
      if damagedTables.contains(name) { table.distrust(Self.pagesAreDamaged) }
      noteDamage(name, table: table)
    }
  }

  /// After the read, takes what was read of these tables for a part, each for its cause.
  package func distrust(_ causes: [String: String]) {
    for (name, table) in tables {
      guard let cause = causes[name] else { continue }
      table.distrust(cause)
      noteDamage(name, table: table)
    }
  }

  private static let pagesAreDamaged = "SQLite finds damaged pages in it (SD102)"

  private func noteDamage(_ name: String, table: TableScan) {
    guard let damage = table.damage else { return }
    for check in table.askedBy {
      reasons.insert(Reason(check: check, words: "table \(quoted(name)) cannot be read whole: \(damage)"))
    }
  }
}

/// The table of a root entity. A class, because many checks iterate over all of them and a layout is large to copy.
package final class ObjectTable {
  /// The root entity.
  package let root: EntityLayout
  /// Its table.
  package let table: TableScan

  fileprivate init(root: EntityLayout, table: TableScan) {
    self.root = root
    self.table = table
  }
}

extension Scan {
  /// The tables that could not be read to the end, by name.
  package var unreadTables: [TableScan] {
    tables.values.filter { $0.damage != nil }.sorted { codeUnitsPrecede($0.name, $1.name) }
  }

  /// The number of rows of each entity, in the tables that were read, including rows in a table where they do not
  /// belong.
  package var population: [EntityPopulation] {
    var counts: [EntityID: Int64] = [:]
    for table in tables.values {
      for case (let entity?, let keys) in table.keysByEntity { counts[entity, default: 0] += Int64(keys.count) }
    }
    return store.layout.entities.filter { !$0.id.isInternal }.map { entity in
      .init(entity: entity.name, rows: counts[entity.id] ?? 0)
    }
  }
}

// MARK: Requests

extension Scan {
  /// A table of the store; nil, and noted as skipped, where there is none of that name.
  package func table(_ name: String) -> TableScan? {
    if let known = tables[name] {
      known.ask(for: asking)
      return known
    }
    guard let shape = store.shape.tables[name] else {
      missedBy[asking, default: []].insert(name)
      return nil
    }
    let table = TableScan(shape, entityMap: store.entityMap)
    table.ask(for: asking)
    tables[name] = table
    return table
  }

  /// Adds a visitor for the rows of these entities, or for all rows of a table.
  ///
  /// - Parameters:
  ///   - kinds: columns of which only the storage class is needed, so that pages with large values are not read.
  ///   - make: makes the visitor; gets the indexes of `columns`, then those of `kinds`.
  package func visit<Visitor: RowVisitor>(
    _ table: TableScan, entities: Set<EntityID>?, columns: [String], kinds: [String] = [],
    make: ([Int]) -> Visitor
  ) -> Visitor {
    let visitor = make(table.indexes(of: columns, kinds: kinds))
    interests[table.name, default: []].append(RowInterest(entities: entities, visitor: visitor))
    return visitor
  }

  /// The table of every root entity of the model, by entity number; without those of history and CloudKit.
  package func objectTables() -> [ObjectTable] {
    if let knownObjectTables {
      for objects in knownObjectTables { objects.table.ask(for: asking) }
      return knownObjectTables
    }
    let roots = store.layout.entities.filter { !$0.id.isInternal && $0.parent == nil }
    let tables = roots.compactMap { root in table(root.table).map { ObjectTable(root: root, table: $0) } }
    // With tables missing, the result is not kept, so that each check notes them.
    if tables.count == roots.count { knownObjectTables = tables }
    return tables
  }

  /// Tables named and made like those of entities that belong to no entity of the layout.
  package func tablesWithoutEntity() -> [TableScan] {
    store.tablesWithoutEntity.compactMap { table($0) }
  }

  /// Every column with keys of a relationship, by entity number and name; filled by the read.
  package func keyColumns() -> [KeyColumn] {
    keyPlaces().enumerated().compactMap { position, place in
      if let known = knownKeyColumns[position] {
        known.holder.ask(for: asking)
        known.target.ask(for: asking)
        return known
      }
      guard let holder = table(place.table), let target = table(place.targetTable) else { return nil }
      let columns = [place.column] + [place.companion, place.orderKey].compactMap(\.self)
      let column = visit(holder, entities: place.holders, columns: columns) { indexes in
        KeyColumn(place, holder: holder, target: target, indexes: indexes, exampleLimit: exampleLimit)
      }
      knownKeyColumns[position] = column
      return column
    }
  }

  /// The places of those columns. What the layout cannot place is skipped, with the reason.
  package func keyPlaces() -> [KeyColumn.Place] {
    skip(map.keyPlaces.withoutColumn, reason: "not looked at, because no column is known for it")
    skip(map.keyPlaces.withoutDestination, reason: "not looked at, because it is not known where it leads")
    return map.keyPlaces.places
  }

  /// Every column of an attribute that may have one of these defects, which the read will look for.
  package func values(_ defects: ValueDefects) -> [ValueColumn] {
    skip(map.attributePlaces.withoutColumn, reason: "not looked at, because no column is known for it")
    return map.attributePlaces.places.enumerated().compactMap { position, place in
      guard !place.possibleDefects.isDisjoint(with: defects) else { return nil }
      if let known = knownValueColumns[position] {
        known.holder.ask(for: asking)
        known.want(defects)
        return known
      }
      guard let holder = holder(of: place) else { return nil }
      let column = valueColumn(place, in: holder)
      knownValueColumns[position] = column
      column.want(defects)
      return column
    }
  }

  private func valueColumn(_ place: AttributePlace, in holder: TableScan) -> ValueColumn {
    let expected = place.leaf.attribute.flatMap {
      ExpectedStorage($0.type, declared: holder.declaredType(of: place.column))
    }
    let isLarge = expected.map { $0 == .bytes } ?? true
    let (columns, kinds) = isLarge ? ([], [place.column]) : ([place.column], [])
    return visit(holder, entities: place.holders, columns: columns, kinds: kinds) { indexes in
      ValueColumn(place, in: holder, expected: expected, index: indexes[0], exampleLimit: exampleLimit)
    }
  }

  /// The table of an attribute; nil, and noted as skipped, where it is missing or has more columns than can be read.
  package func holder(of place: AttributePlace) -> TableScan? {
    guard let holder = table(place.table) else { return nil }
    guard holder.hasRoom else {
      skip("table \(quoted(place.table)) has too many columns to look at all of them")
      return nil
    }
    return holder
  }

  /// Every column whose values may be in external files; filled with references by the read.
  package func externalColumns() -> [ExternalColumn] {
    map.attributePlaces.places.enumerated().compactMap { position, place in
      guard place.leaf.attribute?.allowsExternalStorage == true, let holder = holder(of: place) else { return nil }
      if let known = knownExternalColumns[position] { return known }
      let column = visit(holder, entities: place.holders, columns: [place.column]) { indexes in
        ExternalColumn(place, holder: holder, index: indexes[0], exampleLimit: exampleLimit)
      }
      knownExternalColumns[position] = column
      return column
    }
  }

  /// The links of every many-to-many relationship, by table; filled by the read.
  package func joinLinks() -> [JoinLinks] {
    skipUndecidedJoinTables()
    return store.layout.joinTables.compactMap { layout in
      guard let place = joinPlace(layout.name), let links = table(layout.name),
        let source = table(place.source.table), let destination = table(place.destination.table)
      else { return nil }
      if let known = linksByTable[layout.name] { return known }
      let join = visit(links, entities: nil, columns: place.columns) { indexes in
        JoinLinks(
          place, table: links, source: source, destination: destination, indexes: indexes,
          exampleLimit: exampleLimit)
      }
      linksByTable[layout.name] = join
      return join
    }
  }

  /// Notes as skipped the tables of many-to-many relationships whose columns are not told apart.
  package func skipUndecidedJoinTables() {
    for table in store.layout.undecidedJoinTables { skip("table \(quoted(table.table)): \(table.why)") }
  }

  /// Where the links of a many-to-many relationship are; nil, and noted as skipped, where an end is unknown.
  package func joinPlace(_ table: String) -> JoinLinks.Place? {
    if let place = map.joinPlaces[table] { return place }
    skip("table \(quoted(table)): the relationship it belongs to is not known")
    return nil
  }
}

// MARK: Without reading tables

extension Scan {
  /// The result of SQLite's integrity check, which runs once.
  package func integrity() throws -> IntegrityReport {
    if let integrityReport { return integrityReport }
    let report = try store.integrity(options.integrity)
    integrityReport = report
    return report
  }

  /// Whether the tables show all their rows, as far as SQLite was asked for all pages.
  package var soundness: Reading.Soundness {
    guard let integrityReport else { return .unknown }
    if !integrityReport.damagedTables.isEmpty || integrityReport.problem != nil { return .no }
    // A page that is in no tree may be one that a tree has lost.
    return integrityReport.otherComplaints == 0 ? .yes : .unknown
  }

  /// The tables with damaged pages. Checks indexes, which takes five times as long, only if another check needs that.
  package func tablesWithDamagedPages() throws -> Set<String> {
    if let integrityReport { return integrityReport.damagedTables }
    if let knownDamage { return knownDamage }
    let damaged = try store.integrity(.quick).damagedTables
    knownDamage = damaged
    return damaged
  }

  /// Whether pages of the whole file have been looked at.
  var hasLookedAtPages: Bool { integrityReport != nil || knownDamage != nil }

  /// Whether all indexes were held against their tables, and none differed.
  var indexesAreKnownToAgree: Bool { options.integrity == .full && integrityReport?.isOK == true }

  /// The highest key of a table, after the read; nil without rows, and noted where it cannot be read. A table that no
  /// check asked for is not read: the last row of its tree has it.
  package func highestKey(_ table: String) throws -> Int64? {
    guard store.shape.tables[table]?.has("Z_PK") == true else { return nil }
    if let read = tables[table], read.isWhole { return read.highestKey }
    do {
      let rows = try store.connection.prepare("SELECT max(Z_PK) FROM \(quotedIdentifier(table))")
      return try rows.step() && !rows.isNull(0) ? rows.int64(0) : nil
    } catch {
      if error.endsReading { throw error }
      skip("table \(quoted(table)) cannot be read: \(error.message)")
      return nil
    }
  }
}

extension SQLiteError {
  /// Whether reading must stop altogether. A table that takes more work than its size can need is damaged, and only its
  /// own read ends.
  package var endsReading: Bool {
    switch interruption {
    case .deadline, .request: true
    case .work, nil: false
    }
  }
}
