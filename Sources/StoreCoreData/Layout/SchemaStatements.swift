import StoreWords
import StoreDataModel

/// The statements with which Core Data creates an empty store, in its order and exact text.
///
/// The text was found in every real store with a model cache that was never migrated, and tests compare it with them
/// (`docs/format/store-layout.md`; `RealLayoutTests`). Frameworks differ in a few forms; the limits below are the
/// framework numbers between which a form changed.
package struct SchemaStatements: Sendable {
  /// One object of the schema.
  package struct Statement: Sendable, Equatable {
    /// "table", "index" or "trigger".
    package var kind: String
    /// The object's name.
    package var name: String
    /// The SQL statement.
    package var sql: String
  }

  /// Everything, in the order of creation.
  package private(set) var all: [Statement] = []
  /// Fetch indexes whose statement is not known, as "Note.byDate": with a condition, or an element, of a form that was
  /// not seen in a real store.
  package private(set) var leftOut: [String] = []

  private let model: Model
  private let plan: TablePlan
  private let framework: Int
  /// The name of each property's column.
  private var columns: [TablePlan.PropertyID: String] = [:]
  private var names: Set<String> = []
  /// The join tables by the root of the entity that they are named after.
  private let joinTables: [String: [TablePlan.JoinTable]]

  /// Seen: 754 the old form, 847 fetch indexes (836 in a wider set).
  private static let fetchIndexesFrom = 836
  /// Seen: 851 inline constraints, 865 `CREATE UNIQUE INDEX`.
  private static let uniqueIndexesFrom = 865
  /// Seen: 519 none, 637 present.
  private static let modelCacheFrom = 637
  /// Seen: 973 two spaces after WHERE, 1044 one.
  private static let oneSpaceAfterWhereFrom = 1044
  /// Seen: 851 no string table, 973 present.
  private static let historyStringsFrom = 973

  /// The statements for a store of `model` as the given framework makes it.
  package init(model: Model, plan: TablePlan, framework: Int, keepsHistory: Bool) {
    self.model = model
    self.plan = plan
    self.framework = framework
    joinTables = Dictionary(grouping: plan.joinTables) { model.root(of: $0.source.entity)?.name ?? "" }
    for column in plan.tables.flatMap(\.columns) {
      switch column.role {
      case .attribute(let id, let leaf) where leaf.isEmpty: columns[id] = column.name
      case .key(let id): columns[id] = column.name
      default: break
      }
    }
    for table in plan.tables {
      addTable(table)
      for join in joins(of: table) { addTable(join) }
    }
    for table in plan.tables { addIndexes(of: table) }
    for table in plan.tables { addRTrees(of: table) }
    addOwnTables()
    if keepsHistory { addHistory() }
  }

  // Names are created once: real models list some fetch indexes twice.
  private mutating func add(_ kind: String, name: String, sql: String) {
    guard names.insert(kind + name).inserted else { return }
    all.append(Statement(kind: kind, name: name, sql: sql))
  }

  // MARK: Tables

  private mutating func addTable(_ table: TablePlan.Table) {
    let constraints = framework < Self.uniqueIndexesFrom ? members(of: table).flatMap(uniqueColumns) : []
    let single = Set(constraints.filter { $0.columns.count == 1 }.flatMap(\.columns))
    var parts = Self.keyColumns
    parts += table.columns.map { "\($0.name) \($0.declaredType)\(single.contains($0.name) ? " UNIQUE" : "")" }
    let several = constraints.map(\.columns).filter { $0.count > 1 }
    parts += several.map { "CONSTRAINT \($0.joined(separator: "_")) UNIQUE (\($0.joined(separator: ", ")))" }
    // With a constraint at the end there is no space before the last bracket (three Moody stores).
    let end = several.isEmpty ? " )" : ")"
    add("table", name: table.name, sql: "CREATE TABLE \(table.name) ( \(parts.joined(separator: ", "))\(end)")
  }

  private mutating func addTable(_ join: TablePlan.JoinTable) {
    let columns = [join.sourceColumn, join.destinationColumn] + join.orderColumns.map(\.name)
    let list = columns.map { $0 + " INTEGER" }.joined(separator: ", ")
    add(
      "table", name: join.name,
      sql: "CREATE TABLE \(join.name) ( \(list), PRIMARY KEY (\(join.sourceColumn), \(join.destinationColumn)) )")
  }

  private static let keyColumns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]

  /// The entities of a table in order of their number: depth-first, siblings in case-insensitive order.
  private func members(of table: TablePlan.Table) -> [Entity] {
    var members: [Entity] = []
    var pending = [table.root]
    while let name = pending.popLast() {
      guard let entity = model.entity(named: name) else { continue }
      members.append(entity)
      pending += model.subentities(of: name).map(\.name)
        .sorted { TablePlan.caseFoldedPrecedes($0, $1) }.reversed()
    }
    return members
  }

  private func joins(of table: TablePlan.Table) -> [TablePlan.JoinTable] {
    joinTables[table.root] ?? []
  }

  // MARK: Indexes

  private mutating func addIndexes(of table: TablePlan.Table) {
    if framework < Self.fetchIndexesFrom {
      for column in table.columns {
        guard case .attribute(let id, []) = column.role,
          model.property(id.property, of: id.entity)?.attribute?.isIndexed == true
        else { continue }
        addIndex(on: table.name, column.name)
      }
    }
    for column in table.columns where column.role.isLink { addIndex(on: table.name, column.name) }
    let members = members(of: table)
    for entity in members {
      for join in joins(of: table) where join.source.entity == entity.name {
        let (first, second) = (join.sourceColumn, join.destinationColumn)
        let name = "\(join.name)_\(second)_INDEX"
        add("index", name: name, sql: "CREATE INDEX \(name) ON \(join.name) (\(second), \(first))")
      }
      if entity.parent == nil && members.count > 1 { addIndex(on: table.name, "Z_ENT") }
      if framework < Self.fetchIndexesFrom {
        addCompoundIndexes(of: entity, on: table.name)
      } else {
        for index in entity.indexes { add(index, of: entity, on: table.name) }
      }
      if framework >= Self.uniqueIndexesFrom { addUniqueIndexes(of: entity, on: table.name) }
    }
  }

  private mutating func addIndex(on table: String, _ column: String) {
    let name = "\(table)_\(column)_INDEX"
    add("index", name: name, sql: "CREATE INDEX \(name) ON \(table) (\(column))")
  }

  private mutating func addCompoundIndexes(of entity: Entity, on table: String) {
    for compound in entity.compoundIndexes {
      let indexed = compound.map { column(of: $0, in: entity) }
      guard !indexed.isEmpty, !indexed.contains(nil) else { continue }
      let names = indexed.compactMap(\.self)
      let name = "\(table)_\(names.joined(separator: "_"))"
      add("index", name: name, sql: "CREATE INDEX \(name) ON \(table) (\(names.joined(separator: ", ")))")
    }
  }

  private mutating func add(_ index: FetchIndex, of entity: Entity, on table: String) {
    let indexed = index.elements.map { column(of: $0, in: entity) }
    // To-many, transient and unknown elements have no column; a single to-one is served by its key's index.
    guard !indexed.isEmpty, !indexed.contains(nil), !isSingleToOne(index, of: entity) else {
      if indexed.contains(nil), index.elements.contains(where: { $0.expression != nil }) {
        leftOut.append("\(entity.name).\(index.name)")
      }
      return
    }
    let name = TablePlan.indexName(index.name, ofEntity: entity.name)
    let list = zip(indexed, index.elements).compactMap { column, element in
      column.map { "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" }
    }
    var sql = "CREATE INDEX \(name) ON \(table) (\(list.joined(separator: ", ")))"
    if let predicate = index.partialPredicate {
      guard let condition = self.sql(predicate, in: entity) else {
        leftOut.append("\(entity.name).\(index.name)")
        return
      }
      sql += (framework < Self.oneSpaceAfterWhereFrom ? " WHERE  " : " WHERE ") + condition
    }
    add("index", name: name, sql: sql)
  }

  private func isSingleToOne(_ index: FetchIndex, of entity: Entity) -> Bool {
    guard index.elements.count == 1, let only = index.elements.first else { return false }
    return model.property(only.propertyName, of: entity.name)?.relationship?.isToMany == false
  }

  private mutating func addUniqueIndexes(of entity: Entity, on table: String) {
    for (properties, columns) in uniqueColumns(of: entity) {
      let name = TablePlan.uniqueIndexName(properties, ofEntity: entity.name)
      let list = columns.map { $0 + " COLLATE BINARY ASC" }.joined(separator: ", ")
      add("index", name: name, sql: "CREATE UNIQUE INDEX \(name) ON \(table) (\(list))")
    }
  }

  private func uniqueColumns(of entity: Entity) -> [(properties: [String], columns: [String])] {
    entity.uniquenessConstraints.compactMap { constraint in
      let columns = constraint.map { column(of: $0, in: entity) }
      return columns.contains(nil) ? nil : (constraint, columns.compactMap(\.self))
    }
  }

  /// The column of an indexed name; `self` and `entity` stand for `Z_PK` and `Z_ENT`.
  private func column(of name: String, in entity: Entity) -> String? {
    if let declarer = model.topmostDeclarer(of: name, in: entity.name) {
      return columns[TablePlan.PropertyID(declarer, name)]
    }
    if name == "self" { return "Z_PK" }
    if name == "entity" { return "Z_ENT" }
    return nil
  }

  private func column(of element: FetchIndex.Element, in entity: Entity) -> String? {
    if model.property(element.propertyName, of: entity.name) == nil, let expression = element.expression {
      return column(of: expression, in: entity)
    }
    return column(of: element.propertyName, in: entity)
  }

  private func column(of expression: Expression, in entity: Entity) -> String? {
    switch expression {
    case .evaluatedObject: "Z_PK"
    case .keyPath(let path): column(of: path, in: entity)
    default: nil
    }
  }

  /// A partial index's condition; nil for a form that was not seen in real stores.
  private func sql(_ predicate: Predicate, in entity: Entity) -> String? {
    switch predicate {
    case .compound(.and, let parts), .compound(.or, let parts):
      let conditions = parts.map { sql($0, in: entity) }
      guard !conditions.contains(nil) else { return nil }
      let isAnd = if case .compound(.and, _) = predicate { true } else { false }
      return "(" + conditions.compactMap(\.self).joined(separator: isAnd ? " AND " : " OR ") + ")"
    case .comparison(let comparison):
      guard let column = column(of: comparison.left, in: entity), case .constant(let value) = comparison.right else {
        return nil
      }
      return sql(column, comparison: comparison.operator, value: value)
    default: return nil
    }
  }

  private func sql(_ column: String, comparison: Predicate.Operator, value: Expression.Constant) -> String? {
    if value == .null { return "\(column) IS \(comparison == .notEqual ? "NOT " : "")NULL" }
    let words: [Predicate.Operator: String] = [
      .lessThan: "<", .lessThanOrEqual: "<=", .greaterThan: ">", .greaterThanOrEqual: ">=", .equal: "=",
      .notEqual: "<>",
    ]
    guard let word = words[comparison] else { return nil }
    return switch value {
    case .integer(let number): "\(column) \(word) \(number)"
    case .boolean(let flag): "\(column) \(word) \(flag ? 1 : 0)"
    default: nil
    }
  }

  // MARK: R-trees

  /// An R-tree with its triggers for a transient attribute whose user info names its components (Photos).
  private mutating func addRTrees(of table: TablePlan.Table) {
    for entity in members(of: table) {
      for property in entity.properties.sorted(by: { codeUnitsPrecede($0.name, $1.name) }) {
        let components = property.attribute?.locationComponents ?? []
        let columns = components.map { column(of: $0, in: entity) }
        guard !columns.isEmpty, !columns.contains(nil) else { continue }
        addRTree(
          TablePlan.spatialIndexName(property.name, ofEntity: entity.name), columns: columns.compactMap(\.self),
          table: table.name)
      }
    }
  }

  private mutating func addRTree(_ name: String, columns: [String], table: String) {
    let declared = columns.map { "\($0)_MIN FLOAT, \($0)_MAX FLOAT" }.joined(separator: ", ")
    add("table", name: name, sql: "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))")
    let list = "Z_PK, " + columns.map { "\($0)_MIN, \($0)_MAX" }.joined(separator: ", ")
    let values = columns.enumerated().map { "NEW.\($1)\($0 == 0 ? " ," : ", ")NEW.\($1)" }.joined(separator: ", ")
    func trigger(_ event: String, body: String) {
      add(
        "trigger", name: "\(name)_\(event)",
        sql: "CREATE TRIGGER \(name)_\(event) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(body) ; END")
    }
    trigger("INSERT", body: "INSERT OR REPLACE INTO \(name) (\(list)) VALUES (NEW.Z_PK, \(values))")
    trigger(
      "UPDATE",
      body: "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT INTO \(name) (\(list)) VALUES (NEW.Z_PK, \(values))")
    trigger("DELETE", body: "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK")
  }

  // MARK: Core Data's own tables

  private mutating func addOwnTables() {
    add(
      "table", name: "Z_PRIMARYKEY",
      sql: "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    add(
      "table", name: "Z_METADATA",
      sql: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    if framework >= Self.modelCacheFrom {
      add("table", name: "Z_MODELCACHE", sql: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    }
  }

  private mutating func addHistory() {
    let hasStrings = framework >= Self.historyStringsFrom
    func table(_ table: HistoryTable, columns: [String]) {
      let name = table.rawValue
      add("table", name: name, sql: "CREATE TABLE \(name) ( \((Self.keyColumns + columns).joined(separator: ", ")) )")
    }
    table(
      .change,
      columns: [
        "ZCHANGETYPE INTEGER", "ZENTITY INTEGER", "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB",
      ]
        + (0..<tombstones).map { "ZTOMBSTONE\($0) BLOB" })
    let strings = hasStrings ? ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"] : []
    table(
      .transaction,
      columns: strings.map { $0 + " INTEGER" } + [
        "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR", "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR", "ZPROCESSID VARCHAR",
        "ZQUERYGEN BLOB",
      ])
    if hasStrings { table(.transactionString, columns: ["ZNAME VARCHAR"]) }
    addIndex(on: HistoryTable.change.rawValue, "ZTRANSACTIONID")
    for column in strings { addIndex(on: HistoryTable.transaction.rawValue, column) }
    for (word, column) in [("Author", "ZAUTHOR"), ("Timestamp", "ZTIMESTAMP")] {
      let name = "Z_TRANSACTION_Transaction\(word)Index"
      add(
        "index", name: name, sql: "CREATE INDEX \(name) ON \(HistoryTable.transaction) (\(column) COLLATE BINARY ASC)")
    }
    guard hasStrings else { return }
    let unique = "Z_TRANSACTIONSTRING_UNIQUE_NAME"
    let texts = HistoryTable.transactionString
    add("index", name: unique, sql: "CREATE UNIQUE INDEX \(unique) ON \(texts) (ZNAME COLLATE BINARY ASC)")
  }

  /// The largest number of attributes kept after deletion, inherited ones included, of any one entity.
  private var tombstones: Int {
    model.entities
      .map { entity in
        model.properties(of: entity.name).values.count { $0.property.attribute?.preservesValueInHistory == true }
      }
      .max() ?? 0
  }
}

extension TablePlan.Role {
  /// Whether the column holds keys of other objects, which Core Data indexes.
  fileprivate var isLink: Bool {
    switch self {
    case .key, .hiddenKey: true
    case .attribute, .companion, .orderKey, .hiddenOrderKey: false
    }
  }
}
