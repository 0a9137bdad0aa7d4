import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// Which entity, and which property, a value of a table belongs to.
struct StoreTables {
  fileprivate let store: Store
  /// The entities of each table, the root first.
  let entities: [String: [EntityLayout]]
  /// For each table the places that Core Data gives its columns in a fresh store.
  private let freshOrder: [String: [String: Int]]
  /// Versions that the store's model had before.
  private(set) var formerVersions: [FormerVersion] = []
  /// How rows are read: by today's version, then by each of those before.
  fileprivate private(set) var readings: [Reading]
  private let links = LinkTables()

  /// A many-to-many table: its ends with the largest keys that were handed out, and the search for one link.
  fileprivate struct LinkTable {
    var source: LinkEnd
    var destination: LinkEnd
    var same: Statement
  }

  fileprivate struct LinkEnd {
    var column: String
    var largest: Int64

    /// Whether what a row has can be the key of an object.
    func mayBe(_ end: RowLayout.End) -> Bool {
      switch end {
      case .lost: true
      case .key(let key): key >= 1 && key <= largest
      case .other: false
      }
    }
  }

  /// Those that rows were asked about: there may be millions of rows.
  private final class LinkTables {
    private var known: [String: LinkTable?] = [:]
    private var last: (name: String, table: LinkTable?)?

    func table(_ name: String, make: (String) throws -> LinkTable?) rethrows -> LinkTable? {
      if let last, last.name == name { return last.table }
      let table = if let table = known[name] { table } else { try make(name) }
      known[name] = .some(table)
      last = (name, table)
      return table
    }
  }

  /// The content of a column for one entity.
  fileprivate struct Stored {
    var name: String
    var type: AttributeType?
    /// Whether every object has a value.
    var isRequired = false
    /// The largest key that a link can have; nil for attributes, and where it is not known.
    var largestKey: Int64?
  }

  /// The meaning of numbers and columns in one version.
  fileprivate struct Reading {
    var entities: [String: [EntityLayout]]
    /// By table, number and column.
    var names: [String: [Int64: [String: Stored]]] = [:]

    /// - Parameter largestKey: the largest key that was handed out to objects of an entity; nil where it is not known.
    init(_ entities: [String: [EntityLayout]], largestKey: (String) -> Int64?) {
      self.entities = entities
      for (table, members) in entities {
        for entity in members {
          names[table, default: [:]][entity.id.number] = StoreTables.names(of: entity, largestKey: largestKey)
        }
      }
    }

    func entity(_ number: Int64?, in table: String) -> EntityLayout? {
      number.flatMap { number in entities[table]?.first { $0.id.number == number } }
    }

    /// The columns of a table that other entities have, and one has not.
    func others(besides number: Int64?, in table: String) -> Set<String> {
      let all = names[table] ?? [:]
      return Set(all.values.flatMap(\.keys)).subtracting(number.flatMap { all[$0] }.map { Set($0.keys) } ?? [])
    }
  }

  init(_ store: Store) {
    self.store = store
    entities = Dictionary(grouping: store.layout.entities.filter(\.tableExists), by: \.table)
    readings = [Reading(entities, largestKey: { Self.largestKey($0, in: store, FormerNames(store)) })]
    freshOrder = (store.model.map { Layout.fresh($0).shape.tables } ?? [:]).mapValues { table in
      Dictionary(table.columns.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
    }
  }

  /// Reads rows by versions from before as well.
  mutating func add(_ versions: [FormerVersion]) {
    formerVersions += versions
    let names = FormerNames(store)
    readings += versions.map { Reading($0.entities, largestKey: { Self.largestKey($0, in: store, names) }) }
  }

  /// What rows of a table are to a recovery.
  enum Use: Sendable {
    /// Results.
    case rows
    /// Versions of the model.
    case models
    /// Changes of the history, which prove.
    case history
    /// Nothing.
    case none
  }

  /// What rows of a table are.
  func use(of table: String) -> Use {
    if RecoveredModel.tables.contains(table) { return .models }
    if TrimmedHistory.tables.contains(table) { return .history }
    return Self.isBookkeeping(table) || FormerEvidence.bookkeeping.contains(table) ? .none : .rows
  }

  /// Whether a table is one of Core Data's own that hold no objects, or one of those that SQLite keeps for an R-tree index.
  private static func isBookkeeping(_ table: String) -> Bool {
    if table.hasPrefix("Z_RT_") { return true }
    return switch OwnTable(table) {
    case .entityMap, .metadata, .modelCache, .history: true
    case .mirroring, nil: false
    }
  }

  private static func largestKey(_ entity: String, in store: Store, _ names: FormerNames) -> Int64? {
    guard let root = store.layout.entity(named: names.today(of: entity))?.root else { return nil }
    return store.layout.entity(named: root).flatMap { store.entityMap[$0.id]?.keysHandedOut }
  }

  fileprivate static func names(of entity: EntityLayout, largestKey: (String) -> Int64?) -> [String: Stored] {
    var names: [String: Stored] = [:]
    for attribute in entity.attributes {
      for column in attribute.columns {
        guard let name = column.name else { continue }
        names[name] = Stored(
          name: ([attribute.property.name] + column.leaf).joined(separator: "."),
          type: attribute.property.element(at: column.leaf)?.attribute?.type,
          isRequired: column.leaf.isEmpty && entity.isDescribed && !attribute.property.isOptional)
      }
    }
    for relationship in entity.relationships {
      if case .key(let column?, _, _) = relationship.storage {
        names[column] = Stored(
          name: relationship.name, largestKey: relationship.destination.flatMap(largestKey))
      }
    }
    return names
  }

  /// The root entity of a table.
  func root(of table: String) -> EntityLayout? {
    entities[table].flatMap { members in members.first { $0.parent == nil } ?? members.first }
  }

  /// For each number the entities of today that have it, or had it in a version from before.
  var entitiesByNumber: [Int64: [EntityLayout]] {
    let all = entities.values.flatMap(\.self)
    let named = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    var numbers = Dictionary(grouping: all) { $0.id.number }
    for former in formerVersions.flatMap({ $0.entities.values.flatMap(\.self) }) {
      guard let today = named[former.name], numbers[former.id.number]?.contains(where: { $0.id == today.id }) != true
      else { continue }
      numbers[former.id.number, default: []].append(today)
    }
    return numbers
  }

  /// An object of a trimmed change by today's number of its entity: what was trimmed before a migration has the numbers of
  /// then.
  ///
  /// - Parameter named: the entities that have the number, or had it.
  /// - Returns: nil where more than one of them can have had the object and has it no more.
  func resolved(_ object: ChangedObject, among named: [EntityLayout]) throws -> ChangedObject? {
    let possible = named.count > 1 ? try named.filter { try mayBeGone($0, key: object.key) } : named
    guard possible.count <= 1 else { return nil }
    return possible.first.map { ChangedObject(entity: $0.id.number, key: object.key) } ?? object
  }

  private func mayBeGone(_ entity: EntityLayout, key: Int64) throws -> Bool {
    guard let root = root(of: entity.table), let most = store.entityMap[root.id]?.highWater, key >= 1, key <= most
    else { return false }
    let statement = try store.connection.prepare("SELECT 1 FROM \(quotedIdentifier(entity.table)) WHERE Z_PK = ?")
    try statement.bind(key, at: 1)
    return try !statement.step()
  }

  /// Adds to a template what Core Data writes in every row.
  func refine(_ template: inout RowTemplate) {
    let columns = template.columns.map(\.name)
    if let number = HistoryTable(rawValue: template.table)?.entityNumber, let column = columns.firstIndex(of: "Z_ENT") {
      template.coreData = .init(entityColumn: column, entities: [number], versionColumn: nil)
    }
    let fitting = formerVersions.filter { $0.entities[template.table] != nil && $0.fits(template) }
    var numbers = Set(fitting.flatMap { $0.entities[template.table] ?? [] }.filter { !$0.isAbstract }.map(\.id.number))
    let isOfToday = !template.isFormer || !fitting.contains { $0.definitions[template.table] != nil }
    // No object is of an abstract entity.
    let members = (entities[template.table] ?? []).filter { !$0.isAbstract }
    if isOfToday { numbers.formUnion(members.map(\.id.number)) }
    guard !numbers.isEmpty, columns.first == "Z_PK", let entity = columns.firstIndex(of: "Z_ENT") else { return }
    for version in fitting where !template.isFormer {
      if let count = version.definitions[template.table]?.columns.count { template.counts.insert(count) }
    }
    if !template.isFormer, fitting.contains(where: { $0.definitions[template.table] == nil }) {
      template.unsureCounts = Set(max(4, firstAdded(columns, in: template.table))..<max(4, columns.count))
    }
    let root = root(of: template.table)
    let named = Self.namingColumns(members + fitting.flatMap { $0.entities[template.table] ?? [] })
    template.coreData = .init(
      entityColumn: entity, entities: numbers,
      versionColumn: root?.id.isInternal == true ? nil : columns.firstIndex(of: "Z_OPT"),
      namingColumns: named.compactMap { columns.firstIndex(of: $0) })
    for entity in fitting.flatMap({ $0.entities[template.table] ?? [] }) {
      guard let now = members.first(where: { $0.name == entity.name })?.id.number, now != entity.id.number else {
        continue
      }
      template.coreData?.successors[entity.id.number] = now
    }
    guard let root else { return }
    template.largestKey = store.entityMap[root.id]?.highWater.map { max($0, template.largestLive) }
  }

  /// The most tables of before that are looked for besides those of today.
  private static let formerTableLimit = 500

  /// The tables of versions from before whose rows no template reads: they have other columns today, or are gone.
  func formerTables(besides templates: [RowTemplate]) -> [TableDefinition] {
    let byTable = Dictionary(grouping: templates, by: \.table)
    var tables: [TableDefinition] = []
    var known: Set<[String]> = []
    for version in formerVersions {
      for (table, definition) in version.definitions.sorted(by: { codeUnitsPrecede($0.key, $1.key) })
      where tables.count < Self.formerTableLimit && byTable[table]?.contains(where: version.fits) != true {
        if known.insert([table] + definition.columns.map(\.name)).inserted { tables.append(definition) }
      }
    }
    return tables
  }

  /// The place of the first column that a migration added behind: a fresh table has all in Core Data's order. The number of
  /// columns where none was.
  private func firstAdded(_ columns: [String], in table: String) -> Int {
    guard let order = freshOrder[table] else { return columns.count }
    var last = -1
    for (index, column) in columns.enumerated() {
      guard let place = order[column] else { continue }
      if place < last { return index }
      last = place
    }
    return columns.count
  }

  /// The columns of UUIDs.
  private static func namingColumns(_ members: [EntityLayout]) -> [String] {
    let columns = members.flatMap(\.attributes).filter { $0.property.attribute?.type == .uuid }.flatMap(\.columns)
    return Set(columns.compactMap(\.name)).sorted()
  }

  /// Whether a row of a many-to-many table is no link that is gone: it has no value, names a key that was never handed out,
  /// the same link exists, or it is only in unused space of pages of other tables and indexes, where two small numbers mean
  /// nothing.
  private func isFalseLink(_ row: RecoveredRow, candidate: Candidate, in search: PageRecovery) throws -> Bool {
    guard let name = row.table, let layout = row.layout else { return true }
    let link = try links.table(name, make: linkTable)
    let read = try search.ends(
      of: candidate, layout, source: link?.source.column, destination: link?.destination.column)
    // Without a value it is evidence of nothing.
    guard read.hasValue else { return true }
    guard let link else { return false }
    func isElsewhere(_ place: PlaceRef) -> Bool {
      let page = place.page(in: search.files)
      return place.how != .cell && !search.isFree(page) && !search.isOf(candidate.template, page: page)
    }
    if isElsewhere(candidate.place), search.extra(of: candidate)?.otherPlaces.allSatisfy(isElsewhere) ?? true {
      return true
    }
    guard link.source.mayBe(read.source), link.destination.mayBe(read.destination) else { return true }
    // Bytes of which neither end is left are evidence of nothing.
    if read.source.key == nil, read.destination.key == nil { return true }
    guard let source = read.source.key, let destination = read.destination.key,
      search.mayHaveRows(candidate.template)
    else { return false }
    link.same.reset()
    try link.same.bind(source, at: 1)
    try link.same.bind(destination, at: 2)
    return try link.same.step()
  }

  private func linkTable(_ name: String) throws -> LinkTable? {
    guard let join = store.layout.joinTables.first(where: { $0.name == name }) else { return nil }
    let ends = [join.source, join.destination].map { end in
      let target = store.layout.entity(named: end.entity).flatMap { root(of: $0.table) }
      return LinkEnd(column: end.column, largest: target.flatMap { store.entityMap[$0.id]?.highWater } ?? .max)
    }
    let terms = ends.map { "\(quotedIdentifier($0.column)) = ?" }.joined(separator: " AND ")
    return LinkTable(
      source: ends[0], destination: ends[1],
      same: try store.connection.prepare("SELECT 1 FROM \(quotedIdentifier(join.name)) WHERE \(terms)"))
  }

  /// The result for a row that was found; nil for one of Core Data's own entities, and for what is no link.
  func row(
    _ index: Int, _ candidate: Candidate, in search: PageRecovery, layouts: inout RowLayouts
  ) throws -> RecoveredRow? {
    let number = try search.entity(of: candidate)
    guard let layout = try layouts.layout(of: number, candidate: candidate) else { return nil }
    let row = RecoveredRow(
      kind: candidate.kind, grade: search.grade(of: candidate), layout: layout, index: Int32(clamping: index))
    if row.isLink, try isFalseLink(row, candidate: candidate, in: search) { return nil }
    return row
  }

  /// Whether rows of a table with a number are of an entity of Core Data's own.
  fileprivate func isInternal(_ number: Int64?, in table: String) -> Bool {
    readings[0].entity(number, in: table)?.id.isInternal == true
  }

  /// What a number may mean in rows of a template, today's meaning first.
  fileprivate func meanings(of number: Int64?, in template: RowTemplate) -> [RowMeaning] {
    guard let number else { return [] }
    var meanings: [RowMeaning] = []
    for (index, reading) in readings.enumerated() {
      if index == 0 {
        if template.isFormer,
          formerVersions.contains(where: { $0.definitions[template.table] != nil && $0.fits(template) })
        {
          continue
        }
      } else if !formerVersions[index - 1].fits(template) {
        continue
      }
      guard let entity = reading.entity(number, in: template.table), !entity.isAbstract,
        !meanings.contains(where: { $0.name == entity.name })
      else { continue }
      meanings.append(RowMeaning(reading: index, number: number, name: entity.name))
    }
    return meanings
  }

  /// Whether the values of a row can be those of an object, read by a template.
  func mayBe(_ candidate: Candidate, of template: RowTemplate, in search: PageRecovery) throws -> Bool {
    guard let column = template.coreData?.entityColumn else { return true }
    return try search.read(candidate) { record, bytes in
      guard column < record.count, !candidate.isLost(column, field: record.fields[column]) else { return true }
      return meanings(of: record.integer(column, in: bytes), in: template).contains {
        agrees($0, candidate, template, record, bytes)
      }
    } ?? true
  }

  /// Whether values that are there and such as are NULL can be an entity's.
  fileprivate func agrees(_ meaning: RowMeaning, _ candidate: Candidate, in search: PageRecovery) throws -> Bool {
    let template = search.templates[candidate.template]
    return try search.read(candidate) { agrees(meaning, candidate, template, $0, $1) } ?? true
  }

  private func agrees(
    _ meaning: RowMeaning, _ candidate: Candidate, _ template: RowTemplate, _ record: Record,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let reading = readings[meaning.reading]
    let names = meaning.number.flatMap { reading.names[template.table]?[$0] } ?? [:]
    for (index, column) in template.columns.enumerated() where index < record.count {
      guard !candidate.isLost(index, field: record.fields[index]), record.fields[index].type.kind == .null else {
        continue
      }
      if names[column.name]?.isRequired == true { return false }
    }
    return !isMisplaced(meaning, candidate, template, record, bytes)
  }

  /// Whether a value stands where an object of the entity has none, or a link where no object with its key ever was.
  private func isMisplaced(
    _ meaning: RowMeaning, _ candidate: Candidate, _ template: RowTemplate, _ record: Record,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let reading = readings[meaning.reading]
    let names = meaning.number.flatMap { reading.names[template.table]?[$0] } ?? [:]
    let others = reading.others(besides: meaning.number, in: template.table)
    for (index, column) in template.columns.enumerated() where index < record.count {
      guard !candidate.isLost(index, field: record.fields[index]), record.fields[index].type.kind != .null else {
        continue
      }
      if others.contains(column.name) { return true }
      if let largest = names[column.name]?.largestKey, let key = record.integer(index, in: bytes),
        key < 1 || key > largest
      {
        return true
      }
    }
    return false
  }

  /// Whether each thing that a row may be would have a value where it has none: its columns are those of a version that is not
  /// known.
  fileprivate func isMisplaced(
    _ choices: [RowMeaning], _ candidate: Candidate, in search: PageRecovery
  ) throws -> Bool {
    let template = search.templates[candidate.template]
    return try search.read(candidate) { record, bytes in
      choices.allSatisfy { isMisplaced($0, candidate, template, record, bytes) }
    } ?? false
  }

  /// Whether a number in rows of a table may mean another entity than it seems to.
  fileprivate func mayMistake(_ table: String) -> Bool {
    !formerVersions.isEmpty || (entities[table]?.count { !$0.isAbstract } ?? 0) > 1
  }

  /// Whether an entity of a version from before is one of today.
  fileprivate func isSame(_ meaning: RowMeaning, as entity: EntityLayout) -> Bool {
    meaning.name == entity.name || meaning.name == entity.modelName
      || store.model?.entity(named: entity.modelName ?? entity.name)?.renamingIdentifier == meaning.name
  }

  /// The layout of the rows of one table and entity.
  fileprivate func layout(
    _ template: RowTemplate, _ meaning: RowMeaning, among templates: [RowTemplate], found: FoundRows
  ) -> RowLayout {
    let reading = readings[meaning.reading]
    let names = meaning.number.flatMap { reading.names[template.table]?[$0] } ?? [:]
    let others = reading.others(besides: meaning.number, in: template.table)
    let open = meaning.isOfOpenVersion ? template.openPlaces(among: templates) : []
    let columns = template.columns.enumerated().map { place, declared in
      var column = RowLayout.Column(declared, template)
      // A migration that makes a table anew changes the order among columns of like values.
      column.isOpen =
        open.contains(place) || meaning.isMisplaced && declared.affinity == .integer && !declared.name.hasPrefix("Z_")
      column.name = names[declared.name]?.name ?? declared.name
      column.type = names[declared.name]?.type
      column.isOfOthers = others.contains(declared.name)
      return column
    }
    let readWith: String? =
      switch (meaning.choices.isEmpty, meaning.isOfUnknown, meaning.reading) {
      case _ where meaning.isMisplaced:
        "today's columns, in which its entity cannot have all of its values: they are those of a version that nothing tells of, "
          + "and numbers and links are left out"
      case _ where meaning.isOfOpenVersion:
        "two versions of its table, which have other columns: what they do not agree on is left out"
      case (false, _, _): "its number may be that of " + meaning.choices.joined(separator: " or of ")
      case (_, true, _): "the entity of the object with its key; its number is of a version that nothing tells of"
      case (_, _, 0): nil
      case (_, _, let reading): formerVersions[reading - 1].source
      }
    let owner = RowOwner(entity: meaning.name, table: template.table, readWith: readWith)
    let takesTodaysPlaces =
      meaning.reading == 0 && !template.isFormer && !meaning.isMisplaced && !meaning.isOfOpenVersion
    return RowLayout(columns, owner: owner, takesTodaysPlaces: takesTodaysPlaces, found)
  }
}

/// What a row's number of an entity means.
struct RowMeaning: Hashable {
  /// Today's version is 0, those before follow.
  var reading = 0
  /// `Z_ENT`; nil where it is not known what it means.
  var number: Int64?
  /// The entity; nil where it is not known.
  var name: String?
  /// The entities that it may be, where several may.
  var choices: [String] = []
  /// Whether the object's key says its entity, and no version that is known gives it the row's number.
  var isOfUnknown = false
  /// Whether it stays open by which of several versions of its table the row is read.
  var isOfOpenVersion = false
  /// Whether its values cannot be those of the columns in whose places they stand.
  var isMisplaced = false
}

/// The layouts of rows by table and entity, each made once.
struct RowLayouts {
  private struct Kind: Hashable {
    var template: Int
    var meaning: RowMeaning
  }

  private let tables: StoreTables
  private let search: PageRecovery
  private let found: FoundRows
  private var layouts: [Kind: RowLayout] = [:]
  /// The tables of which a row was seen that cannot be of any version that is known.
  private(set) var tablesOfOthers: Set<String> = []
  /// What numbers may mean, by template and number.
  private var meanings: [Kind: [RowMeaning]] = [:]
  /// The entities of objects that history names; read where more than one version may have written a row.
  private var changed: [ChangedKey: Int64]?

  private struct ChangedKey: Hashable {
    var table: String
    var key: Int64
  }

  init(_ tables: StoreTables, _ search: PageRecovery, _ found: FoundRows) {
    self.tables = tables
    self.search = search
    self.found = found
  }

  /// The layout of rows whose entity does not matter.
  mutating func layout(_ template: Int) -> RowLayout { layout(template, RowMeaning()) }

  /// What rows of a template with a number are, where nothing else of a row matters.
  private enum Known {
    case none
    case always(RowLayout)
    case byRow
  }

  private struct Number: Hashable {
    var template: Int
    var number: Int64?
  }

  private var byNumber: [Number: Known] = [:]
  private var last: (number: Number, known: Known)?

  /// The layout of a row that was found, by the number of its entity; nil for an entity of Core Data's own.
  mutating func layout(of number: Int64?, candidate: Candidate) throws -> RowLayout? {
    let wanted = Number(template: candidate.template, number: number)
    if candidate.isOfOpenVersion {
      var meaning = try meaning(of: number, key: candidate.key, candidate: candidate)
      meaning.isOfOpenVersion = true
      return layout(candidate.template, meaning)
    }
    if last?.number != wanted {
      let known = byNumber[wanted] ?? known(wanted)
      if byNumber.count < 10_000 { byNumber[wanted] = known }
      last = (wanted, known)
    }
    switch last?.known {
    case .always(let layout): return layout
    case .byRow: return layout(candidate.template, try meaning(of: number, key: candidate.key, candidate: candidate))
    case .some(.none), nil: return nil
    }
  }

  private mutating func known(_ wanted: Number) -> Known {
    let table = search.templates[wanted.template].table
    if tables.isInternal(wanted.number, in: table) { return .none }
    let meanings = possibleMeanings(of: wanted.number, wanted.template)
    // A table of one entity, in a store of which no other version is known: today's number says it.
    guard meanings.isEmpty || meanings.count == 1 && !tables.mayMistake(table) else { return .byRow }
    return .always(layout(wanted.template, meanings.first ?? RowMeaning(number: wanted.number)))
  }

  mutating func layout(_ template: Int, _ meaning: RowMeaning) -> RowLayout {
    let kind = Kind(template: template, meaning: meaning)
    if let layout = layouts[kind] { return layout }
    if meaning.isMisplaced { tablesOfOthers.insert(search.templates[template].table) }
    let layout = tables.layout(search.templates[template], meaning, among: search.templates, found: found)
    // Numbers of no entity are what hostile bytes say.
    if layouts.count < 10_000 { layouts[kind] = layout }
    return layout
  }

  /// What the number of a row means. Where several versions may have written it, the entity of the object with its key
  /// decides, which no object ever changes; then what is NULL and what is not.
  private mutating func meaning(of number: Int64?, key: Int64?, candidate: Candidate) throws -> RowMeaning {
    let template = search.templates[candidate.template]
    var meanings = possibleMeanings(of: number, candidate.template)
    if let key, let entity = try entity(of: key, in: template.table) {
      let same = meanings.filter { tables.isSame($0, as: entity) }
      // A version that nothing tells of gave the entity this number.
      if same.isEmpty { return RowMeaning(number: entity.id.number, name: entity.name, isOfUnknown: true) }
      meanings = same
    }
    let choices = meanings
    meanings = try meanings.filter { try tables.agrees($0, candidate, in: search) }
    if meanings.count == 1, let only = meanings.first { return only }
    var meaning = RowMeaning(choices: (meanings.isEmpty ? choices : meanings).compactMap(\.name))
    meaning.isMisplaced =
      try meanings.isEmpty && !choices.isEmpty && tables.isMisplaced(choices, candidate, in: search)
    return meaning
  }

  private mutating func possibleMeanings(of number: Int64?, _ template: Int) -> [RowMeaning] {
    let kind = Kind(template: template, meaning: RowMeaning(number: number))
    if let known = meanings[kind] { return known }
    let new = tables.meanings(of: number, in: search.templates[template])
    if meanings.count < 10_000 { meanings[kind] = new }
    return new
  }

  /// The entity of an object by its row, or by a change of the history.
  private mutating func entity(of key: Int64, in table: String) throws -> EntityLayout? {
    let store = tables.store
    func entity(_ number: Int64) -> EntityLayout? { tables.entities[table]?.first { $0.id.number == number } }
    if tables.entities[table] != nil {
      let statement = try store.connection.prepare("SELECT Z_ENT FROM \(quotedIdentifier(table)) WHERE Z_PK = ?")
      try statement.bind(key, at: 1)
      if try statement.step() { return entity(statement.int64(0)) }
    }
    if changed == nil { changed = try readChanged() }
    return changed?[ChangedKey(table: table, key: key)].flatMap(entity)
  }

  private func readChanged() throws -> [ChangedKey: Int64] {
    let store = tables.store
    guard let changes = store.shape.table(.change), ["ZENTITY", "ZENTITYPK"].allSatisfy(changes.has) else { return [:] }
    let tableOf = Dictionary(store.layout.entities.map { ($0.id.number, $0.table) }) { first, _ in first }
    var all: [ChangedKey: Int64] = [:]
    let statement = try store.connection.prepare("SELECT ZENTITY, ZENTITYPK FROM \(HistoryTable.change) LIMIT 1000000")
    while try statement.step() {
      guard let table = tableOf[statement.int64(0)] else { continue }
      all[ChangedKey(table: table, key: statement.int64(1))] = statement.int64(0)
    }
    return all
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
  /// Searches again, for rows of versions that the store's model had before.
  func searchAgain(with tables: StoreTables) throws {
    func home(_ table: String) -> Int? {
      templates.firstIndex { $0.table == table && !$0.isFormer && $0.root != nil }
    }
    for definition in tables.formerTables(besides: templates) {
      add(RowTemplate(table: definition.name, root: nil, definition: definition), home: home(definition.name))
    }
    refine(tables.refine)
    try searchAgain()
  }
}
