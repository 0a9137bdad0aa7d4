import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// Join tables, and new tables in their order.
extension MigrationPlanner {
  mutating func planJoins() {
    var used: Set<String> = []
    var hops: [(from: String, to: String)] = []
    var remade: [Remade] = []
    for join in plan.joinTables {
      guard let past = map.past(join.source), let other = map.past(join.destination),
        let old = source.joins.first(where: { $0.has(past, other) }), used.insert(old.name).inserted
      else {
        newTables.insert(join.name)
        result.tables.made += 1
        copyKeys(to: join)
        continue
      }
      // For a relationship that is its own inverse both ends are the same, and their columns keep their places.
      let isTurned = past != other && !(old.source.entity == past.entity && old.source.relationship == past.property)
      let ends = isTurned ? (old.destination, old.source) : (old.source, old.destination)
      var columns = [(ends.0.column, join.sourceColumn), (ends.1.column, join.destinationColumn)]
      var missing: [TablePlan.JoinTable.OrderColumn] = []
      for order in join.orderColumns {
        if let existing = order.relationship == join.source ? ends.0.orderColumn : ends.1.orderColumn {
          columns.append((existing, order.name))
        } else {
          missing.append(order)
        }
      }
      if columns.count < 2 + old.orderColumns.count || !missing.isEmpty {
        remade.append(Remade(old: old, join: join, columns: columns))
        for order in missing { fillOrder(order, of: join) }
        continue
      }
      if join.source.entity == join.destination.entity, past != other,
        isChanged(join.source.entity, since: map.difference.sourceEntity(of: join.source.entity))
      {
        assume(
          "\(join.source.entity): the join table of '\(join.source.property)' and '\(join.destination.property)' keeps the "
            + "one of the two that it is named after; a model does not say which, and Core Data was seen to choose anew"
        )
      }
      if old.name != join.name { hops.append((old.name, join.name)) }
      let isChanged = rename(columns, of: join.name)
      if old.name != join.name || isChanged { result.tables.altered += 1 }
    }
    for join in plan.joinTables where newTables.contains(join.name) || keyBecoming(join) != nil {
      guard source.joins.contains(where: { $0.name == join.name && !used.contains($0.name) }) else { continue }
      refuse(
        join.source,
        reason: "its join table gets the name of one that goes, \(join.name); in which order Core Data makes and drops "
          + "them is not known")
    }
    let gone = source.joins.filter { !used.contains($0.name) }
    for old in gone {
      goneTables.insert(old.name)
      result.tables.dropped += 1
    }
    // Where a table gets the name of one that goes or is made anew, that one makes room first: the file is the same.
    let taken = Set(hops.map(\.to))
    for hop in hops { add(.renameJoinTable, .renameTable(hop.from, to: hop.from + "TEMP")) }
    for table in remade { remake(table, makesRoom: taken.contains(table.old.name)) }
    for old in gone {
      add(taken.contains(old.name) ? .renameJoinTable : .dropTable, sql: "DROP TABLE \(identifier(old.name))")
    }
    for hop in hops {
      renamedTables[hop.from] = hop.to
      add(.renameJoinTable, .renameTable(hop.from + "TEMP", to: hop.to))
    }
    createTables()
  }

  // MARK: Keys that become rows of a join table

  /// The end of a join table that was to-one, so that the keys of its objects become the table's links. Nil if there is none,
  /// or an order would have to be made up.
  ///
  /// The other side was its inverse; or it had none, and the other side is new.
  func keyBecoming(_ join: TablePlan.JoinTable) -> (id: TablePlan.PropertyID, isOfSource: Bool, hadInverse: Bool)? {
    let pasts = (map.past(join.source), map.past(join.destination))
    for (own, other, isOfSource) in [(pasts.0, pasts.1, true), (pasts.1, pasts.0, false)] {
      guard let own, let key = source.model.property(own.property, of: own.entity)?.relationship, !key.isToMany else {
        continue
      }
      let id = isOfSource ? join.source : join.destination
      if let other {
        guard join.orderColumns.isEmpty, key.inverse == other.property,
          source.model.topmostDeclarer(of: other.property, in: key.destination) == other.entity
        else { continue }
        return (id, isOfSource, true)
      }
      // Each link is the only one of its list.
      guard key.inverse == nil, join.orderColumns.allSatisfy({ $0.relationship == id }) else { continue }
      return (id, isOfSource, false)
    }
    return nil
  }

  /// Copies the keys of a to-one relationship that becomes many-to-many, before their column goes.
  private mutating func copyKeys(to join: TablePlan.JoinTable) {
    guard let (id, isOfSource, hadInverse) = keyBecoming(join), let sql = creation(of: join.name) else { return }
    let former = formerKeys(of: id).filter { !oldNumbers($0.entities).isEmpty }
    guard !former.isEmpty else { return }
    newTables.remove(join.name)
    assumeCopy(of: id, hadInverse: hadInverse)
    let (owner, other) =
      isOfSource ? (join.sourceColumn, join.destinationColumn) : (join.destinationColumn, join.sourceColumn)
    let columns = [owner, other] + join.orderColumns.map(\.name)
    let order = String(repeating: ", \(Self.firstOrderKey)", count: join.orderColumns.count)
    let copies = former.map { keys in
      "INSERT INTO \(identifier(join.name)) (\(columns.map(identifier).joined(separator: ", "))) "
        + links(keys, followedBy: order)
    }
    steps[.remakeTable, default: []].insert(
      contentsOf: ([sql] + copies).map { MigrationStatement(.remakeTable, $0) }, at: 0)
  }

  private mutating func assumeCopy(of id: TablePlan.PropertyID, hadInverse: Bool) {
    let place = "\(id.entity).\(id.property): "
    guard hadInverse else {
      return assume(place + "it becomes many-to-many with an inverse that it did not have, and its keys are copied")
    }
    guard let past = map.past(id), let key = source.model.property(past.property, of: past.entity)?.relationship,
      key.inverse.flatMap({ source.model.property($0, of: key.destination)?.relationship })?.isToMany == false
    else { return }
    assume(place + "a one-to-one relationship becomes many-to-many, and its keys are copied")
  }

  private func isChanged(_ entity: String, since old: String?) -> Bool {
    guard let new = map.target.entity(named: entity), let old = old.flatMap({ map.source.entity(named: $0) }) else {
      return true
    }
    return Set(new.properties.map(\.name)) != Set(old.properties.map(\.name))
  }

  /// Tables of new entities in reverse order, each with its join tables right after it.
  private mutating func createTables() {
    let joins = Dictionary(grouping: plan.joinTables) { map.target.root(of: $0.source.entity)?.name ?? "" }
    for table in plan.tables.reversed() {
      for name in [table.name] + (joins[table.root] ?? []).map(\.name) where newTables.contains(name) {
        if let sql = creation(of: name) { add(.createTable, sql: sql) }
      }
    }
  }

  /// Renames columns; by way of another name where a new name is still taken. Whether there was anything to rename.
  private mutating func rename(_ columns: [(old: String, new: String)], of table: String) -> Bool {
    let changed = columns.filter { $0.old != $0.new }
    let taken = Set(columns.map(\.old))
    func rename(_ old: String, to new: String) {
      add(.renameColumn, .renameColumn(old, of: table, to: new))
    }
    let inTheWay = changed.filter { taken.contains($0.new) }
    for column in inTheWay { rename(column.old, to: column.old + "TEMP") }
    for column in changed {
      rename(inTheWay.contains { $0.old == column.old } ? column.old + "TEMP" : column.old, to: column.new)
    }
    return !changed.isEmpty
  }

  /// A join table that is made anew, with its columns before and after.
  private struct Remade {
    var old: JoinTableLayout
    var join: TablePlan.JoinTable
    var columns: [(old: String, new: String)]
  }

  /// - Parameter makesRoom: whether another table gets the name that it had.
  private mutating func remake(_ table: Remade, makesRoom: Bool) {
    let (old, join) = (table.old, table.join)
    guard let sql = creation(of: join.name) else { return }
    goneTables.insert(old.name)
    result.tables.remade += 1
    let aside = aside(old.name)
    add(makesRoom ? .renameJoinTable : .remakeTable, puttingAside(old.name))
    add(.remakeTable, sql: sql)
    let new = table.columns.map { identifier($0.new) }.joined(separator: ", ")
    let from = table.columns.map { identifier($0.old) }.joined(separator: ", ")
    add(.remakeTable, sql: "INSERT INTO \(identifier(join.name)) (\(new)) SELECT \(from) FROM \(aside)")
    add(.remakeTable, sql: "DROP TABLE \(aside)")
  }

  /// Gives links of a relationship that becomes ordered the order of the objects' keys.
  private mutating func fillOrder(_ order: TablePlan.JoinTable.OrderColumn, of join: TablePlan.JoinTable) {
    let isSource = order.relationship == join.source
    let (owner, other) =
      isSource ? (join.sourceColumn, join.destinationColumn) : (join.destinationColumn, join.sourceColumn)
    let table = identifier(join.name)
    add(
      .fill,
      sql: "UPDATE \(table) SET \(identifier(order.name)) = o.N FROM (SELECT rowid AS K, "
        + "\(Self.orderKeys(of: identifier(owner), by: identifier(other))) AS N FROM \(table)) AS o WHERE o.K = "
        + "\(table).rowid")
  }

  // MARK: Numbers

  /// Entity numbers in rows, in companions and in history.
  mutating func planRenumbering() {
    var changes: [(old: Int64, new: Int64)] = []
    for entity in map.source.entities {
      guard let new = map.difference.destinationEntity(of: entity.name), let before = source.numbers[entity.name],
        let after = numbers[new], before != after
      else { continue }
      changes.append((before, after))
    }
    changes.sort { $0.old < $1.old }
    refuseLostHistory()
    guard !changes.isEmpty else { return }
    // In the order of the old numbers, for each of many entities.
    let places = Dictionary(changes.enumerated().map { ($1.new, $0) }) { first, _ in first }
    func moved(_ entities: [String]) -> [(old: Int64, new: Int64)] {
      entities.compactMap { numbers[$0].flatMap { places[$0] } }.sorted().map { changes[$0] }
    }
    for table in plan.tables where !newTables.contains(table.name) {
      let own = moved(map.family(of: table.root))
      if !own.isEmpty { renumber("Z_ENT", of: table.name, changes: own) }
      for column in table.columns {
        guard case .companion(let id) = column.role,
          let destination = map.target.property(id.property, of: id.entity)?.relationship?.destination
        else { continue }
        let led = moved(map.family(of: destination))
        if !led.isEmpty { renumber(column.name, of: table.name, changes: led) }
      }
    }
    if source.store.shape.table(.change)?.has("ZENTITY") == true {
      renumber("ZENTITY", of: HistoryTable.change.rawValue, changes: changes)
    }
  }

  private mutating func renumber(_ column: String, of table: String, changes: [(old: Int64, new: Int64)]) {
    let cases = changes.map { "WHEN \($0.old) THEN \($0.new)" }.joined(separator: " ")
    let olds = changes.map { String($0.old) }.joined(separator: ", ")
    add(
      .renumber,
      sql: "UPDATE \(table) SET \(column) = CASE \(column) \(cases) ELSE \(column) END WHERE \(column) IN (\(olds))")
  }

  /// Refuses to lose history: the fate of changes of an entity that goes is not known.
  private mutating func refuseLostHistory() {
    guard source.store.shape.table(.change)?.has("ZENTITY") == true else { return }
    let removed = map.source.entities.map(\.name).filter { map.difference.destinationEntity(of: $0) == nil }
    for entity in removed {
      guard let number = source.numbers[entity],
        let found = try? source.store.connection.prepare(
          "SELECT 1 FROM \(HistoryTable.change) WHERE ZENTITY = \(number) LIMIT 1"
        ).step(),
        found
      else { continue }
      refusals.append(
        MigrationRefusal(
          entity, nil, "history has changes of it, and what becomes of them when the entity goes is not known"))
    }
  }
}

extension JoinTableLayout {
  /// Whether these are its ends, in any order.
  fileprivate func has(_ one: TablePlan.PropertyID, _ other: TablePlan.PropertyID) -> Bool {
    let ends = [source, destination].map { TablePlan.PropertyID($0.entity, $0.relationship) }
    return ends == [one, other] || ends == [other, one]
  }
}
