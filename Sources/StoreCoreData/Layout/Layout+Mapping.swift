import StoreWords
import StoreDataModel

extension Layout {
  /// Maps a model to the tables of a store: compares the plan of the tables Core Data would make with those that
  /// exist.
  ///
  /// - Parameter isNamedInMetadata: whether the store's version hashes are of entities with the model's names.
  package init(model: Model, entityMap: EntityMap, shape: Shape, isNamedInMetadata: Bool = false) {
    let names = ModelNames(model: model, entityMap: entityMap, isNamedInMetadata: isNamedInMetadata)
    problems += firstOf(names.problems, limit: 20)
    let plan = TablePlan(model, numbers: names.numbers, knownTables: Set(shape.tables.keys))
    var tables = TableMatches(plan: plan, shape: shape, names: names)
    let joins = JoinMatches(plan: plan, shape: shape, names: names)
    undecidedJoinTables = joins.undecided
    problems += firstOf(joins.undecided.map { "table \($0.table): \($0.why)" }, limit: 20)
    entities = entityMap.rows.map { row in
      var entity = EntityLayout(bare: row, in: entityMap, shape: shape)
      guard !row.id.isInternal, let described = names.modelEntity(of: row) else { return entity }
      entity.describe(described, model: model, tables: tables, joins: joins)
      return entity
    }
    joinTables = joins.found.sorted { codeUnitsPrecede($0.name, $1.name) }
    lacking = tables.lacking + joins.lacking
    differingTypes = tables.differingTypes
    tables.claimed.merge(joins.claimed) { $0.union($1) }
    unexplained = unexplainedObjects(
      in: shape, claimed: tables.claimed, indexTables: Set(model.rTreeNames), noModelFor: names.undescribed(shape))
  }
}

extension Layout {
  /// Maps a model to the tables that Core Data makes for a fresh store of it, by which rows of an earlier version are read.
  ///
  /// - Returns: the layout, and the tables with their columns in Core Data's order.
  package static func fresh(_ model: Model) -> (layout: Layout, shape: Shape) {
    let numbers = TablePlan.entityNumbers(of: model)
    let rows = model.entities.compactMap { entity in
      numbers[entity.name].map { number in
        EntityMap.Row(
          id: EntityID(number), name: entity.name,
          parent: entity.parent.flatMap { numbers[$0] }.map(EntityID.init), highWater: nil)
      }
    }
    let plan = TablePlan(model, numbers: numbers)
    var shape = Shape()
    let keys = ["Z_PK", "Z_ENT", "Z_OPT"].map { Shape.Column(name: $0, declaredType: "INTEGER") }
    for table in plan.tables {
      let columns = table.columns.map { Shape.Column(name: $0.name, declaredType: $0.declaredType) }
      shape.tables[table.name] = Shape.Table(name: table.name, columns: keys + columns)
    }
    for join in plan.joinTables {
      let names = [join.sourceColumn, join.destinationColumn] + join.orderColumns.map(\.name)
      shape.tables[join.name] = Shape.Table(
        name: join.name, columns: names.map { Shape.Column(name: $0, declaredType: "INTEGER") })
    }
    return (Layout(model: model, entityMap: EntityMap(rows: rows), shape: shape), shape)
  }
}

/// The first of many sentences, and how many more there are: a hostile entity map has a hundred thousand rows.
func firstOf(_ sentences: [String], limit: Int) -> [String] {
  guard sentences.count > limit else { return sentences }
  return sentences.prefix(limit) + ["and \(sentences.count - limit) more like the last"]
}

/// Which entity of the model each row of `Z_PRIMARYKEY` is.
///
/// The names are equal, except in stores where a rename left the old name behind (three were seen); there the model's
/// renaming identifier identifies the entity. After a second rename, or one that was taken back, it names another version
/// than the row does; there the number identifies the entity, if the metadata shows that the model is the store's.
package struct ModelNames {
  /// The number of each entity of the model that `Z_PRIMARYKEY` has, by the model's name.
  package private(set) var numbers: [String: Int64] = [:]
  private(set) var problems: [String] = []
  private var modelNames: [EntityID: String] = [:]
  private var rowNames: [String: String] = [:]
  private let model: Model
  private let entityMap: EntityMap

  /// Matches the names of a model with a store's.
  ///
  /// - Parameter isNamedInMetadata: whether the store's version hashes are of entities with the model's names.
  package init(model: Model, entityMap: EntityMap, isNamedInMetadata: Bool) {
    self.model = model
    self.entityMap = entityMap
    let rows = entityMap.rows.filter { !$0.id.isInternal }
    for row in rows where model.entity(named: row.name) != nil && numbers[row.name] == nil {
      match(row, with: row.name)
    }
    let renamed = Dictionary(
      model.entities.compactMap { entity in entity.renamingIdentifier.map { ($0, entity.name) } },
      uniquingKeysWith: { first, _ in first })
    for row in rows where modelNames[row.id] == nil {
      if let name = renamed[row.name], numbers[name] == nil { match(row, with: name) }
    }
    if isNamedInMetadata { matchByNumber(rows) }
    for row in rows where modelNames[row.id] != row.name {
      if let name = modelNames[row.id] {
        problems.append("\(quoted(row.name)) in Z_PRIMARYKEY is \(quoted(name)) in the model (renamed)")
      } else {
        problems.append("entity \(quoted(row.name)) (\(row.id)) of Z_PRIMARYKEY is not in the model")
      }
    }
    for entity in model.entities where numbers[entity.name] == nil {
      problems.append("entity \(quoted(entity.name)) of the model is not in Z_PRIMARYKEY")
    }
  }

  /// Matches rows that are left with entities that are left, where every number and every parent is the one that Core
  /// Data gives the model's entities, so that only names can differ.
  private mutating func matchByNumber(_ rows: [EntityMap.Row]) {
    let left = rows.filter { modelNames[$0.id] == nil }
    // No rename leaves an empty name, or one that another row has: such a row is damaged.
    guard rows.count == model.entities.count, !left.isEmpty,
      Set(rows.map(\.name)).subtracting([""]).count == rows.count
    else { return }
    let usual = TablePlan.entityNumbers(of: model)
    let byNumber = Dictionary(model.entities.compactMap { entity in usual[entity.name].map { ($0, entity) } }) {
      first, _ in first
    }
    let isAsUsual = rows.allSatisfy { row in
      guard let entity = byNumber[row.id.number] else { return false }
      return row.parent?.number == entity.parent.flatMap { usual[$0] }
        && (modelNames[row.id] ?? entity.name) == entity.name
    }
    guard isAsUsual else { return }
    for row in left {
      if let entity = byNumber[row.id.number], numbers[entity.name] == nil { match(row, with: entity.name) }
    }
  }

  private mutating func match(_ row: EntityMap.Row, with name: String) {
    numbers[name] = row.id.number
    modelNames[row.id] = name
    rowNames[name] = row.name
  }

  func modelEntity(of row: EntityMap.Row) -> Entity? {
    modelNames[row.id].flatMap { model.entity(named: $0) }
  }

  /// The name of an entity of the model in `Z_PRIMARYKEY`.
  func rowName(of modelName: String) -> String { rowNames[modelName] ?? modelName }

  /// Tables of entities in `Z_PRIMARYKEY` that the model does not describe.
  func undescribed(_ shape: Shape) -> Set<String> {
    Set(
      entityMap.rows
        .filter { !$0.id.isInternal && modelNames[$0.id] == nil }
        .map { TablePlan.tableName(ofRoot: entityMap[entityMap.root(of: $0.id)]?.name ?? $0.name) }
        .filter { shape.tables[$0] != nil })
  }
}

extension EntityLayout {
  /// Makes the layout of an entity from `Z_PRIMARYKEY` alone.
  init(bare row: EntityMap.Row, in map: EntityMap, shape: Shape) {
    let root = map[map.root(of: row.id)]?.name ?? row.name
    let table = row.id.isInternal ? TablePlan.internalTableName(of: root) : TablePlan.tableName(ofRoot: root)
    self.init(
      id: row.id, name: row.name, modelName: nil, parent: row.parent.flatMap { map[$0]?.name }, root: root,
      table: table, tableExists: shape.tables[table] != nil)
  }

  fileprivate mutating func describe(_ entity: Entity, model: Model, tables: TableMatches, joins: JoinMatches) {
    isDescribed = true
    modelName = entity.name == name ? nil : entity.name
    isAbstract = entity.isAbstract
    uniquenessConstraints = entity.uniquenessConstraints
    if let root = model.root(of: entity.name), let found = tables.tableName[root.name] {
      table = found
      tableExists = true
    }
    let properties = model.properties(of: entity.name).values
      .sorted { codeUnitsPrecede($0.property.name, $1.property.name) }
    for inherited in properties {
      let id = TablePlan.PropertyID(inherited.topmostDeclarer, inherited.property.name)
      switch inherited.property.kind {
      case .fetched: break
      case .attribute:
        attributes.append(
          AttributeLayout(
            property: inherited.property, declaredBy: id.entity,
            columns: inherited.property.isTransient ? [] : tables.leafColumns[id] ?? []))
      case .relationship(let relationship):
        relationships.append(
          RelationshipLayout(
            name: id.property, declaredBy: id.entity, destination: relationship.destination,
            inverse: relationship.inverse, isOptional: inherited.property.isOptional,
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered, deleteRule: relationship.deleteRule,
            storage: inherited.property.isTransient
              ? .none : storage(of: relationship, id, model: model, tables: tables, joins: joins)))
      }
    }
  }

  private func storage(
    of relationship: Relationship, _ id: TablePlan.PropertyID, model: Model, tables: TableMatches, joins: JoinMatches
  ) -> RelationshipLayout.Storage {
    guard relationship.isToMany else {
      return .key(
        column: tables.column[.key(id)], companion: tables.column[.companion(id)],
        orderKey: tables.column[.orderKey(id)])
    }
    let destinationTable = model.root(of: relationship.destination).flatMap { tables.tableName[$0.name] } ?? ""
    guard let inverseName = relationship.inverse,
      let inverse = model.property(inverseName, of: relationship.destination)?.relationship
    else {
      return .hiddenKey(
        table: destinationTable, column: tables.column[.hiddenKey(id)], orderKey: tables.column[.hiddenOrderKey(id)])
    }
    guard !inverse.isToMany else { return .joinTable(name: joins.tableName[id]) }
    let declarer = model.topmostDeclarer(of: inverseName, in: relationship.destination)
    return .inverseKey(
      table: destinationTable,
      column: tables.column[.key(.init(declarer ?? relationship.destination, inverseName))])
  }
}

extension Model {
  /// Names of the R-tree tables the model requires: `Z_RT_<Entity>_<attribute>`.
  fileprivate var rTreeNames: [String] {
    entities.flatMap { entity in
      entity.properties
        .filter { $0.attribute?.locationComponents.isEmpty == false }
        .map { TablePlan.spatialIndexName($0.name, ofEntity: entity.name) }
    }
  }
}

// MARK: Matching the plan

/// Matches the planned tables and columns with those a store has.
package struct TableMatches {
  /// For each root entity, its table.
  package private(set) var tableName: [String: String] = [:]
  /// For each role, the name of the column.
  package private(set) var column: [TablePlan.Role: String] = [:]
  var leafColumns: [TablePlan.PropertyID: [AttributeLayout.LeafColumn]] = [:]
  /// For each table, the columns that have been matched.
  var claimed: [String: Set<String>] = [:]
  private(set) var lacking: [Lacking] = []
  private(set) var differingTypes: [DifferingType] = []

  /// Looks for what was planned among the tables that exist.
  package init(plan: TablePlan, shape: Shape, names: ModelNames) {
    for planned in plan.tables {
      // A root entity with an incomplete rename may still have its old table name.
      let oldName = TablePlan.tableName(ofRoot: names.rowName(of: planned.root))
      let table = shape.tables[planned.name] ?? shape.tables[oldName]
      if let table {
        tableName[planned.root] = table.name
      } else {
        lacking.append(Lacking(object: .table(planned.name), entity: names.rowName(of: planned.root)))
      }
      match(planned.columns, in: table)
      if let table { compare(planned.columns, with: table, names: names) }
    }
  }

  /// Records the columns the table lacks, and those declared with another type.
  private mutating func compare(_ planned: [TablePlan.Column], with table: Shape.Table, names: ModelNames) {
    let types = Dictionary(table.columns.map { ($0.name, $0.declaredType) }) { first, _ in first }
    for column in planned {
      let property = column.role.property
      guard let found = self.column[column.role] else {
        // Seen in only two stores, so a store without it is not called damaged.
        if case .hiddenOrderKey = column.role { continue }
        lacking.append(
          Lacking(
            object: .column(table: table.name, column.name), entity: names.rowName(of: property.entity),
            property: property.property))
        continue
      }
      guard let declared = types[found], declared.uppercased() != column.declaredType else { continue }
      differingTypes.append(
        DifferingType(
          table: table.name, column: found, declared: declared, expected: column.declaredType,
          entity: property.entity, property: property.property))
    }
  }

  private mutating func match(_ planned: [TablePlan.Column], in table: Shape.Table?) {
    var free = Set(table?.columns.map(\.name) ?? [])
    if let table { claimed[table.name] = free.intersection(["Z_PK", "Z_ENT", "Z_OPT"]) }
    var found: [TablePlan.Role: String] = [:]
    for column in planned where free.remove(column.name) != nil { found[column.role] = column.name }
    for column in planned where found[column.role] == nil {
      let candidates = free.filter { column.mayBe($0) }
      guard candidates.count == 1, let only = candidates.first else { continue }
      free.remove(only)
      found[column.role] = only
    }
    if let table { claimed[table.name]?.formUnion(found.values) }
    column.merge(found) { first, _ in first }
    for column in planned {
      if case .attribute(let id, let leaf) = column.role {
        leafColumns[id, default: []].append(.init(leaf: leaf, name: found[column.role]))
      }
    }
  }
}

extension TablePlan.Column {
  /// Whether an existing column with other digits than planned can be this one: a migrated store may keep the number
  /// in a property's column, or the entity number in a companion's name, from an older version.
  fileprivate func mayBe(_ name: String) -> Bool {
    switch role {
    case .attribute, .key, .orderKey: name.isEqual(toBaseOrNumbered: baseName)
    case .companion(let id): name.isNumbered("Z", middle: TablePlan.companionEnd(id.property))
    case .hiddenKey(let id): name.isNumbered("Z", middle: id.property.uppercased())
    case .hiddenOrderKey(let id): name.isNumbered(TablePlan.orderKeyPrefix, middle: id.property.uppercased())
    }
  }
}

extension String {
  /// Whether the name is `base`, optionally followed by digits.
  func isEqual(toBaseOrNumbered base: String) -> Bool {
    hasPrefix(base) && dropFirst(base.count).utf8.allSatisfy(isDigit)
  }

  /// Whether the name is `prefix`, digits, `middle`, and optionally more digits.
  fileprivate func isNumbered(_ prefix: String, middle: String) -> Bool {
    guard hasPrefix(prefix) else { return false }
    let rest = dropFirst(prefix.count).drop { $0.utf8.allSatisfy(isDigit) }
    return rest.count < count - prefix.count && rest.hasPrefix(middle)
      && rest.dropFirst(middle.count).utf8.allSatisfy(isDigit)
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

// MARK: Unexplained objects

/// The parts of a schema that neither a model nor Core Data or SQLite themselves explain.
func unexplainedObjects(
  in shape: Shape, claimed: [String: Set<String>], indexTables: Set<String>, noModelFor: Set<String>
) -> [Unexplained] {
  var result: [Unexplained] = []
  for (name, kind) in shape.unreadable where !indexTables.contains(name) {
    result.append(Unexplained(.table(name), "\(kind), never read"))
  }
  for table in shape.tables.values where !isOwnTable(table.name, indexTables: indexTables) {
    guard let columns = claimed[table.name] else {
      let why =
        noModelFor.contains(table.name)
        ? "the model does not describe its entity" : "no entity or relationship accounts for it"
      result.append(Unexplained(.table(table.name), why))
      continue
    }
    for column in table.columns where !columns.contains(column.name) {
      result.append(Unexplained(.column(table: table.name, column.name), "no property accounts for it"))
    }
  }
  for table in shape.tables.values {
    for column in table.generated {
      result.append(
        Unexplained(.column(table: table.name, column), "a generated column, which Core Data never makes; not read"))
    }
  }
  return result.sorted { codeUnitsPrecede($0.sortKey, $1.sortKey) }
}

/// Tables of Core Data itself, of history, of CloudKit mirroring and of SQLite.
private func isOwnTable(_ name: String, indexTables: Set<String>) -> Bool {
  if OwnTable(name) != nil || name.hasPrefix("sqlite_") { return true }
  // An R-tree keeps its nodes in three ordinary tables.
  return ["_node", "_parent", "_rowid"].contains { suffix in
    name.hasSuffix(suffix) && indexTables.contains(String(name.dropLast(suffix.count)))
  }
}

extension Unexplained {
  fileprivate var sortKey: String {
    switch object {
    case .table(let name): name
    case .column(let table, let name): "\(table).\(name)"
    case .index(let name): name
    }
  }
}
