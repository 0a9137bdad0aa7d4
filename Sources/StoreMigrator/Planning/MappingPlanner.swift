import StoreCoreData
import StoreDataModel
import StoreRows
import StoreSQLite
import StoreWords

// How the statements of a step by a mapping model are found
// ----------------------------------------------------------
//
//   MappingModel ──► MappedModel ─┐
//   Store ──► SourceTables ───────┼─► MappingPlanner ──► MigrationPlan ──► perform
//   Model ──► MigrationPlanner ───┘   keys, objects, links, checks,
//             (tables, indexes,       history
//             metadata of the target)
//
// All tables of the store are put aside and those of the target made as in a fresh store. For each entity mapping, in
// its order, a temporary table pairs the old key of each object with its new one; objects are copied by it, then links,
// then history. What Core Data's save would not accept is looked for at the end, and refuses the whole step. The rules are
// those of `docs/format/mapping-models.md`.

extension MigrationPlan {
  /// The statements of a step by a mapping model from the store's model to `target`.
  ///
  /// - Parameters:
  ///   - mapping: leads from the store's model to `target`.
  ///   - cache: the model cache to write, where the target is a store's model.
  ///   - recipes: the entity mappings for whose code a recipe stands in, by their names.
  ///   - now: the time of the transaction in history, in seconds since 2001-01-01 UTC.
  /// - Throws: `MigrationRefused` with all reasons; `SQLiteError` when the store cannot be read.
  init(
    from store: Store, to target: Model, by mapping: MappingModel, cache: [UInt8]?, recipes: Set<String>, now: Double
  ) throws {
    var planner = try MappingPlanner(SourceTables(store), target: target, mapping: mapping, recipes: recipes, now: now)
    planner.base.targetCache = cache
    self = try planner.planned()
  }
}

struct MappingPlanner {
  var base: MigrationPlanner
  let mapped: MappedModel
  let paths: SourcePaths
  /// In the order in which they run.
  var statements: [MigrationStatement] = []
  /// Which objects become which, by entity mapping.
  var keys = MappedKeys()
  let columns: [TablePlan.Role: String]

  init(
    _ source: SourceTables, target: Model, mapping: MappingModel, recipes: Set<String>, now: Double
  ) throws {
    base = MigrationPlanner(source, target: target, now: now)
    let base = base
    mapped = MappedModel(mapping, from: source.model, to: base.map.target, recipes: recipes)
    paths = SourcePaths(source: source) { base.aside($0) }
    columns = Dictionary(base.plan.tables.flatMap(\.columns).map { ($0.role, $0.name) }) { first, _ in first }
  }

  var source: SourceTables { base.source }
  var target: Model { base.map.target }

  mutating func planned() throws -> MigrationPlan {
    try refuseWhatIsNotKnown()
    for sentence in mapped.assumptions { base.assume(sentence) }
    try putAside()
    makeTables()
    for (number, entity) in mapped.entities.enumerated() { try copy(entity, number) }
    planLinks()
    checkResult()
    let history = try planHistoryOfObjects()
    dropAside()
    base.newTables = Set(base.plan.tables.map(\.name))
    for index in base.schema.all where index.kind == "index" {
      statements.append(MigrationStatement(.createIndex, index.sql))
    }
    base.remakeEntityMap { _ in 0 }
    try base.planMetadata()
    if history { try base.planChangeRecords(NamePairs(mapped)) }
    base.planHistory()
    guard base.refusals.isEmpty else { throw MigrationRefused(base.refusals) }
    statements += base.steps[.entityMap] ?? []
    planHighWater(coversHistory: history)
    for purpose in [MigrationStatement.Purpose.metadata, .history] { statements += base.steps[purpose] ?? [] }
    dropTemporary()
    var plan = base.result
    plan.statements = statements
    plan.indexesLeftOut = base.schema.leftOut
    (plan.mapped, plan.pairs, plan.mappedModel) = (keys, NamePairs(mapped), mapped)
    plan.tables = MigrationPlan.TableCounts()
    plan.tables.remade = base.plan.tables.count + base.plan.joinTables.count
    plan.remarks.append(
      "objects are given new keys, in the order of the old ones; which ones Core Data gives is not known")
    return plan
  }

  /// The oldest framework whose fresh stores are known whole.
  private static let oldestFramework = 637

  mutating func add(_ purpose: MigrationStatement.Purpose, sql: String, values: [SQLiteValue] = []) {
    statements.append(MigrationStatement(purpose, sql, values))
  }

  // MARK: What is refused

  private mutating func refuseWhatIsNotKnown() throws {
    base.refuseStore()
    if base.framework < Self.oldestFramework {
      base.refusals.append(
        MigrationRefusal(
          nil, nil,
          "framework \(base.framework) wrote this store; what a fresh one of such an old one is like is not known",
          advice: "migrate it on a device or simulator"))
    }
    base.refuseNames()
    base.refusals += mapped.refusals
    for entity in target.entities {
      for property in entity.properties {
        guard let attribute = property.attribute else { continue }
        let id = TablePlan.PropertyID(entity.name, property.name)
        if attribute.derivation != nil {
          base.refuse(id, reason: "it is derived, and what a migration writes into such attributes is not known")
        }
        if !attribute.locationComponents.isEmpty { base.refuse(id, reason: "it has an R-tree, which is not made here") }
      }
    }
    // What becomes of an entity that the target does not have is known: its objects go.
    for entity in mapped.unmapped {
      guard target.entity(named: entity) != nil, try objects(of: entity) > 0 else { continue }
      let parents = source.model.ancestors(of: entity).map(\.name)
      base.assume(
        "\(entity): no entity mapping is for its \(counted(try objects(of: entity), "object")), so that they are left out"
          + (parents.contains { !mapped.entities(of: $0).isEmpty }
            ? "; an entity mapping is taken for one of objects without those of subentities" : ""))
    }
  }

  private func objects(of entity: String) throws -> Int64 {
    guard let number = source.numbers[entity], let root = source.model.root(of: entity)?.name,
      let table = source.table(ofRoot: root)
    else { return 0 }
    let rows = try source.store.connection.prepare(
      "SELECT count(*) FROM \(quotedIdentifier(table)) WHERE Z_ENT = \(number)")
    return try rows.step() ? rows.int64(0) : 0
  }

  // MARK: Tables

  /// The tables of the source's entities, with their roots by the model's names.
  private var oldTables: [(root: String, table: String)] {
    source.model.entities.filter { $0.parent == nil }.compactMap { root in
      source.table(ofRoot: root.name).map { (root.name, $0) }
    }.sorted { $0.1 < $1.1 }
  }

  private mutating func putAside() throws {
    for (root, table) in oldTables {
      try base.refuseForeignColumns(table, root: root)
      statements.append(MigrationStatement(.remakeTable, base.puttingAside(table)))
    }
    for join in source.joins {
      statements.append(MigrationStatement(.remakeTable, base.puttingAside(join.name)))
    }
  }

  private mutating func makeTables() {
    for table in base.schema.all where table.kind == "table" {
      let isOfObjects =
        base.plan.tables.contains { $0.name == table.name } || base.plan.joinTables.contains { $0.name == table.name }
      if isOfObjects { add(.createTable, sql: table.sql) }
    }
  }

  private mutating func dropAside() {
    for table in oldTables.map(\.table) + source.joins.map(\.name) {
      add(.dropTable, sql: "DROP TABLE \(base.aside(table))")
    }
  }

  private mutating func dropTemporary() {
    for number in mapped.entities.indices { add(.dropTable, sql: "DROP TABLE temp.\(Self.keyTable(number))") }
    for number in linkTables.indices { add(.dropTable, sql: "DROP TABLE temp.\(Self.linkTable(number))") }
  }

  /// The table that pairs old and new keys of an entity mapping, by its place.
  static func keyTable(_ number: Int) -> String { "_T_KEYS_\(number)" }

  /// The links of a relationship and its inverse.
  static func linkTable(_ number: Int) -> String { "_T_LINKS_\(number)" }
  var linkTables: [LinkEnds] = []

  func table(ofTarget entity: String) -> TablePlan.Table? {
    target.root(of: entity).flatMap { root in base.plan.tables.first { $0.root == root.name } }
  }

  // MARK: Objects

  private mutating func copy(_ entity: MappedEntity, _ number: Int) throws {
    let keyTable = Self.keyTable(number)
    guard let old = paths.table(of: entity.source), let table = table(ofTarget: entity.destination),
      let oldNumber = source.numbers[entity.source], let newNumber = base.numbers[entity.destination]
    else { return }
    add(.remakeTable, sql: "CREATE TEMP TABLE \(keyTable) (Z_OLD INTEGER PRIMARY KEY, Z_NEW INTEGER NOT NULL)")
    let chosen = try chosen(entity)
    keys.add(entity, chosen: chosen, root: table.root)
    let first = "(SELECT ifnull(max(Z_PK), 0) FROM \(table.name))"
    if let chosen {
      // The place of each is in the list itself; the last key of the table is added after it.
      for batch in chosen.indices.filter({ $0 % Self.batch == 0 }) {
        let part = chosen[batch..<min(batch + Self.batch, chosen.count)]
        add(
          .remakeTable,
          sql: "INSERT INTO \(keyTable) VALUES \(part.map { _ in "(?, ?)" }.joined(separator: ", "))",
          values: part.enumerated().flatMap { [.integer($1), .integer(Int64(batch + $0 + 1))] })
      }
      add(.remakeTable, sql: "UPDATE \(keyTable) SET Z_NEW = Z_NEW + \(first)")
    } else {
      add(
        .remakeTable,
        sql: "INSERT INTO \(keyTable) SELECT Z_PK, \(first) + row_number() OVER (ORDER BY Z_PK) FROM \(old) "
          + "WHERE Z_ENT = \(oldNumber)")
    }
    var (names, values, parameters) = (
      ["Z_PK", "Z_ENT", "Z_OPT"], ["k.Z_NEW", String(newNumber), "2"], [SQLiteValue]()
    )
    for column in table.columns {
      guard case .attribute(let id, let leaf) = column.role, target.entity(entity.destination, isKindOf: id.entity)
      else { continue }
      guard let value = try value(of: id, leaf: leaf, in: entity) else { continue }
      names.append(column.name)
      values.append(value.sql)
      parameters += value.parameters
    }
    add(
      .remakeTable,
      sql: "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(keyTable) AS k JOIN \(old) AS s ON s.Z_PK = k.Z_OLD ORDER BY k.Z_NEW", values: parameters)
  }

  private static let batch = 400

  /// The keys of the objects that an entity mapping's condition chooses, in order; nil where it has none.
  private mutating func chosen(_ entity: MappedEntity) throws -> [Int64]? {
    guard let condition = entity.filter else { return nil }
    var query = RowQuery(entity: source.store.layout.name(ofModelEntity: entity.source))
    (query.columns, query.condition, query.includesSubentities) = ([], condition, false)
    var keys: [Int64] = []
    do {
      let rows = try Rows(query, of: source.store)
      try rows.forEach { keys.append($0.key) }
      if rows.undecided > 0 {
        base.refusals.append(
          MigrationRefusal(
            entity.source, nil, "for \(counted(rows.undecided, "object")) it is not known whether \(condition) holds"))
      }
    } catch let error as RowQueryError {
      base.refusals.append(
        MigrationRefusal(entity.source, nil, "the condition \(condition) is not evaluated here: \(error)"))
    }
    return keys
  }

  /// What a column gets, as an expression for the source's row `s`; nil for NULL.
  private mutating func value(
    of id: TablePlan.PropertyID, leaf: [String], in entity: MappedEntity
  ) throws -> (sql: String, parameters: [SQLiteValue])? {
    guard let attribute = target.property(id.property, of: entity.destination)?.attribute else { return nil }
    switch entity.values[id.property] {
    case nil:
      return try base.defaultValue(id, leaf: leaf, isNeeded: true).map { ("?", [$0]) }
    case .constant(let constant)?:
      return constant.stored(as: attribute.type).map { ("?", [$0]) }
    case .path(let path, let function)?:
      guard let column = paths.value(path, leaf: leaf, of: entity.source, alias: "s") else { return nil }
      guard let past = mapped.attribute(at: path, of: entity.source) else { return nil }
      if past.allowsExternalStorage != attribute.allowsExternalStorage, function == nil {
        base.refuse(id, reason: "external storage is switched, and how old values are written then is not known")
      }
      return (converted(column, from: past.type, to: attribute.type, by: function), [])
    }
  }

  private func converted(
    _ column: String, from old: AttributeType, to new: AttributeType, by function: MappedFunction?
  ) -> String {
    switch function {
    case .absoluteString?: return column
    case .stringValue?: return "CAST(\(column) AS TEXT)"
    case .uuidString?:
      let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0.0), \($0.1))" }
      return "CASE WHEN \(column) IS NULL THEN NULL ELSE \(parts.joined(separator: " || '-' || ")) END"
    case nil: break
    }
    guard old != new else { return column }
    switch new {
    case .double, .float: return "CAST(\(column) AS REAL)"
    case .boolean: return "(\(column) <> 0)"
    case .decimal: return column
    default: return "CAST(\(column) AS INTEGER)"
    }
  }

  // MARK: Counters

  /// The highest key of each root, with those of history.
  private mutating func planHighWater(coversHistory: Bool) {
    for table in base.plan.tables {
      guard let number = base.numbers[table.root] else { continue }
      let ofMappings =
        coversHistory
        ? keys.numbers(ofRoot: table.root).map { "SELECT max(Z_NEW) FROM \(Self.keyTable($0))" } : []
      let all = (["SELECT max(Z_PK) AS m FROM \(table.name)"] + ofMappings).joined(separator: " UNION ALL ")
      add(
        .entityMap,
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(m), 0) FROM (\(all))) WHERE Z_ENT = \(number)")
    }
  }
}
