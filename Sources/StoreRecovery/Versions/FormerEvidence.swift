import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// What a search has found of versions that the store's model had before.
///
///     Z_MODELCACHE      the model: numbers, tables, columns
///     Z_PRIMARYKEY      its numbers, in a page that was freed when the table was made anew
///     Z_METADATA        the names of its entities, from which numbers follow
///     the schema        names of columns with numbers in them: `Z_3NOTES`, now `Z_4NOTES`
struct FormerEvidence {
  /// Tables that Core Data has only while it migrates, and that hold no objects.
  static let bookkeeping: Set<String> = ["Z_PRIMARYKEY_ORIG"]

  /// The versions that read some row otherwise than today's, the best known first.
  private(set) var versions: [FormerVersion] = []

  /// Whether rows were found with numbers that no entity has.
  private(set) var hasForeign = false
  /// Rows whose numbers no version explains, in words.
  private(set) var notes: [String] = []

  private let store: Store
  private let search: PageRecovery
  private let formerNames: FormerNames
  /// For each table of today the names of its columns.
  private let columnsNow: [String: [String]]

  /// The most versions; a store that was migrated more often is read by the first ones.
  private static let limit = 16

  /// - Parameter given: models that somebody names as earlier versions, with their names.
  init(_ store: Store, _ search: PageRecovery, given: [(name: String, model: Model)]) throws {
    self.store = store
    self.search = search
    formerNames = FormerNames(store)
    columnsNow = Dictionary(
      search.templates.filter { !$0.isFormer && !$0.isForeign }.map { ($0.table, $0.columns.map(\.name)) }
    ) { first, _ in first }
    for one in given { add(FormerVersion(one.model, source: one.name)) }
    let rows = FormerRows(search)
    var maps = FormerMaps()
    var names: [Set<String>] = []
    let tables = search.templates.map(\.table)
    let isAsked = tables.map { FormerMaps.tables.contains($0) || RecoveredModel.tables.contains($0) }
    for (index, candidate) in search.found.enumerated() where isAsked[candidate.template] {
      let table = tables[candidate.template]
      if FormerMaps.tables.contains(table) {
        maps.add(rows.row(index).values, of: candidate, at: search.places(of: candidate), in: search.files)
      } else if RecoveredModel.tables.contains(table),
        let model = RecoveredModel(rows.row(index), now: store.metadata.hashes), model.isCurrent == false
      {
        if let whole = model.model {
          add(FormerVersion(whole, source: "a former model cache, which is left in the file"))
        }
        names.append(Set(model.hashes.names))
      }
    }
    let entities = store.layout.entities.filter { !$0.id.isInternal }
    for numbers in maps.numbers {
      let numbers = Dictionary(numbers.map { (formerNames.today(of: $0), $1) }) { first, _ in first }
      add(FormerVersion(numbers: numbers, of: entities, source: "a former Z_PRIMARYKEY, which is left in the file"))
    }
    for names in names {
      guard let numbers = numbers(of: names, entities) else { continue }
      add(FormerVersion(numbers: numbers, of: entities, source: "the names of entities in former metadata"))
    }
    if let numbers = ColumnNumbers(search.formerEntries, now: search.schema.entries).numbers(of: entities) {
      add(FormerVersion(numbers: numbers, of: entities, source: "numbers in former names of columns"))
    }
    try addByRows(entities)
  }

  /// Adds the version that rows themselves tell of, where nothing else does: in pages of a table rows have numbers that none
  /// of its entities has, and one shift explains them.
  private mutating func addByRows(_ entities: [EntityLayout]) throws {
    let numbers = try search.foreignNumbers()
    hasForeign = !numbers.isEmpty
    let versions = versions
    let shifts = NumberShifts(numbers, entities) { table, number in
      versions.contains { version in
        version.entities[table]?.contains { $0.id.number == number && !$0.isAbstract } == true
      }
    }
    for shift in shifts.believed {
      add(
        FormerVersion(
          numbers: shifts.numbers(by: shift, of: entities), of: entities,
          source: "the numbers that rows in pages of their tables have"))
    }
    let open = shifts.open(numbers)
    if open.rows > 0 {
      notes.append(
        "\(open.rows) \(open.rows == 1 ? "row" : "rows") in pages of \(open.tables.joined(separator: ", ")) "
          + "\(open.rows == 1 ? "has a number" : "have numbers") of no entity that is known, and \(open.rows == 1 ? "is" : "are") "
          + "not shown: they may be from before a migration; --model reads them by an earlier version of the app's model"
      )
    }
  }

  private mutating func add(_ version: FormerVersion?) {
    guard let version = version?.renamed(by: formerNames), versions.count < Self.limit,
      !versions.contains(where: version.isLike),
      isOther(version)
    else { return }
    versions.append(version)
  }

  /// Whether a version reads some row otherwise than today's: another number, another table, other columns.
  private func isOther(_ version: FormerVersion) -> Bool {
    let now = Dictionary(grouping: store.layout.entities, by: \.table)
    return version.entities.contains { table, members in
      guard let ours = now[table] else { return true }
      let numbers = Dictionary(ours.map { ($0.id, $0.name) }) { first, _ in first }
      if members.contains(where: { numbers[$0.id] != $0.name }) { return true }
      guard let definition = version.definitions[table] else { return false }
      return columnsNow[table].map { $0 != definition.columns.map(\.name) } == true
    }
  }

  /// The numbers that entities with these names had; nil where one of them is not an entity of today, so that it is not known
  /// whose child it was.
  private func numbers(of names: Set<String>, _ entities: [EntityLayout]) -> [String: Int64]? {
    guard names.count < entities.count, names.count <= FormerVersion.limit else { return nil }
    let known = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    guard names.allSatisfy({ known[formerNames.today(of: $0)] != nil }) else { return nil }
    let former = names.sorted().map { name in
      let parent = known[formerNames.today(of: name)]?.parent.map(formerNames.former)
      return Entity(name: name, parent: parent.flatMap { names.contains($0) ? $0 : nil })
    }
    let numbers = (try? Model(entities: former)).map(TablePlan.entityNumbers)
    return numbers.map { Dictionary($0.map { (formerNames.today(of: $0), $1) }) { first, _ in first } }
  }
}

/// What was found, as rows, before it is judged.
private struct FormerRows {
  private let search: PageRecovery
  private let layouts: [RowLayout]

  init(_ search: PageRecovery) {
    self.search = search
    let found = search.foundRows
    layouts = search.templates.map { RowLayout($0, found) }
  }

  func row(_ index: Int) -> RecoveredRow {
    RecoveredRow(
      kind: .earlierVersion, grade: .shown, layout: layouts[search.found[index].template], index: Int32(clamping: index)
    )
  }
}

/// Rows of `Z_PRIMARYKEY` from before, by the page that has them: the rows of one page are of one moment.
private struct FormerMaps {
  /// The table, and what Core Data calls it while it makes a new one.
  static let tables: Set<String> = FormerEvidence.bookkeeping.union(["Z_PRIMARYKEY"])

  private struct PlaceOfPage: Hashable {
    var file: String
    var frame: Int?
    var page: UInt32
  }

  private var maps: [PlaceOfPage: [String: Int64]] = [:]

  /// The numbers by name, the fullest first.
  var numbers: [[String: Int64]] {
    maps.sorted { left, right in
      left.value.count == right.value.count
        ? (left.key.page, left.key.frame ?? -1) < (right.key.page, right.key.frame ?? -1)
        : left.value.count > right.value.count
    }.map(\.value)
  }

  mutating func add(
    _ values: [RecoveredRow.Value], of candidate: Candidate, at places: [PlaceRef], in files: PageFiles
  ) {
    func value(_ column: String) -> SQLiteValue? { values.first { $0.column == column }?.value }
    guard let number = candidate.key, number > 0, number < HistoryTable.firstEntityNumber,
      case .text(let bytes)? = value("Z_NAME"), !bytes.isEmpty, maps.count < 1_000
    else { return }
    let name = String(decoding: bytes, as: UTF8.self)
    for place in places.lazy.filter({ $0.how == .cell }).map({ RecoveredRow.Place($0, in: files) }) {
      let page = PlaceOfPage(file: place.file, frame: place.frame, page: place.page)
      if maps[page]?.count ?? 0 < FormerVersion.limit { maps[page, default: [:]][name] = number }
    }
  }
}

/// Numbers of entities in names of columns: `Z_3NOTES`, `Z_FOK_3NOTES` and `Z3_NOTE` hold the number of an entity.
///
/// The statements of before and of today have the same columns in the same places, so that two numbers in one place are those
/// that one entity had and has. What is numbered between two entities that moved alike moved with them.
struct ColumnNumbers {
  /// What is added to a number of today to have that of before.
  private(set) var shifts: [Int64: Set<Int64>] = [:]

  /// - Parameter former: rows of the schema that are left.
  init(_ former: [PageSchema.Entry], now: [PageSchema.Entry]) {
    let today = Dictionary(grouping: now.filter { $0.type == "table" }) { Self.parts($0.name)?.rest ?? $0.name }
      .mapValues { $0.prefix(Self.likeNames).compactMap { $0.sql.flatMap { TableDefinition(sql: $0) } } }
    for entry in former {
      guard let definition = entry.sql.flatMap({ TableDefinition(sql: $0) }) else { continue }
      for table in today[Self.parts(entry.name)?.rest ?? entry.name] ?? []
      where table.columns.count == definition.columns.count {
        let pairs = zip(definition.columns, table.columns).map { (Self.parts($0.name), Self.parts($1.name), $0, $1) }
        guard pairs.allSatisfy({ $0.0?.rest == $0.1?.rest && ($0.0 != nil || $0.2.name == $0.3.name) }) else {
          continue
        }
        for case (let before?, let after?, _, _) in pairs {
          shifts[after.number, default: []].insert(before.number - after.number)
        }
      }
    }
  }

  /// The most tables whose names differ in the number alone.
  private static let likeNames = 16

  /// The number in a name and all that is not the number; nil for a name without one.
  private static func parts(_ name: String) -> (number: Int64, rest: String)? {
    for start in [TablePlan.orderKeyPrefix, "Z_", "Z"] where name.hasPrefix(start) {
      let rest = name.dropFirst(start.count)
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.count <= 5, let number = Int64(digits) else { continue }
      return (number, start + "#" + rest.dropFirst(digits.count))
    }
    return nil
  }

  /// The numbers that entities had, as far as names tell; nil where they tell nothing, or of more than one version.
  func numbers(of entities: [EntityLayout]) -> [String: Int64]? {
    var known: [Int64: Int64] = [:]
    for entity in entities {
      guard let all = shifts[entity.id.number]?.subtracting([0]), let shift = all.first else { continue }
      guard all.count == 1 else { return nil }
      known[entity.id.number] = shift
    }
    guard !known.isEmpty else { return nil }
    // Between two numbers that moved alike none was added and none taken away.
    let sorted = entities.sorted { $0.id < $1.id }
    var before: [Int64?] = []
    for entity in sorted { before.append(known[entity.id.number] ?? before.last ?? nil) }
    var numbers: [String: Int64] = [:]
    var behind: Int64?
    for (index, entity) in sorted.enumerated().reversed() {
      behind = known[entity.id.number] ?? behind
      guard let shift = known[entity.id.number] ?? (before[index] == behind ? behind : nil) else { continue }
      if entity.id.number + shift > 0 { numbers[entity.name] = entity.id.number + shift }
    }
    return numbers
  }
}
