import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// The tables of entities.
extension MigrationPlanner {
  /// Tables of the source and of the target, by root entity, between which entities go.
  private struct Group {
    var sources: Set<String> = []
    var targets: Set<String> = []
  }

  /// Groups of tables, each table in one of them.
  private struct Groups {
    private var groups: [Int: Group] = [:]
    private var (ofSource, ofTarget): ([String: Int], [String: Int]) = ([:], [:])
    private var count = 0

    /// In the order in which they were last added to.
    var all: [Group] { groups.sorted { $0.key < $1.key }.map(\.value) }

    /// Adds a group, together with those that share a table with it.
    mutating func place(_ new: Group) {
      let touching = Set(new.sources.compactMap { ofSource[$0] } + new.targets.compactMap { ofTarget[$0] })
      var whole = new
      for number in touching {
        guard let group = groups.removeValue(forKey: number) else { continue }
        whole.sources.formUnion(group.sources)
        whole.targets.formUnion(group.targets)
      }
      for source in whole.sources { ofSource[source] = count }
      for target in whole.targets { ofTarget[target] = count }
      groups[count] = whole
      count += 1
    }
  }

  mutating func planTables() throws {
    var groups = Groups()
    for entity in map.source.entities {
      var group = Group()
      if let root = map.source.root(of: entity.name) { group.sources = [root.name] }
      if let new = map.difference.destinationEntity(of: entity.name), let root = map.target.root(of: new) {
        group.targets = [root.name]
      }
      groups.place(group)
    }
    for table in plan.tables { groups.place(Group(targets: [table.root])) }
    // Re-made tables come in reverse order of the target's entities.
    let order = Dictionary(plan.tables.enumerated().map { ($1.root, $0) }) { first, _ in first }
    let sorted = groups.all.sorted { one, other in
      (one.targets.compactMap { order[$0] }.max() ?? -1) > (other.targets.compactMap { order[$0] }.max() ?? -1)
    }
    for group in sorted {
      let sources = group.sources.compactMap { root in source.table(ofRoot: root).map { (root, $0) } }.sorted {
        $0.1 < $1.1
      }
      let targets = group.targets.compactMap { order[$0] }.sorted().map { plan.tables[$0] }
      switch (sources.count, targets.count) {
      case (0, _): for table in targets { create(table) }
      case (_, 0):
        for (_, table) in sources {
          goneTables.insert(table)
          result.tables.dropped += 1
          add(.dropTable, sql: "DROP TABLE \(identifier(table))")
        }
      case (1, 1):
        if mustBeRemade(sources[0].0, table: targets[0]) {
          try remake(sources, as: targets)
        } else {
          try keep(sources[0], as: targets[0])
        }
      default:
        let moved = targets.map(\.root).joined(separator: ", ")
        assume("\(moved): entities move between hierarchies, and their rows keep keys and values")
        try remake(sources, as: targets)
      }
    }
  }

  private mutating func create(_ table: TablePlan.Table) {
    newTables.insert(table.name)
    result.tables.made += 1
  }

  // MARK: Kept or re-made

  /// The entities of the source whose rows get into a table of the target, with their names there.
  private func entities(_ root: String, into table: TablePlan.Table) -> [(old: String, new: String)] {
    (source.members[root] ?? []).compactMap { entity in
      guard let new = map.difference.destinationEntity(of: entity.name), map.target.root(of: new)?.name == table.root
      else { return nil }
      return (entity.name, new)
    }
  }

  /// Where the value of a column comes from, in rows of an entity; nil if nowhere.
  private func origin(_ column: TablePlan.Column, in entity: String) -> String? {
    map.past(column.role, of: entity).flatMap { source.column($0) }
  }

  /// A table is made anew when the target lacks a property of it, when a column has to go, and when no renaming of
  /// columns would do.
  private func mustBeRemade(_ root: String, table: TablePlan.Table) -> Bool {
    let members = source.members[root] ?? []
    let lacksProperty = members.contains { member in
      map.source.properties(of: member.name).values.contains { inherited in
        let property = inherited.property
        if case .fetched = property.kind { return false }
        guard !property.isTransient else { return false }
        // Of a removed entity only what it declares itself.
        if map.difference.destinationEntity(of: member.name) == nil {
          return inherited.topmostDeclarer == member.name
        }
        return !map.keeps(property.name, of: member.name)
      }
    }
    if lacksProperty { return true }
    let entities = entities(root, into: table)
    var used: [String: String] = [:]
    for column in table.columns {
      let origins = Set(entities.compactMap { origin(column, in: $0.new) })
      guard origins.count <= 1 else { return true }
      if let only = origins.first {
        guard used[only] == nil else { return true }
        used[only] = column.name
      }
    }
    if table.columns.contains(where: { changesDeclaredType($0, in: entities.map(\.new)) }) { return true }
    let held = source.roles(ofRoot: root).compactMap { source.column($0) }
    if held.contains(where: { used[$0] == nil }) { return true }
    // A new name that is still another column's.
    return used.contains { old, new in old != new && used[new] != nil }
  }

  /// Whether a column is of another declared type than the one its numbers come from.
  private func changesDeclaredType(_ column: TablePlan.Column, in entities: [String]) -> Bool {
    guard case .attribute(let id, leaf: []) = column.role else { return false }
    return entities.contains { entity in
      guard map.target.entity(entity, isKindOf: id.entity), let past = map.past(id.property, of: entity),
        let old = source.model.property(past.property, of: past.entity)?.attribute?.type.declaredColumnType
      else { return false }
      return old != column.declaredType
    }
  }

  private mutating func keep(_ old: (root: String, table: String), as table: TablePlan.Table) throws {
    refuseTakenName(table, from: [old.table])
    let entities = entities(old.root, into: table)
    if old.table != table.name {
      renamedTables[old.table] = table.name
      add(.renameTable, .renameTable(old.table, to: table.name))
    }
    var isAltered = old.table != table.name
    for column in table.columns {
      if let origin = entities.compactMap({ origin(column, in: $0.new) }).first {
        guard origin != column.name else { continue }
        renamedColumns[old.table, default: [:]][origin] = column.name
        add(.renameColumn, .renameColumn(origin, of: table.name, to: column.name))
      } else if source.store.shape.tables[old.table]?.has(column.name) == true {
        refuse(
          column.role.property,
          reason: "\(old.table) has a column \(column.name) already, which another property or somebody else uses")
      } else {
        add(.addColumn, .addColumn(table: table.name, definition: "\(column.name) \(column.declaredType)"))
      }
      isAltered = true
    }
    if isAltered { result.tables.altered += 1 }
    try fill(table, entities: entities.map { ($0.old, $0.new) }, isRemade: false)
    let removed = (source.members[old.root] ?? []).map(\.name).filter {
      map.difference.destinationEntity(of: $0) == nil
    }
    if !removed.isEmpty, !oldNumbers(removed).isEmpty {
      add(.deleteRows, sql: "DELETE FROM \(table.name) WHERE Z_ENT IN (\(oldNumbers(removed)))")
    }
  }

  // MARK: Making anew

  private mutating func remake(_ sources: [(root: String, table: String)], as targets: [TablePlan.Table]) throws {
    for (root, table) in sources {
      goneTables.insert(table)
      try refuseForeignColumns(table, root: root)
      add(.remakeTable, puttingAside(table))
    }
    for target in targets.reversed() {
      refuseTakenName(target, from: sources.map(\.table))
      guard let sql = creation(of: target.name) else { continue }
      add(.remakeTable, sql: sql)
      result.tables.remade += 1
      var all: [(String, String)] = []
      for (root, table) in sources {
        let entities = entities(root, into: target)
        all += entities
        copy(entities, of: root, from: aside(table), to: target)
      }
      try refuseRepeatedKeys(sources.filter { !entities($0.root, into: target).isEmpty }.map(\.table), target: target)
      try fill(target, entities: all, isRemade: true)
    }
    for (_, table) in sources { add(.remakeTable, sql: "DROP TABLE \(aside(table))") }
  }

  /// A name that one entity gives up and another takes in the same step.
  private mutating func refuseTakenName(_ table: TablePlan.Table, from old: [String]) {
    guard !old.contains(table.name), source.store.shape.tables[table.name] != nil else { return }
    refusals.append(
      MigrationRefusal(
        table.root, nil,
        "its table becomes \(table.name), a name that another table of the store still has; in which order Core Data "
          + "renames them is not known"))
  }

  /// The name in a statement of a table that is put aside.
  func aside(_ table: String) -> String { identifier(Self.aside + table) }

  /// Gives a table that is made anew another name.
  func puttingAside(_ table: String) -> SchemaEdit { .renameTable(table, to: Self.aside + table) }

  /// What the names of tables that are put aside begin with.
  private static var aside: String { "_T_" }

  mutating func refuseForeignColumns(_ table: String, root: String) throws {
    let own = Set(["Z_PK", "Z_ENT", "Z_OPT"] + source.roles(ofRoot: root).compactMap { source.column($0) })
    for column in source.store.shape.tables[table]?.columns ?? [] where !own.contains(column.name) {
      guard try hasValues(column.name, in: table) else { continue }
      refusals.append(
        MigrationRefusal(
          root, nil,
          "\(table) is made anew, and its column \(quoted(column.name)), which is not the model's, would be lost",
          advice: "drop the column if nobody needs it"))
    }
  }

  private mutating func refuseRepeatedKeys(_ tables: [String], target: TablePlan.Table) throws {
    for (position, table) in tables.enumerated() {
      for other in tables.dropFirst(position + 1) {
        let twice = try source.store.connection.prepare(
          "SELECT 1 FROM \(quotedIdentifier(table)) WHERE Z_PK IN (SELECT Z_PK FROM \(quotedIdentifier(other))) LIMIT 1"
        )
        guard try twice.step() else { continue }
        refusals.append(
          MigrationRefusal(
            target.root, nil,
            "rows of \(table) and \(other) get into one table and have equal keys; which keys they get is "
              + "not known"))
      }
    }
  }

  /// Copies the rows of entities whose columns come from the same places at a time.
  private mutating func copy(
    _ entities: [(old: String, new: String)], of root: String, from table: String, to target: TablePlan.Table
  ) {
    // A hidden key is one entity's, and stands in the table of that alone.
    let held = Set(source.roles(ofRoot: root).compactMap { source.column($0) })
    var groups: [(origins: [String?], entities: [String])] = []
    for (old, new) in entities {
      let origins = target.columns.map { column in origin(column, in: new).flatMap { held.contains($0) ? $0 : nil } }
      if let position = groups.firstIndex(where: { $0.origins == origins }) {
        groups[position].entities.append(old)
      } else {
        groups.append((origins, [old]))
      }
    }
    let isWhole =
      groups.count == 1 && entities.count == source.members[root]?.count
    for group in groups {
      let columns = zip(target.columns, group.origins).compactMap { column, origin in
        origin.map { (column.name, identifier($0)) }
      }
      let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.0)).joined(separator: ", ")
      let values = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.1)).joined(separator: ", ")
      let condition = isWhole ? "" : " WHERE Z_ENT IN (\(oldNumbers(group.entities)))"
      add(.remakeTable, sql: "INSERT INTO \(target.name) (\(names)) SELECT \(values) FROM \(table)\(condition)")
    }
  }

  // MARK: Defaults and companions

  /// Gives rows the defaults of new attributes, and links the number of their entity where it becomes necessary.
  ///
  /// A default of a kept table gets into all its rows, also those of parents and siblings, as was observed.
  private mutating func fill(_ table: TablePlan.Table, entities: [(old: String, new: String)], isRemade: Bool) throws {
    guard !entities.isEmpty else { return }
    var fills: [(condition: String, assignments: [(column: String, value: SQLiteValue)])] = []
    for column in table.columns {
      switch column.role {
      case .attribute(let id, let leaf):
        let without = entities.filter {
          map.target.entity($0.new, isKindOf: id.entity) && origin(column, in: $0.new) == nil
        }
        try fillNulls(column, of: id, in: table, entities: entities)
        guard !without.isEmpty, let value = try defaultValue(id, leaf: leaf, isNeeded: true) else { continue }
        if leaf.isEmpty { for entity in without { result.defaults[entity.new, default: [:]][id.property] = value } }
        let isNewInAll = !entities.contains { origin(column, in: $0.new) != nil }
        let isForAll = without.count == entities.count || isNewInAll && !isRemade
        let condition = isForAll ? "" : " WHERE Z_ENT IN (\(oldNumbers(without.map(\.old))))"
        if let position = fills.firstIndex(where: { $0.condition == condition }) {
          fills[position].assignments.append((column.name, value))
        } else {
          fills.append((condition, [(column.name, value)]))
        }
      case .companion(let id): fillCompanion(column, of: id, in: table, entities: entities)
      case .orderKey(let id): fillOrder(column, beside: .key(id), in: table, entities: entities.map(\.new))
      case .hiddenOrderKey(let id): fillOrder(column, beside: .hiddenKey(id), in: table, entities: entities.map(\.new))
      case .key, .hiddenKey: break
      }
    }
    for fill in fills {
      let list = fill.assignments.map { "\($0.column) = ?" }.joined(separator: ", ")
      add(.fill, sql: "UPDATE \(table.name) SET \(list)\(fill.condition)", values: fill.assignments.map(\.value))
    }
  }

  /// Gives the default to rows without a value of an attribute that becomes required.
  private mutating func fillNulls(
    _ column: TablePlan.Column, of id: TablePlan.PropertyID, in table: TablePlan.Table,
    entities: [(old: String, new: String)]
  ) throws {
    for (old, new) in entities {
      guard map.target.entity(new, isKindOf: id.entity), let past = map.past(id.property, of: new),
        let before = source.model.property(past.property, of: past.entity), before.isOptional, !before.isTransient,
        let after = map.target.property(id.property, of: new), !after.isOptional, after.attribute?.elements == nil,
        after.attribute?.derivation == nil, let origin = origin(column, in: new),
        let root = source.model.root(of: old)?.name, let oldTable = source.table(ofRoot: root),
        let value = try defaultValue(id, leaf: [], isNeeded: true)
      else { continue }
      let numbers = oldNumbers([old])
      let found = try source.store.connection.prepare(
        "SELECT 1 FROM \(quotedIdentifier(oldTable)) WHERE Z_ENT IN (\(numbers)) AND \(quotedIdentifier(origin)) IS NULL LIMIT 1"
      )
      guard !numbers.isEmpty, try found.step() else { continue }
      assume("\(new).\(id.property): it becomes required, and objects without a value get the default")
      result.filled.insert("\(new).\(id.property)")
      add(
        .fill,
        sql: "UPDATE \(table.name) SET \(column.name) = ? WHERE \(column.name) IS NULL AND Z_ENT IN (\(numbers))",
        values: [value])
    }
  }

  /// Gives links of a relationship that becomes ordered the order of the objects' keys.
  private mutating func fillOrder(
    _ column: TablePlan.Column, beside role: TablePlan.Role, in table: TablePlan.Table, entities: [String]
  ) {
    let isNew = entities.contains {
      map.past(role, of: $0).flatMap(source.column) != nil && origin(column, in: $0) == nil
    }
    guard isNew, let key = table.columns.first(where: { $0.role == role })?.name else { return }
    add(
      .fill,
      sql:
        "UPDATE \(table.name) SET \(column.name) = o.N FROM (SELECT Z_PK AS K, \(Self.orderKeys(of: key, by: "Z_PK")) "
        + "AS N FROM \(table.name) WHERE \(key) IS NOT NULL) AS o WHERE o.K = \(table.name).Z_PK")
  }

  /// Order keys as Core Data gives them to a new list: 2048, 3072 and so on.
  static func orderKeys(of owner: String, by order: String) -> String {
    "1024 + 1024 * row_number() OVER (PARTITION BY \(owner) ORDER BY \(order))"
  }

  private mutating func fillCompanion(
    _ column: TablePlan.Column, of id: TablePlan.PropertyID, in table: TablePlan.Table,
    entities: [(old: String, new: String)]
  ) {
    let isNew = entities.contains { map.past(.key(id), of: $0.new) != nil && origin(column, in: $0.new) == nil }
    guard isNew, let key = table.columns.first(where: { $0.role == .key(id) })?.name,
      let destination = map.target.property(id.property, of: id.entity)?.relationship?.destination,
      let root = map.target.root(of: destination), let other = plan.tables.first(where: { $0.root == root.name })
    else { return }
    assume(
      "\(id.entity).\(id.property): its links get the number of the entity they lead to; old systems left that empty")
    add(
      .fill,
      sql:
        "UPDATE \(table.name) SET \(column.name) = (SELECT Z_ENT FROM \(other.name) AS d WHERE d.Z_PK = \(table.name).\(key)) "
        + "WHERE \(key) IS NOT NULL")
  }

  /// The default of an attribute, or of an element of a composite, as it is stored; nil if there is none.
  mutating func defaultValue(
    _ id: TablePlan.PropertyID, leaf: [String], isNeeded: Bool
  ) throws -> SQLiteValue? {
    var attribute = map.target.property(id.property, of: id.entity)?.attribute
    for name in leaf { attribute = attribute?.elements?.first { $0.name == name }?.attribute }
    guard let attribute, let value = attribute.defaultValue else { return nil }
    if attribute.allowsExternalStorage {
      refuse(id, reason: "its default may be stored in a file, and how it is written into old rows is not known")
      return nil
    }
    switch value {
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .integer(let number):
      return [.double, .float].contains(attribute.type) ? .real(Double(number)) : .integer(number)
    case .real(let number), .date(let number): return .real(number)
    case .string(let text), .decimal(let text), .uri(let text): return .text(text)
    case .data(let bytes), .uuid(let bytes): return .blob(bytes)
    case .object, .unreadable:
      refuse(id, reason: "its default cannot be read, so it is not known what old rows get")
      return nil
    }
  }
}
